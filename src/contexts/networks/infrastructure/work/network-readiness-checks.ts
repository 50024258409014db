import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import type { NetworkConfiguration } from '../../domain/network-configuration.js';
import { CheckNetworkReadiness } from '../../application/check-network-readiness.js';
import { NetworksSettings } from '../networks-settings.js';
import type { WrongChain } from '../../domain/wrong-chain.js';
import { NetworkReadiness, type ChainReadiness } from '../../domain/network-readiness.js';
import { RecheckBackoff } from './recheck-backoff.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { NETWORKS_LOG_EVENTS } from '../log-events.js';

const RECHECK_EVERY_MS = 3_000;

/** Separate loops, so that silent endpoints of one network do not delay the checks of another. */
interface CheckLoop {
  readonly network: NetworkConfiguration;
  readonly rests: RecheckBackoff;
  readonly loop: BackgroundLoop;
}

/** Checks each network at start and until it is ready, because nodes recover and factories get deployed. */
@Injectable()
export class NetworkReadinessChecks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new OperatorLogWriter('networks', NETWORKS_LOG_EVENTS);
  private readonly watches: readonly CheckLoop[];

  constructor(
    { networks }: NetworksSettings,
    private readonly checkNetworkReadiness: CheckNetworkReadiness,
    private readonly readiness: NetworkReadiness,
  ) {
    this.watches = networks.map((network) => {
      const [rests, mismatches] = [new RecheckBackoff(), new RecheckBackoff()];
      const name = `networks ${network.network}`;
      const turn = () => this.recheck(network, rests, mismatches);
      return { network, rests, loop: new BackgroundLoop({ name, idleMs: RECHECK_EVERY_MS }, turn) };
    });
  }

  /** Prevents the process from starting if a network serves another chain, but not if its nodes are unreachable. */
  async onApplicationBootstrap(): Promise<void> {
    await this.checkAll();
    for (const { loop } of this.watches) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.watches.map(({ loop }) => loop.stop()));
  }

  /** Checks all networks concurrently. @throws WrongChain after every network was checked */
  async checkAll(): Promise<void> {
    const refusals = await Promise.all(
      this.watches.map(({ network, rests }) => this.checkWhole(network, rests)),
    );
    const foreign = refusals.find((refusal) => refusal !== undefined);
    if (foreign !== undefined) throw foreign;
  }

  private async recheck(
    network: NetworkConfiguration,
    rests: RecheckBackoff,
    mismatches: RecheckBackoff,
  ): Promise<boolean> {
    const resting = rests.namesToSkip();
    // The contracts of a mismatched network change only when the operator deploys them.
    const isPaused = mismatches.namesToSkip().size > 0;
    if (this.readiness.acceptsPaymentRequests(network.network) || isPaused) {
      const { foreign } = await this.checkNetworkReadiness.reverifyEndpoints(network, resting);
      this.foundForeign(foreign, rests, resting);
    } else if (this.readiness.get(network.network).kind !== 'foreign' || resting.size === 0) {
      // While a network has no stored chain, neither of two chains with the same id is accepted.
      await this.checkWhole(network, rests);
      const isMismatched = this.readiness.get(network.network).kind === 'mismatched';
      mismatches.recordFaulty(isMismatched ? [network.network] : [], new Set());
    }
    return false;
  }

  private async checkWhole(
    network: NetworkConfiguration,
    rests: RecheckBackoff,
  ): Promise<WrongChain | undefined> {
    const { readiness, foreign } = await this.checkNetworkReadiness.check(network);
    this.foundForeign(foreign, rests);
    this.report(network.network, readiness);
    return readiness.kind === 'foreign' ? foreign[0] : undefined;
  }

  private foundForeign(
    foreign: readonly WrongChain[],
    rests: RecheckBackoff,
    resting: ReadonlySet<string> = new Set(),
  ): void {
    rests.recordFaulty(
      foreign.map(({ endpointName }) => endpointName),
      resting,
    );
    this.reportForeign(foreign);
  }

  private report(network: string, readiness: ChainReadiness): void {
    if (readiness.kind === 'ready') {
      this.log.writeOnce(network, 'ready', 'network.ready', { network });
    } else if (readiness.kind === 'mismatched') {
      const { problems } = readiness;
      this.log.writeOnce(network, problems.join(' '), 'network.mismatched', { network, problems });
    } else if (readiness.kind === 'unchecked') {
      const { reason } = readiness;
      this.log.writeOnce(network, reason, 'network.unchecked', { network, reason });
    }
  }

  private reportForeign(foreign: readonly WrongChain[]): void {
    for (const { network, endpointName: endpoint, message: reason } of foreign)
      this.log.writeOnce(`${network} ${endpoint}`, reason, 'rpc.wrong_chain', { network, endpoint, reason });
  }
}
