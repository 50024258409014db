import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { PendingTransfers } from '#contexts/networks/contract/pending-transfers.js';
import {
  isPending,
  type FirstSight,
  type IncomingTransfer,
  type RecordedTransfer,
  type SightTimes,
  type Transfer,
} from '../../contract/incoming-transfer.js';
import type { RequestTerms, SeenTransfer } from '../../contract/seen-transfers.js';

export type Sighted<T extends Transfer = IncomingTransfer> = T & { readonly sight: FirstSight };

/** The part of a transfer that decides which pending transfers it can replace. */
export type Replacing = Pick<Transfer, 'network' | 'transactionHash' | 'uniqueAssetId' | 'amount'> & {
  readonly sight: Pick<FirstSight, 'evidence'>;
};

/** The transfers of one transaction to one request. */
export interface PendingPayment {
  readonly request: PaymentRequestId;
  readonly outputs: readonly Sighted[];
  /** Absent if the request no longer exists. */
  readonly terms: RequestTerms | undefined;
  /** How long the payment may stay pending. */
  readonly graceSeconds: number;
}

/**
 * The times of a transfer that was first seen at `seenAt`. The grace period begins at the deadline if the transfer was seen earlier.
 * @param terms absent if the request no longer exists
 */
export function sightFrom(seenAt: Date, terms: RequestTerms | undefined, graceSeconds: number): SightTimes {
  const from = terms !== undefined && terms.expiresAt > seenAt ? terms.expiresAt : seenAt;
  return { seenAt, lapsesAt: new Date(from.getTime() + graceSeconds * 1_000) };
}

/**
 * Pending transfers that conflict with a transaction: no chain can contain both.
 * @param outputs of that transaction, to one request
 * @param known transfers of that request
 */
export function replacedBy(
  outputs: readonly Replacing[],
  known: readonly RecordedTransfer[],
  pending: Pick<PendingTransfers, 'conflict'>,
): Sighted<RecordedTransfer>[] {
  const [{ transactionHash, sight }] = outputs as [Replacing];
  return known.filter(
    (transfer): transfer is Sighted<RecordedTransfer> =>
      isPending(transfer) &&
      transfer.transactionHash !== transactionHash &&
      transfer.sight !== undefined &&
      pending.conflict(sight.evidence, transfer.sight.evidence),
  );
}

/**
 * The first sight that a replacement transaction inherits: a payer who only raises the fee does not pay later. A transaction that
 * pays more than the replaced one is a new payment, so that a small early payment cannot reserve the price for a large one.
 */
export function inheritedSight(
  outputs: readonly Replacing[],
  replaced: readonly Sighted<RecordedTransfer>[],
): SightTimes | undefined {
  const sums = Map.groupBy(outputs, ({ uniqueAssetId }) => uniqueAssetId);
  const isNoMore = [...sums].every(
    ([asset, paid]) => sumOf(paid) <= sumOf(replaced.filter(({ uniqueAssetId }) => uniqueAssetId === asset)),
  );
  if (!isNoMore) return undefined;
  const latest = replaced.reduce((last, each) => (each.sight.seenAt > last.sight.seenAt ? each : last));
  return { seenAt: latest.sight.seenAt, lapsesAt: latest.sight.lapsesAt };
}

/**
 * True if the fee was too low when this transfer was recorded and is high enough now, before the transfer lapses. The transfer then
 * gets the full time, as if the fee had been high enough from the start.
 */
export function isExtendedBy(payment: PendingPayment, transfer: IncomingTransfer, headTime: Date): boolean {
  const { sight } = transfer;
  if (!isPending(transfer) || sight === undefined || sight.lapsesAt < headTime) return false;
  return timesFrom(sight.seenAt, payment).lapsesAt > sight.lapsesAt;
}

/**
 * The first sight with which a payment is recorded: its own if it was seen before, otherwise that of the transfers that it replaces.
 * A replacement that raises the fee enough may wait as long as if it had been sent first.
 */
export function sightOf(
  payment: PendingPayment,
  ofTransaction: readonly SeenTransfer[],
  isExtended: boolean,
  replaced: readonly Sighted<RecordedTransfer>[],
): SightTimes {
  const seenBefore = ofTransaction.findLast(({ transfer }) => transfer.sight !== undefined)?.transfer.sight;
  if (seenBefore !== undefined) return isExtended ? timesFrom(seenBefore.seenAt, payment) : seenBefore;
  const inherited = replaced.length === 0 ? undefined : inheritedSight(payment.outputs, replaced);
  if (inherited === undefined) return payment.outputs[0]!.sight;
  const full = timesFrom(inherited.seenAt, payment);
  return inherited.lapsesAt > full.lapsesAt ? inherited : full;
}

function timesFrom(seenAt: Date, { terms, graceSeconds }: PendingPayment): SightTimes {
  return sightFrom(seenAt, terms, graceSeconds);
}

function sumOf(transfers: readonly Pick<Transfer, 'amount'>[]): bigint {
  return transfers.reduce((sum, { amount }) => sum + amount, 0n);
}
