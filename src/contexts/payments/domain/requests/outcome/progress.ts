import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import type { StatusHistoryEntry, PaymentRequestFacts, UnsavedChanges } from '../payment-request-facts.js';
import { paymentCutoffTime } from './deadline-and-grace-rule.js';
import type { ReceivedSum } from './received-sums.js';
import { isSameAsset, type Selection } from '../selection.js';
import { STATUS_TRANSITIONS } from '../status.js';
import type { RecordedTransfer, Transfer } from '#contexts/chain-watching/contract/incoming-transfer.js';

export interface RequestProgress {
  status: PaymentRequestStatus;
  selected: Selection | null;
  /** Each asset once. A payer may still pay to the address of an earlier selection. */
  selections: Selection[];
  /** In smallest units of `selected`. Never changes after an outcome, even if transfers disappear from the chain. */
  receivedAmount: bigint;
  /** Received amount whose transfers disappeared from the chain after they were posted. */
  reversedAmount: bigint;
  expiresAt: Date;
  countsUntil: Date;
  confirmedAt: Date | null;
  /** Null before the outcome, and if every counted transfer belongs to the outcome. */
  outcomeBlock: number | null;
  /** Never changes after the outcome. */
  underpaymentAccepted: boolean;
  /** Stored until the request ends. */
  sums: readonly ReceivedSum[];
  /**
   * Final transfers not yet included in the `final` sum, and the last one included. Merged per selection and block.
   */
  readonly finalTransfers: readonly Transfer[];
  /** Lowest block with a stored counted transfer that is not final, by network. */
  readonly lowestNonFinalBlocks: ReadonlyMap<string, number>;
  /** The request has ended, but some stored transfers outside its outcome are still counted. */
  uncounting: boolean;
  /**
   * Contains only final transfers that become deposits after the end, and those received or reversed since loading.
   */
  transfers: RecordedTransfer[];
  history: StatusHistoryEntry[];
}

/** The clock may have been read before the process waited for a lock. */
export function timeNotBeforeHistory({ history }: RequestProgress, now: Date): Date {
  const last = history.at(-1)!.at;
  return now < last ? last : now;
}

export function enterStatus(progress: RequestProgress, status: PaymentRequestStatus, now: Date): Date {
  if (!STATUS_TRANSITIONS[progress.status].includes(status))
    throw new Error(`A payment request cannot go from ${progress.status} to ${status}.`);
  const at = timeNotBeforeHistory(progress, now);
  progress.status = status;
  progress.history.push({ status, at });
  return at;
}

export function applySelection(progress: RequestProgress, selection: Selection): void {
  if (!progress.selections.some((known) => isSameAsset(known, selection)))
    progress.selections.push(selection);
  progress.selected = selection;
  const last = paymentCutoffTime(selection, progress.expiresAt);
  if (last > progress.countsUntil) progress.countsUntil = last;
}

/** The grace period after the window stays the same. */
export function endWindow(progress: RequestProgress, at: Date): void {
  const graceMs = progress.countsUntil.getTime() - progress.expiresAt.getTime();
  progress.expiresAt = at;
  progress.countsUntil = new Date(at.getTime() + graceMs);
}

export function sumAmounts(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((sum, { amount }) => sum + amount, 0n);
}

/** Saving stores only the differences from these lists. */
export type StoredLists = Pick<RequestProgress, 'transfers' | 'selections' | 'sums' | 'history'>;

/** The list of sums is not copied, because it is replaced when it changes. */
function copyLists({ transfers, selections, sums, history }: StoredLists): StoredLists {
  return { transfers: [...transfers], selections: [...selections], sums, history: [...history] };
}

export function splitSnapshot(snapshot: PaymentRequestFacts & Readonly<RequestProgress>): {
  facts: PaymentRequestFacts;
  progress: RequestProgress;
  stored: StoredLists;
} {
  const { id, organizationId, accountId, pointOfSaleId, referenceId, order, createdAt, ...rest } = snapshot;
  const { underpaymentTolerance, ...progress } = rest;
  const owner = { organizationId, accountId, pointOfSaleId };
  const facts = { id, ...owner, referenceId, order, underpaymentTolerance, createdAt };
  return { facts, progress: { ...progress, ...copyLists(snapshot) }, stored: copyLists(snapshot) };
}

export const NOTHING_STORED: StoredLists = { transfers: [], selections: [], sums: [], history: [] };

/** A changed sum is a new object, so a sum that is not in the loaded list is unsaved. */
export function collectUnsaved(
  { transfers, selections, sums, history }: StoredLists,
  stored: StoredLists,
): UnsavedChanges {
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
    before === undefined ||
    before.counted !== now.counted ||
    before.awaitsCrossCheck !== now.awaitsCrossCheck ||
    before.depositedAt !== now.depositedAt ||
    before.reversedAt !== now.reversedAt
  );
}

export function initialProgress(
  status: 'pending' | 'created',
  { createdAt }: PaymentRequestFacts,
  windowSeconds: number,
): RequestProgress {
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
    finalTransfers: [],
    lowestNonFinalBlocks: new Map(),
    selections: [],
    transfers: [],
    history: [{ status, at: createdAt }],
  };
}
