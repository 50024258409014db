export interface OutgoingMessage {
  readonly kind: 'webhook' | 'transaction';
  readonly at: string;
  readonly id: string;
  readonly to: string;
}

const MAX_OUTGOING_RECORDS = 500;
const outgoingRecords: OutgoingMessage[] = [];

/** Records an outgoing message before it is sent: the only trace of the message if the database loses the commit. */
export function recordOutgoingMessage({ kind, id, to }: Omit<OutgoingMessage, 'at'>): void {
  outgoingRecords.push({ kind, id, to, at: new Date().toISOString() });
  if (outgoingRecords.length > 2 * MAX_OUTGOING_RECORDS)
    outgoingRecords.splice(0, outgoingRecords.length - MAX_OUTGOING_RECORDS);
}

export function recentOutgoingMessages(): readonly OutgoingMessage[] {
  return outgoingRecords.slice(-MAX_OUTGOING_RECORDS);
}
