import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { BackgroundLoop } from '../../../../shared/platform/background/background-loop.js';
import { CheckNetwork, type NetworkToCheck } from '../../application/check-network.js';
import { NetworksToCheck } from '../../application/networks-to-check.js';
import type { ForeignChain } from '../../domain/foreign-chain.js';
import { NetworkGate, type NetworkStanding } from '../../domain/network-gate.js';

const RECHECK_EVERY_MS = 3_000;

/**
 * Checks each network at start, and again until it is in order: a node may come back, a factory be deployed. Endpoints
 * that were away, or are kept out, are asked again which chain they serve while the network goes on without them.
 */
@Injectable()
export class NetworkChecks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('networks');
  private readonly networks: readonly NetworkToCheck[];
  private readonly said = new Map<string, string>();
  private readonly loop = new BackgroundLoop({ name: 'networks', idleMs: RECHECK_EVERY_MS }, () =>
    this.recheck(),
  );

  constructor(
    { all }: NetworksToCheck,
    private readonly check: CheckNetwork,
    private readonly gate: NetworkGate,
  ) {
    this.networks = all;
  }

  /** An unreachable node does not keep the process from starting; a foreign chain does. @throws ForeignChain */
  async onApplicationBootstrap(): Promise<void> {
    await this.checkAll();
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** All at once. @throws ForeignChain after each has been checked */
  async checkAll(): Promise<void> {
    const foreign = await this.checkEach(this.networks);
    if (foreign !== undefined) throw foreign;
  }

  private async recheck(): Promise<boolean> {
    const isReady = ({ configuration }: NetworkToCheck) => this.gate.takesRequests(configuration.network);
    const ready = this.networks.filter(isReady);
    await this.checkEach(this.networks.filter((network) => !isReady(network)));
    await Promise.all(
      ready.map(async ({ configuration }) => {
        const { foreign } = await this.check.proveAgain(configuration);
        this.reportForeign(foreign);
      }),
    );
    return false;
  }

  /** @returns why the first of those that only foreign endpoints serve is refused */
  private async checkEach(networks: readonly NetworkToCheck[]): Promise<ForeignChain | undefined> {
    const checks = await Promise.all(
      networks.map(async (network) => {
        const check = await this.check.execute(network);
        this.reportForeign(check.foreign);
        this.report(network.configuration.network, check.standing);
        return check;
      }),
    );
    return checks.find(({ standing }) => standing.kind === 'foreign')?.foreign[0];
  }

  private report(network: string, standing: NetworkStanding): void {
    if (standing.kind === 'ready') {
      const line = `Network ${network} agrees with its chain and takes requests.`;
      this.sayOnce(network, () => this.log.log(line), line);
    } else if (standing.kind === 'disagrees') {
      const line = `Network ${network} is watched but takes NO new requests: ${standing.problems.join(' ')}`;
      this.sayOnce(network, () => this.log.error(line), line);
    } else if (standing.kind === 'unchecked') {
      const line = `Network ${network} takes no requests until its node can be asked: ${standing.reason}`;
      this.sayOnce(network, () => this.log.warn(line), line);
    }
  }

  private reportForeign(foreign: readonly ForeignChain[]): void {
    for (const { network, server, message } of foreign) {
      const line = `${message} Nothing is read from it.`;
      this.sayOnce(`${network} ${server}`, () => this.log.error(line), line);
    }
  }

  /** What lasts is not repeated every few seconds. */
  private sayOnce(about: string, say: () => void, line: string): void {
    if (this.said.get(about) === line) return;
    this.said.set(about, line);
    say();
  }
}
