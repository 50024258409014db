import { newId } from '#shared/kernel/ids.js';
import type { CanonicalPayout, PayoutTerms, PayoutGroup, RecordedPayout } from './recorded-payouts.js';

export interface PayoutGroupChanges {
  /** Ids of groups that a previous event reported wrongly. */
  readonly removed: readonly string[];
  readonly added: readonly PayoutGroup[];
}

/** An event contains its complete group: a wrong group is removed, and its correct payouts become part of a new group. */
export function computeGroupChanges(
  recorded: readonly CanonicalPayout[],
  refuted: readonly RecordedPayout[],
  found: readonly RecordedPayout[],
  terms: ReadonlyMap<string, PayoutTerms>,
): PayoutGroupChanges {
  const refutedKeys = new Set(refuted.map(payoutContentKey));
  const recordedKeys = new Set(recorded.map(payoutContentKey));
  const missing = found.filter((payout) => !recordedKeys.has(payoutContentKey(payout)));
  const wrong = recorded.filter((payout) => refutedKeys.has(payoutContentKey(payout)));
  const changedGroups = new Set([...wrong, ...missing].map((payout) => groupKey(payout, terms)));
  const changed = recorded.filter((payout) => changedGroups.has(groupKey(payout, terms)));
  const correct = changed.filter((payout) => !refutedKeys.has(payoutContentKey(payout)));
  return {
    removed: [...new Set(changed.map(({ groupId }) => groupId))],
    added: groupPayouts([...correct, ...missing], terms),
  };
}

function groupPayouts(
  payouts: readonly RecordedPayout[],
  terms: ReadonlyMap<string, PayoutTerms>,
): PayoutGroup[] {
  const paid = payouts.flatMap((payout) => {
    const ofAddress = terms.get(payout.address);
    return ofAddress === undefined ? [] : { ...payout, terms: ofAddress };
  });
  const inOrder = paid.sort((a, b) => a.logIndex - b.logIndex);
  const groups = Map.groupBy(inOrder, (payout) => groupKey(payout, terms));
  return [...groups.values()].map((group) => {
    const { organizationId, accountId } = group[0]!.terms;
    return { id: newId(), organizationId, accountId, payouts: group };
  });
}

/** Key of a payout: identifies its log together with the content of the log. */
export function payoutContentKey(payout: RecordedPayout): string {
  const { transactionHash, logIndex, blockHash, from, address, uniqueAssetId, toSettlement, toFee } = payout;
  return [transactionHash, logIndex, blockHash, from, address, uniqueAssetId, toSettlement, toFee].join(' ');
}

function groupKey(
  { transactionHash, blockHash, from, address }: RecordedPayout,
  terms: ReadonlyMap<string, PayoutTerms>,
): string {
  return [transactionHash, blockHash, from, terms.get(address)?.accountId].join(' ');
}
