import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { BackgroundLoop } from '../../../../shared/platform/background/background-loop.js';
import { CheckNetwork, type NetworkToCheck } from '../../application/check-network.js';
import { ForeignChain } from '../../domain/foreign-chain.js';
import { NetworkGate, type NetworkStanding } from '../../domain/network-gate.js';
import { ForwarderDerivations } from '../chain/forwarder-derivations.js';
import { NetworksSettings } from '../networks-settings.js';

const RECHECK_EVERY_MS = 3_000;

/** Checks each network at start, and again until it is in order: a node may come back, a factory be deployed. */
@Injectable()
export class NetworkChecks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('networks');
  private readonly networks: readonly NetworkToCheck[];
  private readonly said = new Map<string, string>();
  private readonly loop = new BackgroundLoop({ name: 'networks', idleMs: RECHECK_EVERY_MS }, () =>
    this.recheck(),
  );

  constructor(
    settings: NetworksSettings,
    derivations: ForwarderDerivations,
    private readonly check: CheckNetwork,
    private readonly gate: NetworkGate,
  ) {
    this.networks = settings.networks.flatMap((configuration) => {
      const derivation = derivations.of(configuration.network);
      return derivation === undefined ? [] : [{ configuration, derivation }];
    });
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
    const shut = this.networks.filter(({ configuration }) => !this.gate.takesRequests(configuration.network));
    await this.checkEach(shut);
    return false;
  }

  private async checkEach(networks: readonly NetworkToCheck[]): Promise<ForeignChain | undefined> {
    const outcomes = await Promise.allSettled(
      networks.map(async (network) => this.report(network, await this.check.execute(network))),
    );
    const errors = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    );
    for (const error of errors) {
      if (!(error instanceof ForeignChain)) throw error;
      this.sayOnce(error.network, () => this.log.error(error.message), error.message);
    }
    return errors.find((error) => error instanceof ForeignChain);
  }

  private report({ configuration }: NetworkToCheck, standing: NetworkStanding): void {
    const { network } = configuration;
    if (standing.kind === 'ready') {
      const line = `Network ${network} agrees with its chain and takes requests.`;
      this.sayOnce(network, () => this.log.log(line), line);
    } else if (standing.kind === 'disagrees') {
      const line = `Network ${network} is watched but takes NO new requests: ${standing.problems.join(' ')}`;
      this.sayOnce(network, () => this.log.error(line), line);
    } else {
      const line = `Network ${network} takes no requests until its node can be asked: ${standing.reason}`;
      this.sayOnce(network, () => this.log.warn(line), line);
    }
  }

  /** A standing that lasts is not repeated every few seconds. */
  private sayOnce(network: string, say: () => void, line: string): void {
    if (this.said.get(network) === line) return;
    this.said.set(network, line);
    say();
  }
}
