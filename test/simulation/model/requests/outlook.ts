import type { Moved } from '../chain/chain.js';
import { units } from '../known/values.js';
import type { PaymentRequest, Selection, Status } from './payment-request.js';

export interface Outcome {
  readonly status: Status;
  readonly selection: Selection;
  /** The final counted sum at its block. */
  readonly gross: bigint;
  /** The last counted transfers: several where their order inside one block is open. */
  readonly last: readonly Moved[];
}

/** Everything that a request shows to a service that has read the chain up to one view, if its window ends at one moment. */
export interface Look {
  readonly statuses: readonly Status[];
  readonly outcomes: readonly Outcome[];
  /** Sums of what counts and of all that came, by selection. */
  readonly counted: readonly bigint[];
  readonly all: readonly bigint[];
}

/** Everything that a request may show to a service that has read one of several views. */
export interface Outlook {
  readonly statuses: ReadonlySet<Status>;
  readonly outcomes: readonly Outcome[];
  readonly received: ReadonlySet<bigint>;
  /** The first view that allows a status. */
  readonly firstView: ReadonlyMap<Status, number>;
}

export function transfersOf(selection: Selection): readonly Moved[] {
  return selection.asset.chain
    .movedTo(selection.address)
    .filter((moved) => moved.transfer.token === selection.asset.token);
}

export function isReversed(request: PaymentRequest): boolean {
  return request.selections.some(({ asset, address }) => {
    if (!asset.chain.isDeep) return false;
    const isLeft = asset.chain.movedTo(address).some(({ block }) => asset.chain.isReversed(block));
    // A final block may also have ended a window that a later branch leaves open.
    return isLeft || request.expiry.some((span) => asset.chain.isDeepAround(span.to));
  });
}

/** @returns whether a sum is a payment: one below the minimum of its asset changes nothing */
export function isPayment({ asset, amount }: Selection, received: bigint): boolean {
  const minimum = units(asset.fact.minimumAmount, asset.fact.decimals) ?? 0n;
  return received >= minimum || received >= amount;
}

export function mayBePaid(selection: Selection): boolean {
  const received = sum(transfersOf(selection));
  return received > 0n && isPayment(selection, received);
}

/** The last moment at which a block may have been made for its transfers to count. */
export function deadlineOf(selection: Selection, expiry: number): number {
  return expiry + selection.asset.chain.network.inclusionGraceSeconds * 1000;
}

/** Everything that a request shows in one view; `isBlind`: coin that contracts sent on was not found yet. */
export function lookAt(request: PaymentRequest, expiry: number, view: number, isBlind = false): Look {
  const chain = request.selections[0]!.asset.chain;
  const deadline = deadlineOf(request.selections[0]!, expiry);
  const counted: bigint[] = [];
  const all: bigint[] = [];
  const finals: { selection: Selection; moved: Moved[] }[] = [];
  for (const selection of request.selections) {
    const present = transfersOf(selection).filter(
      ({ block, transfer }) => chain.isOn(block, view) && !(isBlind && transfer.way === 'inner'),
    );
    const counting = present.filter(({ block }) => block.time <= deadline);
    all.push(shown(selection, sum(present)));
    counted.push(shown(selection, sum(counting)));
    const moved = counting.filter(({ block }) => chain.isFinal(block, view));
    finals.push({ selection, moved: moved.sort((one, other) => one.block.number - other.block.number) });
  }
  const paid = firstPaid(finals);
  if (paid.length > 0) return { statuses: paid.map(({ status }) => status), outcomes: paid, counted, all };
  const isFinallyPast = chain.finalTime(view) > deadline;
  if (isFinallyPast) {
    const under = largestShares(finals.filter(({ selection, moved }) => isPayment(selection, sum(moved))));
    if (under.length > 0) return { statuses: ['underpaid'], outcomes: under, counted, all };
    return { statuses: ['expired'], outcomes: [], counted, all };
  }
  if (counted.some((amount) => amount > 0n)) return { statuses: ['processing'], outcomes: [], counted, all };
  const isPast = chain.views[view]!.time > deadline;
  return { statuses: [isPast ? 'expired' : 'created'], outcomes: [], counted, all };
}

function firstPaid(finals: readonly { selection: Selection; moved: readonly Moved[] }[]): Outcome[] {
  let first = Infinity;
  let found: Outcome[] = [];
  for (const { selection, moved } of finals) {
    let gross = 0n;
    for (let index = 0; index < moved.length;) {
      const number = moved[index]!.block.number;
      const last: Moved[] = [];
      for (; index < moved.length && moved[index]!.block.number === number; index += 1) {
        gross += moved[index]!.amount;
        last.push(moved[index]!);
      }
      if (gross < selection.amount) continue;
      const outcome: Outcome = {
        status: gross === selection.amount ? 'completed' : 'overpaid',
        selection,
        gross,
        last,
      };
      if (number < first) found = [outcome];
      else if (number === first) found.push(outcome);
      first = Math.min(first, number);
      break;
    }
  }
  return found;
}

