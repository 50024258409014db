export interface ExternalSend {
  readonly kind: 'webhook' | 'transaction';
  readonly at: string;
  readonly id: string;
  readonly to: string;
}

const MAX_OUTGOING_RECORDS = 500;
const outgoingRecords: ExternalSend[] = [];

/** Records an outgoing message before it is sent: the only trace of the message if the database loses the commit. */
export function rememberExternalSend({ kind, id, to }: Omit<ExternalSend, 'at'>): void {
  outgoingRecords.push({ kind, id, to, at: new Date().toISOString() });
  if (outgoingRecords.length > 2 * MAX_OUTGOING_RECORDS)
    outgoingRecords.splice(0, outgoingRecords.length - MAX_OUTGOING_RECORDS);
}

export function recentExternalSends(): readonly ExternalSend[] {
  return outgoingRecords.slice(-MAX_OUTGOING_RECORDS);
}
