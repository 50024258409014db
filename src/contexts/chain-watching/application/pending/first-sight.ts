import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { PendingTransfers } from '#contexts/networks/contract/pending-transfers.js';
import {
  isPending,
  type FirstSight,
  type IncomingTransfer,
  type RecordedTransfer,
  type FirstSightTimes,
  type Transfer,
} from '../../contract/incoming-transfer.js';
import type { RequestTerms, SeenTransfer } from '../../contract/seen-transfers.js';

export type WithFirstSight<T extends Transfer = IncomingTransfer> = T & { readonly sight: FirstSight };

export type ReplacementOutput = Pick<Transfer, 'network' | 'transactionHash' | 'uniqueAssetId' | 'amount'> & {
  readonly sight: Pick<FirstSight, 'evidence'>;
};

export interface PendingPayment {
  readonly request: PaymentRequestId;
  readonly outputs: readonly WithFirstSight[];
  /** Undefined if the request no longer exists. */
  readonly terms: RequestTerms | undefined;
  readonly graceSeconds: number;
}

/** The grace period begins at first sight, or at the deadline of the request if that is later. */
export function computeSightTimes(
  seenAt: Date,
  terms: RequestTerms | undefined,
  graceSeconds: number,
): FirstSightTimes {
  const from = terms !== undefined && terms.expiresAt > seenAt ? terms.expiresAt : seenAt;
  return { seenAt, lapsesAt: new Date(from.getTime() + graceSeconds * 1_000) };
}

/** Finds pending transfers that conflict with a transaction, which means that no chain can contain both. */
export function findReplacedTransfers(
  outputs: readonly ReplacementOutput[],
  known: readonly RecordedTransfer[],
  pending: Pick<PendingTransfers, 'conflict'>,
): WithFirstSight<RecordedTransfer>[] {
  const [{ transactionHash, sight }] = outputs as [ReplacementOutput];
  return known.filter(
    (transfer): transfer is WithFirstSight<RecordedTransfer> =>
      isPending(transfer) &&
      transfer.transactionHash !== transactionHash &&
      transfer.sight !== undefined &&
      pending.conflict(sight.evidence, transfer.sight.evidence),
  );
}

/**
 * A transaction that pays more inherits nothing: otherwise a small early payment could reserve the price for a large
 * one.
 */
export function inheritFirstSight(
  outputs: readonly ReplacementOutput[],
  replaced: readonly WithFirstSight<RecordedTransfer>[],
): FirstSightTimes | undefined {
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
  if (!isPending(transfer) || sight === undefined || sight.lapsesAt < headTime) return false;
  return computePaymentSightTimes(sight.seenAt, payment).lapsesAt > sight.lapsesAt;
}

export function chooseFirstSight(
  payment: PendingPayment,
  ofTransaction: readonly SeenTransfer[],
  isExtended: boolean,
  replaced: readonly WithFirstSight<RecordedTransfer>[],
): FirstSightTimes {
  const seenBefore = ofTransaction.findLast(({ transfer }) => transfer.sight !== undefined)?.transfer.sight;
  if (seenBefore !== undefined)
    return isExtended ? computePaymentSightTimes(seenBefore.seenAt, payment) : seenBefore;
  const inherited = replaced.length === 0 ? undefined : inheritFirstSight(payment.outputs, replaced);
  if (inherited === undefined) return payment.outputs[0]!.sight;
  const full = computePaymentSightTimes(inherited.seenAt, payment);
  return inherited.lapsesAt > full.lapsesAt ? inherited : full;
}

function computePaymentSightTimes(seenAt: Date, { terms, graceSeconds }: PendingPayment): FirstSightTimes {
  return computeSightTimes(seenAt, terms, graceSeconds);
}

function sumAmounts(transfers: readonly Pick<Transfer, 'amount'>[]): bigint {
  return transfers.reduce((sum, { amount }) => sum + amount, 0n);
}
