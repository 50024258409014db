import { ChainTypes } from '#contexts/networks/application/chain-types.js';
import { type NetworkView, ShowNetworks } from '#contexts/networks/application/show-networks.js';
import {
  NetworkCatalogue,
  type GasSponsorshipLimits,
} from '#contexts/networks/contract/network-catalogue.js';
import { type NetworkRisk, findNetworkRisks } from '#contexts/networks/domain/network-configuration.js';
import { type ChainAuditResult, ChainAuditResults } from '#contexts/payments/contract/chain-audit-results.js';
import { NetworkRemovalBlockersQuery } from '#contexts/payments/contract/network-removal-blockers.js';
import {
  type NetworkReadProgress,
  NetworkReadProgressQuery,
} from '#contexts/chain-watching/contract/reading-progress.js';
import {
  SponsoringStatisticsQuery,
  type SponsoringStatistics,
} from '#contexts/payments/infrastructure/authorizations/persistence/sponsoring-statistics.js';
import { MerchantWalletAddresses } from '#contexts/payments/infrastructure/requests/persistence/views/merchant-wallet-addresses.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { Clock } from '#shared/kernel/clock.js';
import type { ServiceCommand } from '../command.js';

const NATIVE_DECIMALS = 18;

/** Displayed while a risk exists, even if the configuration accepts it. */
const RISK_TEXTS: Readonly<Record<NetworkRisk, string>> = {
  single_endpoint: 'single_endpoint: no second endpoint confirms the data of the only one.',
  plain_endpoint:
    'plain_endpoint: the connection is not encrypted, so others can read the password and change responses.',
  single_confirmation:
    'single_confirmation: a payment is final in its first block, which any reorganization can reverse.',
};

export const networkStatusCommand: ServiceCommand = {
  words: 'network status',
  about: 'Show the endpoints of each network, the last block read, and whether new requests are accepted.',
  example: '--json',
  async run(context) {
    const { networks } = context.get(ChainTypes);
    const views = await context.get(ShowNetworks).show(networks);
    const [readings, dues, audits, figures] = await Promise.all([
      context.get(NetworkReadProgressQuery).networkProgress(),
      context.get(NetworkRemovalBlockersQuery).readByNetwork(),
      context.get(ChainAuditResults).latest(),
      context.get(SponsoringStatisticsQuery).readByNetwork(),
    ]);
    const past = networks.some(({ deliversDirectly }) => deliversDirectly)
      ? await context.get(MerchantWalletAddresses).countWalletsPastGapLimit()
      : new Map<string, number>();
    const now = await context.get(Clock).now();
    const entries = networks.map((configuration) => {
      const { network } = configuration;
      const isOfNetwork = (one: { network: string }) => one.network === network;
      const view = views.find(isOfNetwork);
      const due = dues.find(isOfNetwork);
      const taken = new Set([...findNetworkRisks(configuration), ...configuration.acceptedRisks]);
      const risks = [...taken].map((risk) => RISK_TEXTS[risk]);
      const status = {
        ...networkStateOf(view, readings.find(isOfNetwork), risks, now),
        open_requests: due?.openRequests ?? 0,
        held_addresses: due?.heldAddresses ?? 0,
        wallets_with_unused_addresses: configuration.deliversDirectly ? (past.get(network) ?? 0) : null,
        sponsored_payments: sponsoringOf(
          context.get(NetworkCatalogue).network(network)?.sponsoring,
          figures.find(isOfNetwork),
        ),
        last_audit: describeAudits(audits.filter(isOfNetwork)),
        endpoints: describeEndpoints(view),
      };
      return [network, status];
    });
    return { data: Object.fromEntries(entries) as object };
  },
};

