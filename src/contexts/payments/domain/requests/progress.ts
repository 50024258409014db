import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type { HistoryEntry, PaymentRequestFacts, Unsaved } from './payment-request-facts.js';
import { lastCounting } from './deadline-and-grace-rule.js';
import { isSame, type Selection } from './selection.js';
import { TRANSITIONS } from './status.js';
import type { RecordedTransfer, Transfer } from './transfer.js';

/** The state of a payment request: all of it that changes. */
export interface Progress {
  status: PaymentRequestStatus;
  /** The asset it is to be paid in; null until one is chosen. Always one of `selections`. */
  selected: Selection | null;
  /** Everything that was ever chosen, each asset once: a payer may hold any of these addresses. */
  selections: Selection[];
  /** Smallest units. After an outcome it never changes, whatever disappears from the chain. */
  receivedAmount: bigint;
  /** The part of the received amount that disappeared from the chain after it was posted. */
  reversedAmount: bigint;
  expiresAt: Date;
  /** No transfer counts whose block has a later timestamp. */
  countsUntil: Date;
  confirmedAt: Date | null;
  /**
   * Until the outcome, canonical transfers that count, and those that would if these did not; transfers that may become
   * deposits; and those received or reversed since the request was loaded.
   */
  transfers: RecordedTransfer[];
  history: HistoryEntry[];
}

/** A process that waited for a lock may have read the clock before the process that held it. */
export function notBeforeLastStep({ history }: Progress, now: Date): Date {
  const last = history.at(-1)!.at;
  return now < last ? last : now;
}

/** @throws Error for a change that is not in the table */
export function enterStatus(progress: Progress, status: PaymentRequestStatus, now: Date): Date {
  if (!TRANSITIONS[progress.status].includes(status))
    throw new Error(`A payment request cannot go from ${progress.status} to ${status}.`);
  const at = notBeforeLastStep(progress, now);
  progress.status = status;
  progress.history.push({ status, at });
  return at;
}

export function choose(progress: Progress, selection: Selection): void {
  if (!progress.selections.some((known) => isSame(known, selection))) progress.selections.push(selection);
  progress.selected = selection;
  const last = lastCounting(selection, progress.expiresAt);
  if (last > progress.countsUntil) progress.countsUntil = last;
}

/** The grace of its networks stays. */
export function endWindow(progress: Progress, at: Date): void {
  const graceMs = progress.countsUntil.getTime() - progress.expiresAt.getTime();
  progress.expiresAt = at;
  progress.countsUntil = new Date(at.getTime() + graceMs);
}

export function amountOf(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((sum, { amount }) => sum + amount, 0n);
}

/** Marks as counted the transfers of `part`, and no other. */
export function countingOnly(
  transfers: readonly RecordedTransfer[],
  part: readonly Transfer[],
): RecordedTransfer[] {
  const ids = new Set(part.map(({ id }) => id));
  return transfers.map((transfer) => ({ ...transfer, counted: ids.has(transfer.id) }));
}

export function withChange(
  transfers: readonly RecordedTransfer[],
  ids: ReadonlySet<string>,
  change: Partial<RecordedTransfer>,
): RecordedTransfer[] {
  return transfers.map((transfer) => (ids.has(transfer.id) ? { ...transfer, ...change } : transfer));
}

/** The lists that a repository stores row by row. */
export type Stored = Pick<Progress, 'transfers' | 'selections' | 'history'>;

/** Copies, so that a change of one does not change the other. */
function copied({ transfers, selections, history }: Stored): Stored {
  return { transfers: [...transfers], selections: [...selections], history: [...history] };
}

/** A snapshot, divided into facts that never change and state that does. */
export function splitSnapshot(snapshot: PaymentRequestFacts & Readonly<Progress>): {
  facts: PaymentRequestFacts;
  progress: Progress;
  stored: Stored;
} {
  const { status, selected, receivedAmount, reversedAmount, expiresAt, countsUntil, ...rest } = snapshot;
  const { confirmedAt, selections, transfers, history, ...facts } = rest;
  const state = { status, selected, receivedAmount, reversedAmount, expiresAt, countsUntil, confirmedAt };
  const stored = { transfers, selections, history };
  return { facts, progress: { ...state, ...copied(stored) }, stored: copied(stored) };
}

export const NOTHING_STORED: Stored = { transfers: [], selections: [], history: [] };

export function unsavedOf({ transfers, selections, history }: Stored, stored: Stored): Unsaved {
  const known = new Map(stored.transfers.map((transfer) => [transfer.id, transfer]));
  return {
    transfers: transfers.filter((transfer) => hasChanged(known.get(transfer.id), transfer)),
    selections: selections.slice(stored.selections.length),
    history: history
      .map((entry, position) => ({ ...entry, step: position + 1 }))
      .slice(stored.history.length),
  };
}

function hasChanged(before: RecordedTransfer | undefined, now: RecordedTransfer): boolean {
  return (
    before?.counted !== now.counted ||
    before.awaitsCrossCheck !== now.awaitsCrossCheck ||
    before.depositedAt !== now.depositedAt ||
    before.reversedAt !== now.reversedAt
  );
}

/** The state of a new request; the payer's window begins. */
export function initialProgress(
  status: 'pending' | 'created',
  { createdAt }: PaymentRequestFacts,
  windowSeconds: number,
): Progress {
  const expiresAt = new Date(createdAt.getTime() + windowSeconds * 1000);
  return {
    ...{ status, expiresAt, countsUntil: expiresAt, selected: null, confirmedAt: null },
    ...{ receivedAmount: 0n, reversedAmount: 0n },
    ...{ selections: [], transfers: [], history: [{ status, at: createdAt }] },
  };
}