function largestShares(finals: readonly { selection: Selection; moved: readonly Moved[] }[]): Outcome[] {
  let found: Outcome[] = [];
  for (const { selection, moved } of finals) {
    if (moved.length === 0) continue;
    const number = moved[moved.length - 1]!.block.number;
    const last = moved.filter(({ block }) => block.number === number);
    const outcome: Outcome = { status: 'underpaid', selection, gross: sum(moved), last };
    const best = found[0];
    const more = best === undefined ? 1n : share(outcome, best);
    if (more > 0n) found = [outcome];
    else if (more === 0n) found.push(outcome);
  }
  return found;
}

function share(one: Outcome, other: Outcome): bigint {
  return one.gross * other.selection.amount - other.gross * one.selection.amount;
}

function shown(selection: Selection, received: bigint): bigint {
  return isPayment(selection, received) ? received : 0n;
}

function sum(moved: readonly Moved[]): bigint {
  return moved.reduce((total, { amount }) => total + amount, 0n);
}

/** Views from one to another at which something that the request shows may change. */
function turns(request: PaymentRequest, expiries: readonly number[], from: number, to: number): number[] {
  const chain = request.selections[0]!.asset.chain;
  const found = new Set([from, to]);
  for (let index = chain.unwindings.length - 1; index >= 0; index -= 1) {
    const view = chain.unwindings[index]!;
    if (view <= from) break;
    add(view - 1, view);
  }
  for (const selection of request.selections) {
    for (const { block } of transfersOf(selection)) {
      add(block.from, block.to - 1, block.to, chain.firstFinal(block) ?? -1);
    }
    for (const expiry of expiries) {
      const deadline = deadlineOf(selection, expiry);
      add(chain.firstLater(deadline, 'head'), chain.firstLater(deadline, 'final'));
    }
  }
  return [...found].sort((one, other) => one - other);

  function add(...views: number[]): void {
    for (const view of views) if (view >= from && view <= to) found.add(view);
  }
}

interface Remembered {
  readonly from: number;
  readonly to: number;
  readonly expiry: PaymentRequest['expiry'];
  readonly selections: number;
  readonly unwindings: number;
  readonly outlook: Outlook;
}

const remembered = new WeakMap<PaymentRequest, Remembered>();

/** Everything that a request may show, for every view of a span and every end of its window. */
export function outlook(request: PaymentRequest, from: number, to: number): Outlook {
  const unwindings = request.selections[0]!.asset.chain.unwindings.length;
  const selections = request.selections.length;
  const { expiry } = request;
  const last = remembered.get(request);
  if (
    last?.from === from &&
    last.to === to &&
    last.expiry === expiry &&
    last.selections === selections &&
    last.unwindings === unwindings
  ) {
    return last.outlook;
  }
  const found = lookOut(request, from, to);
  remembered.set(request, { from, to, expiry, selections, unwindings, outlook: found });
  return found;
}

function lookOut(request: PaymentRequest, from: number, to: number): Outlook {
  const statuses = new Set<Status>();
  const received = new Set<bigint>();
  const outcomes = new Map<string, Outcome>();
  const firstView = new Map<Status, number>();
  // Balances are compared at the blocks that are read: a transfer inside a contract call may be found later than it came.
  const hasInner = request.selections.some((each) =>
    transfersOf(each).some(({ transfer }) => transfer.way === 'inner'),
  );
  const expiries = [...new Set(request.expiry.flatMap((span) => [span.from, span.to]))];
  if (from < 0) {
    // Nothing was read yet.
    statuses.add('created');
    received.add(0n);
    firstView.set('created', -1);
  }
  for (const view of to < 0 ? [] : turns(request, expiries, Math.max(0, from), to)) {
    for (const look of looks(view)) {
      for (const status of look.statuses) {
        statuses.add(status);
        if (!firstView.has(status)) firstView.set(status, view);
      }
      for (const outcome of look.outcomes) {
        const { status, selection, gross, last } = outcome;
        // Equal sums may be reached by other transfers, where one of them is found later.
        const blocks = last.map(({ block }) => block.hash).join();
        outcomes.set(`${status} ${selection.asset.fact.uniqueAssetId} ${gross} ${blocks}`, outcome);
        received.add(outcome.gross);
      }
      for (const amount of look.counted) received.add(amount);
      for (const amount of look.all) received.add(amount);
    }
  }
  return { statuses, outcomes: [...outcomes.values()], received, firstView };

  function looks(view: number): Look[] {
    const plain = expiries.map((expiry) => lookAt(request, expiry, view));
    if (!hasInner || from === to) return plain;
    return [...plain, ...expiries.map((expiry) => lookAt(request, expiry, view, true))];
  }
}
