import { newId } from '#shared/kernel/ids.js';
import type { PaidOut, PaidTerms, PayoutGroup, RecordedPayout, StandingPayout } from './recorded-payouts.js';

export interface Regrouped {
  /** Ids of groups that were told of wrongly. */
  readonly removed: readonly string[];
  readonly added: readonly PayoutGroup[];
}

/**
 * The changes to the groups of some transactions. An event names all of a group, so a group that is wrong or incomplete
 * is removed, and its right payouts become part of a new one.
 * @param standing all that is recorded of the transactions of `refuted` and `found`
 * @param terms by address; payouts of an address without any are left out
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

/** Equal for the same log with the same content. */
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
