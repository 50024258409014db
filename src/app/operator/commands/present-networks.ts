import {
  type NetworkConfiguration,
  type NetworkRisk,
  risksOf,
} from '#contexts/networks/domain/network-configuration.js';
import type { NetworkView } from '#contexts/networks/application/show-networks.js';
import type {
  AuditResult,
  NetworkDues,
  NetworkReading,
} from '#contexts/payments/contract/reading-progress.js';

export interface NetworkFacts {
  readonly networks: readonly NetworkConfiguration[];
  readonly views: readonly NetworkView[];
  readonly readings: readonly NetworkReading[];
  readonly dues: readonly NetworkDues[];
  readonly audits: readonly AuditResult[];
  readonly now: Date;
}

/** The sentence stands there for as long as it is so, accepted or in development. */
const RISKS: Readonly<Record<NetworkRisk, string>> = {
  single_endpoint: 'single_endpoint: nobody contradicts the only endpoint, so whatever it tells is believed.',
  single_confirmation:
    'single_confirmation: a payment is final in its first block, which any reorganisation can take back.',
};

/** Entries are grouped by network name, so that the rendered lines of a network stay together. */
export function presentNetworks({ networks, views, readings, dues, audits, now }: NetworkFacts): object {
  return Object.fromEntries(
    networks.map((configuration) => {
      const { network } = configuration;
      const of = <T extends { network: string }>(list: readonly T[]) =>
        list.find((one) => one.network === network);
      const view = of(views);
      const reading = of(readings);
      const ages = agesOf(reading, now);
      const takesRequests = view?.readiness.kind === 'ready' && reading?.isWatched === true;
      const reasons = [...reasonsOfReadiness(view), ...reasonsOfReading(reading, ages)];
      return [
        network,
        {
          readiness: view?.readiness.kind ?? 'unchecked',
          takes_requests: takesRequests,
          why_not: takesRequests ? null : reasons.join(' '),
          risks:
            risksOf(configuration)
              .map((risk) => RISKS[risk])
              .join(' ') || null,
          read_to_block: reading?.headNumber ?? null,
          read_to_time: reading?.headTime.toISOString() ?? null,
          seconds_behind: ages.behind,
          final_block: reading?.finalNumber ?? null,
          final_time: reading?.finalTime?.toISOString() ?? null,
          disagreement: reading?.disagreement ?? null,
          disagrees_since: reading?.disagreesSince?.toISOString() ?? null,
          seconds_in_disagreement: ages.inDisagreement,
          open_requests: of(dues)?.openRequests ?? 0,
          held_addresses: of(dues)?.heldAddresses ?? 0,
          last_audit: lastAuditOf(audits.filter((one) => one.network === network)),
          endpoints: endpointsOf(view),
        },
      ];
    }),
  );
}

/** The one that ended last; of one that runs, only since when. Null before there is any. */
function lastAuditOf(audits: readonly AuditResult[]): object | null {
  const running = audits.find(({ endedAt }) => endedAt === null);
  const ended = audits.find(({ endedAt }) => endedAt !== null);
  if (running === undefined && ended === undefined) return null;
  return {
    ended_at: ended?.endedAt?.toISOString() ?? null,
    block: ended?.block ?? null,
    addresses: ended?.addresses ?? null,
    transfers: ended?.transfers ?? null,
    tokens: ended?.tokens ?? null,
    findings: ended?.findings ?? null,
    runs_since: running?.beganAt.toISOString() ?? null,
    findings_so_far: running?.findings ?? null,
  };
}

interface Ages {
  /** In seconds. */
  readonly behind: number | null;
  readonly inDisagreement: number | null;
}

function agesOf(reading: NetworkReading | undefined, now: Date): Ages {
  const age = (since: Date | null | undefined) =>
    since == null ? null : Math.round((now.getTime() - since.getTime()) / 1_000);
  return { behind: age(reading?.headTime), inDisagreement: age(reading?.disagreesSince) };
}

function reasonsOfReadiness(view: NetworkView | undefined): string[] {
  switch (view?.readiness.kind) {
    case 'ready':
      return [];
    case 'mismatched':
      return [...view.readiness.problems];
    default:
      return [view?.readiness.reason ?? 'It was not checked.'];
  }
}

/** Both ages with their limit; whether one exceeds it is decided where requests are refused. */
function reasonsOfReading(reading: NetworkReading | undefined, { behind, inDisagreement }: Ages): string[] {
  if (reading === undefined) return ['It was not read yet: is a worker running?'];
  if (reading.isWatched) return [];
  return [
    `It was read up to ${behind} seconds ago.`,
    ...(reading.disagreement === null
      ? []
      : [`Its endpoints disagree since ${inDisagreement} seconds: ${reading.disagreement}`]),
    `More than ${reading.maxLagSeconds} seconds are too many (max_lag_seconds).`,
  ];
}

/** Endpoints are numbered by their place in `rpc_urls`, from 1. */
function endpointsOf(view: NetworkView | undefined): object {
  return Object.fromEntries(
    (view?.endpoints ?? []).map(({ position, name, state, head, reason }) => [
      `${position + 1}`,
      { name, state, head: head?.number ?? null, head_time: head?.time.toISOString() ?? null, reason },
    ]),
  );
}
