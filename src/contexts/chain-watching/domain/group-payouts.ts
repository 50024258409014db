import { newId } from '#shared/kernel/ids.js';
import type { PaidOut, PaidTerms, PayoutGroup, RecordedPayout, StandingPayout } from './recorded-payouts.js';

export interface Regrouped {
  /** Ids of groups that were reported wrongly. */
  readonly removed: readonly string[];
  readonly added: readonly PayoutGroup[];
}

/**
 * Computes the changes to the payout groups of some transactions. An event names every payout of its group, so a wrong or
 * incomplete group is removed, and its correct payouts become part of a new group.
 * @param standing all recorded payouts of the transactions in `refuted` and `found`
 * @param terms by address; payouts of addresses without terms are ignored
 */
export function regrouped(
  standing: readonly StandingPayout[],
  refuted: readonly RecordedPayout[],
  found: readonly RecordedPayout[],
  terms: ReadonlyMap<string, PaidTerms>,
): Regrouped {
  const wrong = new Set(refuted.map(placeOf));
  const known = new Set(standing.map(placeOf));
  const missing = found.filter((payout) => !known.has(placeOf(payout)));
  const different = [...standing.filter((payout) => wrong.has(placeOf(payout))), ...missing];
  const changed = new Set(different.map((payout) => keyOf(payout, terms)));
  const isChanged = (payout: RecordedPayout) => changed.has(keyOf(payout, terms));
  const kept = standing.filter((payout) => isChanged(payout) && !wrong.has(placeOf(payout)));
  return {
    removed: [...new Set(standing.filter(isChanged).map(({ groupId }) => groupId))],
    added: grouped([...kept, ...missing], terms),
  };
}

function grouped(payouts: readonly RecordedPayout[], terms: ReadonlyMap<string, PaidTerms>): PayoutGroup[] {
  const groups = new Map<string, PayoutGroup & { readonly payouts: PaidOut[] }>();
  for (const payout of [...payouts].sort((a, b) => a.logIndex - b.logIndex)) {
    const paid = terms.get(payout.address);
    if (paid === undefined) continue;
    const { organizationId, accountId } = paid;
    const key = keyOf(payout, terms);
    const group = groups.get(key) ?? { id: newId(), organizationId, accountId, payouts: [] };
    group.payouts.push({ ...payout, terms: paid });
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Identifies a log together with its content. */
export function placeOf({
  transactionHash,
  logIndex,
  blockHash,
  from,
  address,
  ...paid
}: RecordedPayout): string {
  const { uniqueAssetId, toSettlement, toFee } = paid;
  return [transactionHash, logIndex, blockHash, from, address, uniqueAssetId, toSettlement, toFee].join(' ');
}

function keyOf(
  { transactionHash, blockHash, from, address }: RecordedPayout,
  terms: ReadonlyMap<string, PaidTerms>,
): string {
  return [transactionHash, blockHash, from, terms.get(address)?.accountId].join(' ');
}
