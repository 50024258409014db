import type {
  NetworkWatchingState,
  WatchingState,
} from '#contexts/chain-watching/contract/watching-states.js';

/** A crashed worker is replaced within ten seconds. */
const WORKER_SILENT_AFTER_SECONDS = 20;

export interface NetworkHealth {
  readonly network: string;
  /**
   * `unread`: no worker has read the network yet. `unproven`: this process has not yet verified that an endpoint
   * serves the configured chain.
   */
  readonly state: 'ok' | 'unread' | 'lagging' | 'disagreeing' | 'unproven';
  readonly block: number | null;
  readonly seconds_behind: number | null;
  readonly max_lag_seconds: number | null;
}

export interface ReadinessAnswer {
  /** `degraded`: payment requests are accepted on all networks, but there are problems. */
  readonly status: 'ready' | 'degraded' | 'not_ready';
  readonly problems: readonly string[];
  readonly process: { readonly state: 'serving' | 'draining' };
  readonly database: { readonly state: 'ok' | 'unreachable' | 'stopped' };
  readonly worker: {
    readonly state: 'ok' | 'silent' | 'unknown';
    readonly seconds_since_turn: number | null;
  };
  readonly networks: readonly NetworkHealth[];
}

export interface ReadinessInputs {
  readonly isDraining: boolean;
  readonly hasPartitionAhead: boolean;
  readonly stopped: string | null;
  readonly watching: WatchingState | null;
  readonly networks: readonly { readonly network: string; readonly isProven: boolean }[];
}

export function evaluateReadiness({
  isDraining,
  stopped,
  hasPartitionAhead,
  watching,
  networks,
}: ReadinessInputs): ReadinessAnswer {
  const checks =
    watching === null
      ? []
      : networks.map(({ network, isProven }) =>
          networkHealthOf(
            network,
            watching.networks.find((each) => each.network === network),
            isProven,
          ),
        );
  const worker = workerHealthOf(watching);
  const hasNetwork = networks.length === 0 || checks.some(({ state }) => state === 'ok');
  const isReady = !isDraining && stopped === null && watching !== null && worker.state === 'ok' && hasNetwork;
  const problems = [
    ...(isDraining ? ['The process is stopping.'] : []),
    ...(stopped === null ? [] : [`The service has stopped writing: ${stopped}`]),
    ...(watching === null ? ['The database does not respond.'] : problemsOfWorker(worker)),
    ...checks.flatMap(problemsOfNetwork),
    ...(hasPartitionAhead
      ? []
      : [
          'The next partition of the event log does not exist. Run `operator partitions ready`. The service still accepts all requests.',
        ]),
  ];
  return {
    status: !isReady ? 'not_ready' : problems.length === 0 ? 'ready' : 'degraded',
    problems,
    process: { state: isDraining ? 'draining' : 'serving' },
    database: { state: watching === null ? 'unreachable' : stopped === null ? 'ok' : 'stopped' },
    worker,
    networks: checks,
  };
}

function networkHealthOf(
  network: string,
  state: NetworkWatchingState | undefined,
  isProven: boolean,
): NetworkHealth {
  const isBehind = (seconds: number | null) =>
    seconds !== null && seconds >= (state?.maxLagSeconds ?? Infinity);
  const kind = (): NetworkHealth['state'] => {
    if (state === undefined) return 'unread';
    if (!state.isWatched) return isBehind(state.secondsBehind) ? 'lagging' : 'disagreeing';
    return isProven ? 'ok' : 'unproven';
  };
  return {
    network,
    state: kind(),
    block: state?.headNumber ?? null,
    seconds_behind: roundSeconds(state?.secondsBehind),
    max_lag_seconds: state?.maxLagSeconds ?? null,
  };
}

function workerHealthOf(watching: WatchingState | null): ReadinessAnswer['worker'] {
  const seconds = roundSeconds(watching?.secondsSinceTurn);
  if (seconds === null) return { state: 'unknown', seconds_since_turn: null };
  return { state: seconds < WORKER_SILENT_AFTER_SECONDS ? 'ok' : 'silent', seconds_since_turn: seconds };
}

function problemsOfWorker({ state, seconds_since_turn: seconds }: ReadinessAnswer['worker']): string[] {
  if (state === 'ok') return [];
  if (seconds === null)
    return ['No worker has completed a cycle since this process started. Is a worker running?'];
  return [`No worker has completed a cycle for ${Math.floor(seconds)} seconds. Is a worker running?`];
}

function problemsOfNetwork({ network, state, ...check }: NetworkHealth): string[] {
  switch (state) {
    case 'ok':
      return [];
    case 'unread':
      return [`No worker has read the network ${network} yet.`];
    case 'lagging':
      return [
        `The network ${network} is ${check.seconds_behind} seconds behind; ` +
          `the limit is ${check.max_lag_seconds} seconds (max_lag_seconds).`,
      ];
    case 'disagreeing':
      return [
        `The endpoints of the network ${network} have disagreed for longer than max_lag_seconds allows.`,
      ];
    case 'unproven':
      return [
        `This process has not yet verified that an endpoint of the network ${network} serves the configured chain.`,
      ];
  }
}

function roundSeconds(seconds: number | null | undefined): number | null {
  return seconds == null ? null : Math.round(Math.max(0, seconds) * 10) / 10;
}