function networkStateOf(
  view: NetworkView | undefined,
  reading: NetworkReadProgress | undefined,
  risks: readonly string[],
  now: Date,
) {
  const ages = readingAgesOf(reading, now);
  const takesRequests = view?.readiness.kind === 'ready' && reading?.isWatched === true;
  const reasons = [...reasonsOfReadiness(view), ...reasonsOfReading(reading, ages)];
  return {
    readiness: view?.readiness.kind ?? 'unchecked',
    takes_requests: takesRequests,
    why_not: takesRequests ? null : reasons.join(' '),
    risks: risks.join(' ') || null,
    read_to_block: reading?.headNumber ?? null,
    read_to_time: reading?.headTime ?? null,
    seconds_behind: ages.behind,
    final_block: reading?.finalNumber ?? null,
    finalized_block: reading?.finalizedNumber ?? null,
    final_time: reading?.finalTime ?? null,
    disagreement: reading?.disagreement ?? null,
    disagrees_since: reading?.disagreesSince ?? null,
    seconds_in_disagreement: ages.inDisagreement,
    // Null if the worker follows no transfers in the mempool.
    seconds_since_mempools_read: ages.sincePending,
  };
}

/** Last 24 hours, costs in whole coins. Null if sponsoring is off and none is pending. */
function sponsoringOf(
  limits: GasSponsorshipLimits | undefined,
  figure: SponsoringStatistics | undefined,
): object | null {
  if (limits === undefined && !figure?.queued && !figure?.sent) return null;
  const coins = (wei: bigint | undefined) => (wei === undefined ? null : formatAmount(wei, NATIVE_DECIMALS));
  return {
    cost_in_24_hours: coins(figure?.cost ?? 0n),
    at_most_in_24_hours: coins(limits?.perDay),
    stored: figure?.stored ?? 0,
    failed: figure?.failed ?? 0,
    queued: figure?.queued ?? 0,
    sent: figure?.sent ?? 0,
    held: figure?.held ?? null,
  };
}

function describeAudits(audits: readonly ChainAuditResult[]): object | null {
  const running = audits.find(({ endedAt }) => endedAt === null);
  const ended = audits.find(({ endedAt }) => endedAt !== null);
  if (running === undefined && ended === undefined) return null;
  return {
    ended_at: ended?.endedAt ?? null,
    block: ended?.block ?? null,
    addresses: ended?.addresses ?? null,
    transfers: ended?.transfers ?? null,
    tokens: ended?.tokens ?? null,
    findings: ended?.findings ?? null,
    runs_since: running?.beganAt ?? null,
    findings_so_far: running?.findings ?? null,
  };
}

interface ReadingAges {
  /** Age in seconds of the newest block that a worker has read. */
  readonly behind: number | null;
  readonly inDisagreement: number | null;
  readonly sincePending: number | null;
}

function readingAgesOf(reading: NetworkReadProgress | undefined, now: Date): ReadingAges {
  const age = (since: Date | null | undefined) =>
    since == null ? null : Math.round((now.getTime() - since.getTime()) / 1_000);
  return {
    behind: age(reading?.headTime),
    inDisagreement: age(reading?.disagreesSince),
    sincePending: age(reading?.pendingReadAt),
  };
}

function reasonsOfReadiness(view: NetworkView | undefined): string[] {
  switch (view?.readiness.kind) {
    case 'ready':
      return [];
    case 'mismatched':
      return [...view.readiness.problems];
    default:
      return [view?.readiness.reason ?? 'The network has not been checked.'];
  }
}

/** Reasons why the network rejects payment requests, decided by the same code that rejects them. */
function reasonsOfReading(
  reading: NetworkReadProgress | undefined,
  { behind, inDisagreement }: ReadingAges,
): string[] {
  if (reading === undefined) return ['No worker has read the network yet. Is a worker running?'];
  if (reading.isWatched) return [];
  return [
    `The last block read is ${behind} seconds old.`,
    ...(reading.disagreement === null
      ? []
      : [`The endpoints have disagreed for ${inDisagreement} seconds: ${reading.disagreement}`]),
    `The limit is ${reading.maxLagSeconds} seconds (max_lag_seconds).`,
  ];
}

function describeEndpoints(view: NetworkView | undefined): object {
  return Object.fromEntries(
    (view?.endpoints ?? []).map(({ position, name, state, head, reason }) => [
      `${position + 1}`,
      { name, state, head: head?.number ?? null, head_time: head?.time ?? null, reason },
    ]),
  );
}
