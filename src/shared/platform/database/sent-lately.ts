/** An outgoing message that cannot be revoked: a delivered webhook or a broadcast transaction. */
export interface OutgoingRecord {
  readonly kind: 'webhook' | 'transaction';
  /** Real time of sending, ISO 8601. */
  readonly at: string;
  /** Delivery id of a webhook, or hash of a transaction. */
  readonly id: string;
  /** Host of a webhook's URL, or network of a transaction. */
  readonly to: string;
}

const KEPT = 500;
const kept: OutgoingRecord[] = [];

/**
 * Records an outgoing message before it is sent. If the database then loses the commit, this record is the only trace
 * of the message.
 */
export function noteSent({ kind, id, to }: Omit<OutgoingRecord, 'at'>): void {
  kept.push({ kind, id, to, at: new Date().toISOString() });
  if (kept.length > 2 * KEPT) kept.splice(0, kept.length - KEPT);
}

/** Returns the recorded outgoing messages, oldest first. */
export function sentLately(): readonly OutgoingRecord[] {
  return kept.slice(-KEPT);
}
