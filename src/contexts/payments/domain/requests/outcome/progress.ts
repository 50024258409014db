import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import type { HistoryEntry, PaymentRequestFacts, Unsaved } from '../payment-request-facts.js';
import { lastCounting } from './deadline-and-grace-rule.js';
import type { ReceivedSum } from './received-sums.js';
import { isSame, type Selection } from '../selection.js';
import { TRANSITIONS } from '../status.js';
import type { RecordedTransfer, Transfer } from '#contexts/chain-watching/contract/incoming-transfer.js';

/** The state of a payment request: all of it that changes. */
export interface Progress {
  status: PaymentRequestStatus;
  /** The asset it is to be paid in; null until one is chosen. Always one of `selections`. */
  selected: Selection | null;
  /** Everything that was ever chosen, each asset once: a payer may hold any of these addresses. */
  selections: Selection[];
  /** Smallest units of `selected`. After an outcome it never changes, whatever disappears from the chain. */
  receivedAmount: bigint;
  /** The part of the received amount that disappeared from the chain after it was posted. */
  reversedAmount: bigint;
  expiresAt: Date;
  /** No transfer counts whose block has a later timestamp. */
  countsUntil: Date;
  confirmedAt: Date | null;
  /** The block that decided the outcome; null before, and where every counted transfer is part of it. */
  outcomeBlock: number | null;
  /** It has ended underpaid by no more than its tolerance. Like the outcome, it never changes. */
  underpaymentAccepted: boolean;
  /** Kept until the request ends. */
  sums: readonly ReceivedSum[];
  /**
   * Transfers marked as final that count: those that are not in `final` of their sum yet, and the last one that is. Those
   * of one selection and block are one. They never change.
   */
  readonly finals: readonly Transfer[];
  /** The lowest block, by network, with a stored transfer that counts and is not marked as final. */
  readonly notFinalFrom: ReadonlyMap<string, number>;
  /** The request has ended, and stored transfers are still marked as counted that are no part of its outcome. */
  uncounting: boolean;
  /** Final transfers that become deposits once it has ended, and those received or reversed since it was loaded. */
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

/** The lists that a repository stores row by row. */
export type Stored = Pick<Progress, 'transfers' | 'selections' | 'sums' | 'history'>;

/** Copies, so that a change of one does not change the other. */
function copied({ transfers, selections, sums, history }: Stored): Stored {
  return { transfers: [...transfers], selections: [...selections], sums, history: [...history] };
}

/** Divides a snapshot into facts that never change and state that does. */
export function splitSnapshot(snapshot: PaymentRequestFacts & Readonly<Progress>): {
  facts: PaymentRequestFacts;
  progress: Progress;
  stored: Stored;
} {
  const { status, selected, receivedAmount, reversedAmount, expiresAt, countsUntil, ...rest } = snapshot;
  const { confirmedAt, outcomeBlock, underpaymentAccepted, finals, notFinalFrom, uncounting, ...lists } =
    rest;
  const { selections, sums, transfers, history, ...facts } = lists;
  const state = { status, selected, receivedAmount, reversedAmount, expiresAt, countsUntil, confirmedAt };
  const counting = { outcomeBlock, underpaymentAccepted, finals, notFinalFrom, uncounting };
  const stored = { transfers, selections, sums, history };
  return { facts, progress: { ...state, ...counting, ...copied(stored) }, stored: copied(stored) };
}

export const NOTHING_STORED: Stored = { transfers: [], selections: [], sums: [], history: [] };

export function unsavedOf({ transfers, selections, sums, history }: Stored, stored: Stored): Unsaved {
  const known = new Map(stored.transfers.map((transfer) => [transfer.id, transfer]));
  return {
    transfers: transfers.filter((transfer) => hasChanged(known.get(transfer.id), transfer)),
    selections: selections.slice(stored.selections.length),
    sums: sums.filter((sum) => !stored.sums.includes(sum)),
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
    status,
    expiresAt,
    countsUntil: expiresAt,
    selected: null,
    confirmedAt: null,
    receivedAmount: 0n,
    reversedAmount: 0n,
    outcomeBlock: null,
    underpaymentAccepted: false,
    uncounting: false,
    sums: [],
    finals: [],
    notFinalFrom: new Map(),
    selections: [],
    transfers: [],
    history: [{ status, at: createdAt }],
  };
}
