import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { PendingTransfers } from '#contexts/networks/contract/pending-transfers.js';
import {
  isPendingTransfer,
  type FirstSeen,
  type IncomingTransfer,
  type RecordedTransfer,
  type FirstSeenTimes,
  type Transfer,
} from '../../contract/incoming-transfer.js';
import type { RequestDeadlineAndAmounts, KnownTransfer } from '../../contract/pending-transfer-records.js';

export type WithFirstSeen<T extends Transfer = IncomingTransfer> = T & { readonly sight: FirstSeen };

export type ReplacementOutput = Pick<Transfer, 'network' | 'transactionHash' | 'uniqueAssetId' | 'amount'> & {
  readonly sight: Pick<FirstSeen, 'evidence'>;
};

export interface PendingPayment {
  readonly request: PaymentRequestId;
  readonly outputs: readonly WithFirstSeen[];
  /** Undefined if the request no longer exists. */
  readonly terms: RequestDeadlineAndAmounts | undefined;
  readonly graceSeconds: number;
}

/** The grace period begins at first sight, or at the deadline of the request if that is later. */
export function computeFirstSeenTimes(
  seenAt: Date,
  terms: RequestDeadlineAndAmounts | undefined,
  graceSeconds: number,
): FirstSeenTimes {
  const from = terms !== undefined && terms.expiresAt > seenAt ? terms.expiresAt : seenAt;
  return { seenAt, lapsesAt: new Date(from.getTime() + graceSeconds * 1_000) };
}

/** Finds pending transfers that conflict with a transaction, which means that no chain can contain both. */
export function findReplacedTransfers(
  outputs: readonly ReplacementOutput[],
  known: readonly RecordedTransfer[],
  pending: Pick<PendingTransfers, 'areConflicting'>,
): WithFirstSeen<RecordedTransfer>[] {
  const [{ transactionHash, sight }] = outputs as [ReplacementOutput];
  return known.filter(
    (transfer): transfer is WithFirstSeen<RecordedTransfer> =>
      isPendingTransfer(transfer) &&
      transfer.transactionHash !== transactionHash &&
      transfer.sight !== undefined &&
      pending.areConflicting(sight.evidence, transfer.sight.evidence),
  );
}

/**
 * A transaction that pays more inherits nothing: otherwise a small early payment could reserve the price for a large
 * one.
 */
export function inheritFirstSeen(
  outputs: readonly ReplacementOutput[],
  replaced: readonly WithFirstSeen<RecordedTransfer>[],
): FirstSeenTimes | undefined {
  const sums = Map.groupBy(outputs, ({ uniqueAssetId }) => uniqueAssetId);
  const isNoMore = [...sums].every(
    ([asset, paid]) =>
      sumAmounts(paid) <= sumAmounts(replaced.filter(({ uniqueAssetId }) => uniqueAssetId === asset)),
  );
  if (!isNoMore) return undefined;
  const latest = replaced.reduce((last, each) => (each.sight.seenAt > last.sight.seenAt ? each : last));
  return { seenAt: latest.sight.seenAt, lapsesAt: latest.sight.lapsesAt };
}

export function isGracePeriodExtended(
  payment: PendingPayment,
  transfer: IncomingTransfer,
  headTime: Date,
): boolean {
  const { sight } = transfer;
  if (!isPendingTransfer(transfer) || sight === undefined || sight.lapsesAt < headTime) return false;
  return computePaymentSightTimes(sight.seenAt, payment).lapsesAt > sight.lapsesAt;
}

export function chooseFirstSeen(
  payment: PendingPayment,
  ofTransaction: readonly KnownTransfer[],
  isExtended: boolean,
  replaced: readonly WithFirstSeen<RecordedTransfer>[],
): FirstSeenTimes {
  const seenBefore = ofTransaction.findLast(({ transfer }) => transfer.sight !== undefined)?.transfer.sight;
  if (seenBefore !== undefined)
    return isExtended ? computePaymentSightTimes(seenBefore.seenAt, payment) : seenBefore;
  const inherited = replaced.length === 0 ? undefined : inheritFirstSeen(payment.outputs, replaced);
  if (inherited === undefined) return payment.outputs[0]!.sight;
  const full = computePaymentSightTimes(inherited.seenAt, payment);
  return inherited.lapsesAt > full.lapsesAt ? inherited : full;
}

function computePaymentSightTimes(seenAt: Date, { terms, graceSeconds }: PendingPayment): FirstSeenTimes {
  return computeFirstSeenTimes(seenAt, terms, graceSeconds);
}

function sumAmounts(transfers: readonly Pick<Transfer, 'amount'>[]): bigint {
  return transfers.reduce((sum, { amount }) => sum + amount, 0n);
}
