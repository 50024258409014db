export interface OutgoingRecord {
  readonly kind: 'webhook' | 'transaction';
  readonly at: string;
  readonly id: string;
  readonly to: string;
}

const MAX_OUTGOING_RECORDS = 500;
const outgoingRecords: OutgoingRecord[] = [];

/** Records an outgoing message before it is sent: the only trace of the message if the database loses the commit. */
export function recordOutgoing({ kind, id, to }: Omit<OutgoingRecord, 'at'>): void {
  outgoingRecords.push({ kind, id, to, at: new Date().toISOString() });
  if (outgoingRecords.length > 2 * MAX_OUTGOING_RECORDS)
    outgoingRecords.splice(0, outgoingRecords.length - MAX_OUTGOING_RECORDS);
}

export function recentOutgoingRecords(): readonly OutgoingRecord[] {
  return outgoingRecords.slice(-MAX_OUTGOING_RECORDS);
}
