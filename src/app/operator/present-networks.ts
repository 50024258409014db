import type { NetworkToCheck } from '../../contexts/networks/application/check-network.js';
import type { NetworkView } from '../../contexts/networks/application/show-networks.js';
import type { NetworkDues, NetworkReading } from '../../contexts/payments/contract/reading-progress.js';

export interface NetworkFacts {
  readonly networks: readonly NetworkToCheck[];
  readonly views: readonly NetworkView[];
  readonly readings: readonly NetworkReading[];
  readonly dues: readonly NetworkDues[];
  readonly now: Date;
}

/** By network name: read as lines, each network's stand together. */
export function presentNetworks({ networks, views, readings, dues, now }: NetworkFacts): object {
  return Object.fromEntries(
    networks.map(({ configuration }) => {
      const { network, maxLagSeconds } = configuration;
      const of = <T extends { network: string }>(list: readonly T[]) =>
        list.find((one) => one.network === network);
      const view = of(views);
      const reading = of(readings);
      const behind = reading && Math.round((now.getTime() - reading.headTime.getTime()) / 1_000);
      const reasons = [
        ...reasonsOfStanding(view),
        ...(reading === undefined ? ['It was not read yet: is a worker running?'] : []),
        ...(behind !== undefined && behind > maxLagSeconds
          ? [
              `It was read up to ${behind} seconds ago; more than ${maxLagSeconds} are too many (max_lag_seconds).`,
            ]
          : []),
        ...(reading?.disagreement == null ? [] : [reading.disagreement]),
      ];
      return [
        network,
        {
          standing: view?.standing.kind ?? 'unchecked',
          takes_requests: reasons.length === 0,
          why_not: reasons.length === 0 ? null : reasons.join(' '),
          read_to_block: reading?.headNumber ?? null,
          read_to_time: reading?.headTime.toISOString() ?? null,
          seconds_behind: behind ?? null,
          final_block: reading?.finalNumber ?? null,
          final_time: reading?.finalTime?.toISOString() ?? null,
          disagreement: reading?.disagreement ?? null,
          disagrees_since: reading?.disagreesSince?.toISOString() ?? null,
          open_requests: of(dues)?.openRequests ?? 0,
          held_addresses: of(dues)?.heldAddresses ?? 0,
          endpoints: endpointsOf(view),
        },
      ];
    }),
  );
}

function reasonsOfStanding(view: NetworkView | undefined): string[] {
  switch (view?.standing.kind) {
    case 'ready':
      return [];
    case 'disagrees':
      return [...view.standing.problems];
    default:
      return [view?.standing.reason ?? 'It was not checked.'];
  }
}

/** By their place in `rpc_urls`, from 1. */
function endpointsOf(view: NetworkView | undefined): object {
  return Object.fromEntries(
    (view?.endpoints ?? []).map(({ position, name, state, head, reason }) => [
      `${position + 1}`,
      { name, state, head: head?.number ?? null, head_time: head?.time.toISOString() ?? null, reason },
    ]),
  );
}
