import { stateConflict } from '#shared/kernel/domain-error.js';
import { addMonths, periodOf, type Period } from './period.js';

export interface BooksState {
  readonly now: Date;
  readonly first: Period;
  /** Null if no month was ever closed. */
  readonly firstOpen: Period | null;
  /** Null if all months are open. */
  readonly lastClosed: Period | null;
}

/** Undefined if the next month to close has not ended. */
export function nextToClose({ now, first, firstOpen }: BooksState): Period | undefined {
  const next = firstOpen ?? first;
  return next < periodOf(now) ? next : undefined;
}

/** @throws state_conflict if the month is out of order or has not ended */
export function refuseClosing(books: BooksState, period: Period): void {
  const open = books.firstOpen ?? books.first;
  if (period >= periodOf(books.now))
    throw stateConflict(`${period} has not ended. Close it after its last day, in UTC.`);
  if (books.firstOpen !== null && period < books.firstOpen)
    throw stateConflict(`${period} is already closed.`);
  if (period < open) throw stateConflict(`${period} has no entries. The first month is ${open}.`);
  if (period > open) throw stateConflict(`${open} is still open. Close it before ${period}.`);
}

/** Only the last closed month can be reopened, so that closed months have no gap. @throws state_conflict */
export function refuseReopening({ lastClosed }: BooksState, period: Period): void {
  if (lastClosed === null || period > lastClosed)
    throw stateConflict(`${period} is not closed, so it cannot be reopened.`);
  if (period < lastClosed)
    throw stateConflict(
      `${addMonths(period, 1) === lastClosed ? lastClosed : `Later months up to ${lastClosed}`} must be reopened before ${period}.`,
    );
}
