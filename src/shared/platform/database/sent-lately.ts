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

const MAX_OUTGOING_RECORDS = 500;
const outgoingRecords: OutgoingRecord[] = [];

/**
 * Records an outgoing message before it is sent. If the database then loses the commit, this record is the only trace
 * of the message.
 */
export function recordOutgoing({ kind, id, to }: Omit<OutgoingRecord, 'at'>): void {
  outgoingRecords.push({ kind, id, to, at: new Date().toISOString() });
  if (outgoingRecords.length > 2 * MAX_OUTGOING_RECORDS)
    outgoingRecords.splice(0, outgoingRecords.length - MAX_OUTGOING_RECORDS);
}

/** Returns the recorded outgoing messages, oldest first. */
export function recentOutgoingRecords(): readonly OutgoingRecord[] {
  return outgoingRecords.slice(-MAX_OUTGOING_RECORDS);
}
