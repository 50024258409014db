import type { PaymentRequestId } from '#shared/kernel/ids.js';
import {
  isPending,
  type IncomingTransfer,
  type RecordedTransfer,
  type SightTimes,
} from '../../contract/incoming-transfer.js';
import type { RequestTerms, SeenTransfer } from '../../contract/seen-transfers.js';
import { sightFrom } from '../reading/complete-incoming-transfers.js';
import { inheritedSight, type Sighted } from './replaced-transfers.js';

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
