import type { Heard } from '../exchange/heard.js';
import { decimal, units, textOf, type Json, lower } from '../known/values.js';
import type { Known } from '../known/known.js';
import type { Refund } from '../refunds/refund.js';
import { takeFloatWithdraw } from './deposits.js';

const FOLLOWING = ['pending', 'processing', 'completed', 'failed'];

export function takeWithdraw(record: Json, _heard: Heard, known: Known): void {
  const { books } = known;
  const id = textOf(record.id);
  const about = `transaction ${id}`;
  known.expect(FOLLOWING.includes(textOf(record.status)), 'the status of a withdraw', about, [
    FOLLOWING,
    record.status,
  ]);
  if (record.status === 'failed') judgeFailed(record, about, known);
  known.equal('a withdraw goes to a settlement address', about, ['settlement_address', record.to_type]);
  const organizationId = books.booked.get(id)!.organizationId;
  const named = (known.terms.get(organizationId) ?? []).map((terms) => terms.settlementAddress.toLowerCase());
  const is = named.includes(lower(record.to));
  known.expect(is, 'a withdraw pays to an address of the terms', about, [named, record.to]);
  if (record.from_type === 'wallet') return takeFloatWithdraw(record, known);
  if (record.status !== 'completed') return;
  const hash = lower(record.transaction_hash);
  const all = books.withdraws.get(hash) ?? new Map<string, Json>();
  if (all.has(id)) return;
  books.withdraws.set(hash, all.set(id, record));
  judgeDelivered(record, [...all.values()], about, known);
}

/** A withdraw fails after it was completed only where the chain left its final block: it is no delivery any more. */
function judgeFailed({ id, unique_asset_id: assetId }: Json, about: string, known: Known): void {
  const chain = known.asset(assetId)?.chain;
  if (chain === undefined) return;
  for (const [hash, all] of known.books.withdraws) {
    if (!all.delete(textOf(id))) continue;
    const isGone = chain.settledIn(hash).some(({ block }) => chain.isReversed(block));
    known.expect(isGone, 'a completed withdraw stays so', about, ['completed', 'failed']);
  }
}

/** Withdraws of one transaction are no more than its forwarders paid out. */
function judgeDelivered(record: Json, all: readonly Json[], about: string, known: Known): void {
  const asset = known.asset(record.unique_asset_id);
  const amount = asset === undefined ? null : units(record.gross_amount, asset.fact.decimals);
  if (asset === undefined || amount === null) return;
  const hash = lower(record.transaction_hash);
  const paid = asset.chain.settledIn(hash).filter(({ fact }) => fact.token === asset.token);
  const block = paid.find((each) => asset.chain.firstFinal(each.block) !== undefined)?.block;
  const whole = paid
    .filter((each) => each.block === block)
    .reduce((sum, { fact }) => sum + BigInt(fact.toSettlement) + BigInt(fact.toFee), 0n);
  const sum = all
    .filter((other) => known.asset(other.unique_asset_id) === asset)
    .reduce((total, other) => total + (units(other.gross_amount, asset.fact.decimals) ?? 0n), 0n);
  const { decimals } = asset.fact;
  known.expect(sum <= whole, 'withdraws are what forwarders paid in a final block', about, [
    decimal(whole, decimals),
    decimal(sum, decimals),
  ]);
}

/** A refund follows its record's status: one for each. */
export function takeRefund(record: Json, _heard: Heard, known: Known): void {
  const { books } = known;
  const id = textOf(record.id);
  const about = `transaction ${id}`;
  known.expect(FOLLOWING.includes(textOf(record.status)), 'the status of a refund', about, [
    FOLLOWING,
    record.status,
  ]);
  const requestId = textOf(record.payment_request_id);
  const booked = books.refunds.get(requestId) ?? new Map<string, Json>();
  books.refunds.set(requestId, booked.set(id, record));
  const asset = known.asset(record.unique_asset_id);
  const refunds = known.refunds.of(requestId);
  const isHidden = known.unanswered.some(({ kind, parent }) => kind === 'refund' && parent === requestId);
  if (asset === undefined || isHidden) return;
  const amount = units(record.gross_amount, asset.fact.decimals);
  const fitting = refunds.filter((refund) => refund.asset === asset && (refund.amount ?? amount) === amount);
  const sums = refunds.map((refund) => refund.amount);
  known.expect(fitting.length > 0, 'a refund in the ledger is one that was made', about, [
    sums,
    record.gross_amount,
  ]);
}

export function judgeRefundRecords(known: Known): void {
  for (const [requestId, records] of known.books.refunds) {
    const refunds = known.refunds.of(requestId);
    if (known.unanswered.some(({ kind, parent }) => kind === 'refund' && parent === requestId)) continue;
    for (const [id, record] of records) {
      const asset = known.asset(record.unique_asset_id);
      const to = lower(record.to);
      const isMade = refunds.some(
        (refund) => refund.asset === asset && refund.address === to && mayStand(refund, known),
      );
      known.expect(
        asset === undefined || isMade,
        'a refund in the ledger is one that was approved',
        `transaction ${id}`,
        [refunds.map(({ address }) => address), record.to],
      );
    }
  }
}

function mayStand({ id, isDirect, accountId }: Refund, { refunds }: Known): boolean {
  return (
    isDirect ||
    refunds.approved.has(id) ||
    refunds.limits.some((limit) => limit.isAutomatic && limit.accountId === accountId)
  );
}

export function missingRefund(refund: Refund, known: Known): void {
  const { asset, amount } = refund;
  if (refund.shown.latest() !== 'completed' || asset === undefined || amount === null) return;
  const records = [...(known.books.refunds.get(refund.requestId)?.values() ?? [])];
  const booked = records.some(
    ({ status, gross_amount: gross }) =>
      status === 'completed' && units(gross, asset.fact.decimals) === amount,
  );
  known.expect(booked, 'each completed refund is in the ledger', refund.about, [
    'a refund, completed',
    'none at rest',
  ]);
}
