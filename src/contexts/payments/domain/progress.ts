import type { PaymentRequestStatus } from '../contract/payment-request-events.js';
import type { HistoryEntry, PaymentRequestFacts } from './payment-request-facts.js';
import type { Selection } from './selection.js';
import type { RecordedTransfer } from './transfer.js';

/** What changes of a payment request. */
export interface Progress {
  status: PaymentRequestStatus;
  /** The asset it is to be paid in; null until one is chosen. Always one of `selections`. */
  selected: Selection | null;
  /** Everything that was ever chosen, each asset once: a payer may hold any of these addresses. */
  selections: Selection[];
  receivedAmount: bigint;
  expiresAt: Date;
  /** No transfer counts whose block has a later timestamp. */
  countsUntil: Date;
  confirmedAt: Date | null;
  /** Canonical ones that count, or could if those did not, and what was received since the request was loaded. */
  transfers: RecordedTransfer[];
  history: HistoryEntry[];
}

export const NOTHING = { transfers: [], selections: [], history: [] };

/** As a request is born, with the payer's time running. */
export function unpaid(
  status: 'pending' | 'created',
  { createdAt }: PaymentRequestFacts,
  windowSeconds: number,
): Progress {
  const expiresAt = secondsAfter(createdAt, windowSeconds);
  return {
    ...{ status, expiresAt, countsUntil: expiresAt, receivedAmount: 0n, selected: null, confirmedAt: null },
    ...{ selections: [], transfers: [], history: [{ status, at: createdAt }] },
  };
}

function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}
