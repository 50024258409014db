/** Something that left this process, and that nobody can take back. */
export interface OutgoingRecord {
  readonly kind: 'webhook' | 'transaction';
  /** Real time, ISO 8601. */
  readonly at: string;
  /** The id of a webhook's delivery, or the hash of a transaction. */
  readonly id: string;
  /** The host of a webhook's URL, or the network of a transaction. */
  readonly to: string;
}

const KEPT = 500;
const kept: OutgoingRecord[] = [];

/** Notes what is about to be sent. A database that loses its last commits no longer knows it; this process does. */
export function noteSent({ kind, id, to }: Omit<OutgoingRecord, 'at'>): void {
  kept.push({ kind, id, to, at: new Date().toISOString() });
  if (kept.length > 2 * KEPT) kept.splice(0, kept.length - KEPT);
}

/** The oldest first. */
export function sentLately(): readonly OutgoingRecord[] {
  return kept.slice(-KEPT);
}
