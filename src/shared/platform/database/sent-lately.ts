/** Something that left this process, and that nobody can take back. */
export interface Sent {
  readonly kind: 'webhook' | 'transaction';
  /** Real time, ISO 8601. */
  readonly at: string;
  /** Of a webhook the id of its delivery, of a transaction its hash. */
  readonly id: string;
  /** Of a webhook its URL's host, of a transaction its network. */
  readonly to: string;
}

const KEPT = 500;
const kept: Sent[] = [];

/** Notes what is about to be sent. A database that loses its last commits no longer knows it; this process does. */
export function noteSent({ kind, id, to }: Omit<Sent, 'at'>): void {
  kept.push({ kind, id, to, at: new Date().toISOString() });
  if (kept.length > 2 * KEPT) kept.splice(0, kept.length - KEPT);
}

/** The oldest first. */
export function sentLately(): readonly Sent[] {
  return kept.slice(-KEPT);
}
