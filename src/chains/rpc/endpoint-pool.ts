import { ChainUnavailable, BlockStateUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { type CallPurpose, withCallPurpose } from './call-purpose.js';
import { EndpointHealth } from './endpoint-health.js';
import { HeadPollSchedule } from './head-poll-schedule.js';
import { JsonRpc } from './json-rpc.js';
import type { RpcCall } from './rpc-envelope.js';
import type { ConnectionSettings } from './rpc-transport.js';
import {
  bestEndpoint,
  highestEndpoint,
  type AdmittedEndpoint,
  admittedOf,
  isRetryDue,
  isLaggingButAdvancing,
  isHealthy,
  noSecondEndpointError,
  noEndpointError,
  type EndpointWithHealth,
} from './ranked-endpoints.js';
import { EndpointFailure } from './rpc-failures.js';

const BACK_OFF_MS = [500, 15_000] as const;
const HEADS_EVERY_MS = 5_000;
const HEADS_EVERY_MS_IF_SPARING = 20_000;

export interface ChainTypeEndpointSettings extends ConnectionSettings {
  readonly family: string;
  readonly newest: RpcCall<{ readonly number: number }>;
  /**
   * How long a node's head may stay the same while the node still counts as following its chain. Default: one minute.
   */
  readonly standsStillAfterMs?: number;
}

interface EndpointChoice {
  /** Null if every cycle requests the head. */
  readonly pace: HeadPollSchedule | null;
  readonly newest: ChainTypeEndpointSettings['newest'];
  readonly endpoints: readonly EndpointWithHealth[];
  reading: EndpointWithHealth | null;
  secondEndpoint: EndpointWithHealth | null;
  /** Null if no second endpoint could be chosen. */
  independent: boolean | null;
  headsAskedAt: number;
}

/**
 * If a network has several endpoints, each must pass `admit` before it is used, because it might serve another chain.
 */
export class EndpointPool {
  private readonly choices: ReadonlyMap<string, EndpointChoice>;
  private readonly headsEveryMs: number;

  constructor(
    { networks, patience }: NetworksSettings,
    private readonly rpc: JsonRpc,
    chainTypes: readonly ChainTypeEndpointSettings[],
  ) {
    this.headsEveryMs =
      patience.headsEveryMs ?? (patience.headPerBlock ? HEADS_EVERY_MS_IF_SPARING : HEADS_EVERY_MS);
    const backOffMs = patience.backOffMs ?? BACK_OFF_MS;
    const now = performance.now();
    this.choices = new Map(
      networks.flatMap(({ network, family, blockSeconds }) => {
        const shared = chainTypes.find((each) => each.family === family);
        if (shared === undefined) return [];
        const { newest, standsStillAfterMs } = shared;
        const pace = patience.headPerBlock ? new HeadPollSchedule(blockSeconds * 1_000) : null;
        const endpoints = rpc.endpoints(network);
        const ranked = endpoints.map((endpoint) => ({
          endpoint,
          health: new EndpointHealth(endpoints.length === 1, backOffMs, Math.random, now, standsStillAfterMs),
        }));
        const unused = { reading: null, secondEndpoint: null, independent: null };
        return [[network, { pace, newest, endpoints: ranked, ...unused, headsAskedAt: -Infinity }]];
      }),
    );
  }

  admit(endpoint: Endpoint): void {
    this.ranked(endpoint).health.recordVerification(null);
  }

  exclude(endpoint: Endpoint, reason: string): void {
    this.ranked(endpoint).health.recordVerification(reason);
    const choice = this.choice(endpoint.network);
    if (choice.reading?.endpoint === endpoint) choice.reading = null;
  }

  /**
   * Chooses the endpoint to read from in an iteration: the one of the previous iteration, unless it failed or lags.
   */
  chooseReadingEndpoint(network: string): Endpoint {
    const choice = this.choice(network);
    if (choice.reading === null || !isHealthy(choice.reading))
      choice.reading = bestEndpoint(network, choice.endpoints);
    this.askHeads(choice);
    return choice.reading.endpoint;
  }

  headPollSchedule(network: string): HeadPollSchedule | null {
    return this.choice(network).pace;
  }

  /** If the endpoint has failed, returns another one. */
  currentReadingEndpoint(network: string): Endpoint {
    return this.choice(network).reading?.endpoint ?? this.chooseReadingEndpoint(network);
  }

  /** Returns every endpoint that serves the network's chain, healthy or not, in configuration order. */
  admittedEndpoints(network: string): AdmittedEndpoint[] {
    return admittedOf(this.choice(network).endpoints);
  }

  isVerifyingEndpoints(network: string): boolean {
    const now = performance.now();
    return this.choice(network).endpoints.some(
      ({ health }) => health.state === 'unproven' && !health.isUnavailableForLong(now),
    );
  }

  hasSingleEndpoint(network: string): boolean {
    return this.choice(network).endpoints.length === 1;
  }

  /**
   * @throws ChainUnavailable during a short outage, because the other endpoint's answers must not pass without a
   * cross-check
   */
  secondEndpoint(network: string): Endpoint {
    const choice = this.choice(network);
    this.chooseSecondEndpoint(choice);
    return (choice.secondEndpoint ?? this.ranked(this.currentReadingEndpoint(network))).endpoint;
  }

  /** @returns true if the second endpoint differs from the endpoint read from */
  hasSecondEndpoint(network: string): boolean {
    const choice = this.choice(network);
    this.chooseSecondEndpoint(choice);
    return choice.secondEndpoint !== null;
  }

  /** Never falls back to the endpoint that is read from once the second endpoint was independent. */
  currentSecondEndpoint(network: string): Endpoint {
    const choice = this.choice(network);
    if (choice.independent === null) this.chooseSecondEndpoint(choice);
    if (!choice.independent) return this.currentReadingEndpoint(network);
    const { secondEndpoint, reading } = choice;
    if (secondEndpoint === null || secondEndpoint === reading || secondEndpoint.health.state === 'foreign') {
      throw new ChainUnavailable(network, 'no second endpoint is healthy at the moment.');
    }
    if (!secondEndpoint.health.isCallAllowed(performance.now()))
      throw noEndpointError(network, [secondEndpoint]);
    return secondEndpoint.endpoint;
  }

  async asking<T>(
    endpoint: Endpoint,
    work: (endpoint: Endpoint) => Promise<T>,
    purpose: CallPurpose = 'check',
  ): Promise<T> {
    const { health } = this.ranked(endpoint);
    try {
      const result = await withCallPurpose(purpose, () => work(endpoint));
      health.recordAnswer(performance.now());
      return result;
    } catch (error) {
      if (error instanceof EndpointFailure) this.recordFailure(endpoint, error);
      else if (error instanceof BlockStateUnavailable) health.recordAnswer(performance.now());
      throw error;
    }
  }

  recordContentsServed(endpoint: Endpoint): void {
    this.ranked(endpoint).health.recordContentsServed(performance.now());
  }

  recordFailure(endpoint: Endpoint, failure: EndpointFailure): void {
    this.ranked(endpoint).health.recordFailure(performance.now(), failure);
    const choice = this.choice(endpoint.network);
    if (choice.reading?.endpoint === endpoint) choice.reading = null;
  }

  recordHead(endpoint: Endpoint, head: number): void {
    const others = this.choice(endpoint.network).endpoints.filter(
      (other) => other.endpoint !== endpoint && ['well', 'lagging'].includes(other.health.state),
    );
    const best = Math.max(-1, ...others.map(({ health }) => health.head ?? -1));
    this.ranked(endpoint).health.recordHead(performance.now(), head, best);
  }

  usageState(endpoint: Endpoint): { readonly isUsed: boolean; readonly changedAt: Date } {
    const { isUsed, changedAt } = this.ranked(endpoint).health;
    return { isUsed, changedAt };
  }

  snapshot() {
    return [...this.choices.values()].flatMap(({ endpoints, reading, secondEndpoint }) =>
      endpoints.map((each) => ({
        ...each.endpoint,
        state: each.health.state,
        use: each === reading ? ('reading' as const) : each === secondEndpoint ? ('second' as const) : null,
        head: each.health.head,
        reason: each.health.reason,
        since: each.health.since,
      })),
    );
  }

  /**
   * If the reader follows a longer fork, the endpoints of the true chain appear to lag, and the fork would become
   * final without their contradiction.
   */
  private chooseSecondEndpoint(choice: EndpointChoice): void {
    this.askHeads(choice);
    const { reading, secondEndpoint, endpoints } = choice;
    const now = performance.now();
    if (secondEndpoint === null || secondEndpoint === reading || !isHealthy(secondEndpoint)) {
      const others = endpoints.filter((each) => each !== reading);
      // An endpoint whose pause is over must be called, or it would stay excluded until the next head check.
      const ranks = [
        others.filter(isHealthy),
        others.filter(isLaggingButAdvancing),
        others.filter(isRetryDue),
      ];
      const serving = ranks.find((rank) => rank.length > 0) ?? [];
      // Before an endpoint to read from is chosen, at least one endpoint must remain available for that.
      choice.secondEndpoint =
        reading === null && serving.length < 2 ? null : (highestEndpoint(serving) ?? null);
      const isMissed = endpoints.length > 1 && others.some(({ health }) => !health.isUnavailableForLong(now));
      if (choice.secondEndpoint === null && isMissed) {
        choice.independent = null;
        throw noSecondEndpointError(others);
      }
    }
    choice.independent = choice.secondEndpoint !== null;
  }

  private askHeads(choice: EndpointChoice): void {
    const now = performance.now();
    if (choice.endpoints.length < 2 || now - choice.headsAskedAt < this.headsEveryMs) return;
    choice.headsAskedAt = now;
    for (const { endpoint, health } of choice.endpoints) {
      if (endpoint === choice.reading?.endpoint || !health.isCallAllowed(now)) continue;
      // A confirmation read has just returned it.
      if (now - health.headSeenAt < this.headsEveryMs / 2) continue;
      this.asking(endpoint, async () => {
        const head = await this.rpc.callOnce(endpoint, choice.newest);
        this.recordHead(endpoint, head.number);
      }).catch(() => undefined);
    }
  }

  private choice(network: string): EndpointChoice {
    const choice = this.choices.get(network);
    if (choice === undefined) throw new ChainUnavailable(network, 'it is not configured.');
    return choice;
  }

  private ranked(endpoint: Endpoint): EndpointWithHealth {
    const found = this.choice(endpoint.network).endpoints[endpoint.position];
    if (found?.endpoint !== endpoint)
      throw new Error('An endpoint comes from `JsonRpc`, and from nowhere else.');
    return found;
  }
}
