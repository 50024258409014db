import type { Known, PointOfSale } from '../known/known.js';
import { outlook, transfersOf, type Outlook, mayBePaid } from './outlook.js';
import { isEnded, RANK, type PaymentRequest, type Status } from './payment-request.js';
import type { Heard } from '../exchange/heard.js';

export interface Moment {
  readonly sentAt: number;
  readonly at: number;
}

const EVERY: readonly Status[] = [
  'pending',
  'created',
  'processing',
  'completed',
  'overpaid',
  'underpaid',
  'expired',
];
/** How long after its end a request without a selection may still be pending. */
const PATIENCE = 120_000;

export function chainOf(
  request: PaymentRequest,
): PaymentRequest['selections'][number]['asset']['chain'] | undefined {
  return request.selections[0]?.asset.chain;
}

/** @returns whether the chain says nothing certain: nothing was read of it yet, or it has addresses on several networks. */
export function isOpen(request: PaymentRequest): boolean {
  const chain = chainOf(request);
  return (
    request.isStrange ||
    (request.maybeSelected.size > 0 && (chain === undefined || isPaidUnanswered(request))) ||
    request.selections.some(({ asset }) => asset.chain !== chain)
  );
}

/** An asset has come whose choice was not answered: it counts where the choice was carried out. */
function isPaidUnanswered({ selections, maybeSelected }: PaymentRequest): boolean {
  const tokens = new Set([...maybeSelected].map((id) => /_t(0x[0-9a-f]{40})$/.exec(id)?.[1] ?? null));
  return selections.some(({ asset, address }) =>
    asset.chain.movedTo(address).some(({ transfer }) => tokens.has(transfer.token)),
  );
}

export function outlookFor(request: PaymentRequest, { sentAt }: Moment, known: Known): Outlook | undefined {
  const chain = chainOf(request);
  if (chain === undefined || isOpen(request)) return undefined;
  const from = request.read.before(sentAt);
  if (!isAtRest(known, sentAt)) return outlook(request, from, chain.head);
  const now = outlook(request, chain.head, chain.head);
  const isLeft = chain.unwindings.some((view) => view > from);
  return isLeft ? withEnds(now, outlook(request, from, chain.head)) : now;
}

/** Everything that is so at rest, and ends that may have come on a branch that was left: a status never leaves them. */
function withEnds(now: Outlook, ever: Outlook): Outlook {
  const ends = [...ever.statuses].filter(isEnded);
  const outcomes = ever.outcomes.filter(
    (outcome) => !now.outcomes.some(({ gross }) => gross === outcome.gross),
  );
  return {
    statuses: new Set([...now.statuses, ...ends]),
    outcomes: [...now.outcomes, ...outcomes],
    received: new Set([...now.received, ...outcomes.map(({ gross }) => gross)]),
    firstView: ever.firstView,
  };
}

export function isAtRest(known: Known, sentAt: number): boolean {
  return known.isResting && sentAt >= known.restedAt;
}

export function allowedStatuses(request: PaymentRequest, moment: Moment, known: Known): ReadonlySet<Status> {
  const floor = request.shown.before(moment.sentAt);
  if (isEnded(floor)) return new Set([floor]);
  if (isOpen(request)) return new Set(EVERY.filter((status) => RANK[status] >= RANK[floor]));
  if (request.selections.length === 0) return pending(request, moment, known);
  const allowed = new Set<Status>();
  const found = outlookFor(request, moment, known)!.statuses;
  for (const status of found) if (RANK[status] >= RANK[floor]) allowed.add(status);
  const isUncounted = request.selections.some((each) =>
    transfersOf(each).some(({ block }) => block.to < Infinity),
  );
  if (floor === 'processing' && found.has('created')) {
    // A transfer that counted was left by the chain: no transition leads back, and none forbids it in words.
    allowed.add('processing');
    if (isUncounted) allowed.add('created');
  }
  if (floor === 'pending') {
    allowed.add('pending');
    if (found.has('expired')) allowed.add('expired');
  }
  return allowed;
}

function pending(request: PaymentRequest, { sentAt, at }: Moment, known: Known): ReadonlySet<Status> {
  const first = Math.min(...request.expiry.map(({ from }) => from));
  const last = Math.max(...request.expiry.map(({ to }) => to));
  if (at < first) return new Set(['pending']);
  if (isAtRest(known, sentAt) && sentAt > last + PATIENCE) return new Set(['expired']);
  return new Set(['pending', 'expired']);
}

export function showStatus(
  request: PaymentRequest,
  status: Status,
  moment: Moment,
  known: Known,
  where: string,
): void {
  const floor = request.shown.before(moment.sentAt);
  const allowed = allowedStatuses(request, moment, known);
  if (!allowed.has(status)) {
    const rule = isEnded(floor)
      ? 'a status never leaves an outcome'
      : RANK[status] < RANK[floor]
        ? 'a status never goes back'
        : 'status allowed by the chain';
    known.differ(rule, request.about, [[...allowed].join(' or '), `${status} (${where})`]);
  }
  const latest = request.shown.latest();
  if (RANK[status] > RANK[latest]) request.shown.learn(moment.at, status);
  else if (RANK[status] === 3 && latest !== status && !allowed.has(status))
    request.shown.learn(moment.at, status);
  const first = isOpen(request) ? undefined : outlookFor(request, moment, known)?.firstView.get(status);
  if (first !== undefined && first > request.read.latest()) request.read.learn(moment.at, first);
}

export function mayHaveHad(request: PaymentRequest, status: Status, moment: Moment, known: Known): boolean {
  const latest = request.shown.latest();
  if (latest === status) return true;
  if (isEnded(latest) && isEnded(status)) return false;
  const chain = chainOf(request);
  if (isOpen(request) || chain === undefined) return request.selections.length > 0 || isOpen(request);
  if (status !== 'processing') return allowedStatuses(request, moment, known).has(status);
  return request.selections.some((selection) =>
    transfersOf(selection).some(({ block }) =>
      request.expiry.some(({ to }) => block.time <= to + grace(selection)),
    ),
  );
}

function grace(selection: PaymentRequest['selections'][number]): number {
  return selection.asset.chain.network.inclusionGraceSeconds * 1000;
}

/** How long a request may be carried out after its caller gave up. */
export const UNDER_WAY = 30_000;

/** A physical POS has one open request: a new one ends the window of the previous unpaid one now. */
export function replacePrevious(
  made: PaymentRequest | undefined,
  heard: Heard,
  known: Known,
  isCertain: boolean,
): void {
  const pos = known.pointsOfSale.get(heard.params.pos ?? made?.posId ?? '');
  if (pos === undefined) return;
  const { sentAt } = heard.exchange;
  // Without an answer it may be carried out a little after its caller gave up.
  const at = heard.exchange.at + (isCertain ? 0 : UNDER_WAY);
  replaceOn(pos, made, { from: sentAt, to: at }, isCertain);
}

export function replaceOn(
  pos: PointOfSale,
  made: PaymentRequest | undefined,
  span: { readonly from: number; readonly to: number },
  isAnswered: boolean,
): void {
  const types = pos.type.within(span.from, span.to);
  if (types.length > 0 && !types.includes('physical')) return;
  // Of two at once, either may have come second.
  if (made === undefined) pos.unanswered = [...pos.unanswered.slice(-20), span];
  else made.expiry = [...made.expiry, ...pos.unanswered.filter(({ to }) => to >= span.from)];
  const isCertain = isAnswered && types.length > 0 && types.every((type) => type === 'physical');
  for (let index = pos.requests.length - 1, looked = 0; index >= 0 && looked < 20; index -= 1, looked += 1) {
    const previous = pos.requests[index]!;
    if (
      previous.isTyped ||
      previous === made ||
      previous.made.from > span.to ||
      isEnded(previous.shown.latest())
    )
      continue;
    const isLater = previous.expiry.every(({ from }) => from > span.to);
    const isBefore = made === undefined || previous.made.to < span.from;
    if (previous.expiry.every(({ to }) => to < span.from)) continue;
    // Of two at once, either may have come second.
    if (made !== undefined && previous.made.to >= span.from) made.expiry = [...made.expiry, span];
    if (isCertain && isLater && isBefore && isUntouched(previous)) previous.expiry = [span];
    else previous.expiry = [...previous.expiry, span];
  }
}

export function isUntouched(request: PaymentRequest): boolean {
  if (request.maybeSelected.size > 0 || RANK[request.shown.latest()] >= RANK.processing) return false;
  return !request.selections.some(mayBePaid);
}

export function takeExpiry(request: PaymentRequest, shown: number, known: Known): void {
  const [only] = request.expiry;
  if (request.expiry.length === 1 && only!.from === shown && only!.to === shown) return;
  const fitting = request.expiry.filter(({ from, to }) => from <= shown && shown <= to);
  known.expect(fitting.length > 0 || request.expiry.length === 0, 'expires_at', request.about, [
    request.expiry.map(({ from, to }) => `${iso(from)} to ${iso(to)}`).join(' or '),
    iso(shown),
  ]);
  // Another span may still hold: a replacement that was not answered may be carried out later.
  const later = request.expiry.filter(
    (span) => !fitting.includes(span) && span.to > known.now - 60_000 && span.from < shown,
  );
  request.expiry = [{ from: shown, to: shown }, ...later];
}

export function mayExpireNow(request: PaymentRequest, heard: Heard): 'must' | 'may' | 'no' {
  const { sentAt } = heard.exchange;
  const floor = request.shown.before(sentAt);
  // Whether a window that has ended by itself is ended once more, or refused, is not stated.
  if (floor === 'expired') return 'may';
  if (floor === 'processing' || isEnded(floor)) return 'no';
  const chain = chainOf(request);
  const isNear = request.expiry.some(({ from }) => from <= heard.exchange.at + 1000);
  if (chain === undefined || chain.head < 0) return isNear || request.maybeSelected.size > 0 ? 'may' : 'must';
  const statuses = outlook(request, request.read.before(sentAt), chain.head).statuses;
  const isSure = !isNear && statuses.size === 1 && statuses.has('created');
  return isSure && isUntouched(request) ? 'must' : 'may';
}

function iso(time: number): string {
  return Number.isFinite(time) ? new Date(time).toISOString() : String(time);
}

/** Sales that begin within it may be made in either order. */
const AT_ONCE = 2_000;
/** A request is compared with so many of the newest of its point of sale. */
const NEIGHBOURS = 20;

/** A physical POS has one open request of its merchant: the later of two unpaid ones ends the window of the other. */
export function judgeOneOpen(request: PaymentRequest, known: Known): void {
  const pos = known.pointsOfSale.get(request.posId);
  if (pos === undefined) return;
  for (const other of pos.requests.slice(-NEIGHBOURS)) {
    if (
      other === request ||
      request.isTyped ||
      other.isTyped ||
      !areBothOpen(request, other) ||
      !endedOneAnother(request, other, pos)
    )
      continue;
    const ids = [request, other].map(({ id }) => id).sort();
    known.differ('a physical POS has one open request', `POS ${pos.id}`, [
      'one of them ended when the other was made',
      ids,
    ]);
  }
}

function areBothOpen(one: PaymentRequest, other: PaymentRequest): boolean {
  const [ended, otherEnded] = [one, other].map(endOf);
  if (ended === undefined || otherEnded === undefined) return false;
  const both = Math.max(one.createdAt!, other.createdAt!) + AT_ONCE;
  const areKnown = Math.min(one.endReadAt, other.endReadAt) > Math.max(one.made.to, other.made.to);
  return areKnown && both < ended && both < otherEnded && [one, other].every(isUntouched);
}

function endedOneAnother(one: PaymentRequest, other: PaymentRequest, pos: PointOfSale): boolean {
  const secondBegins = Math.max(one.made.from, other.made.from);
  return [one, other]
    .filter(({ made }) => made.to >= secondBegins)
    .every(({ made }) => {
      const types = pos.type.within(made.from, made.to);
      return types.length > 0 && types.every((type) => type === 'physical');
    });
}

/** @returns when the window of a request ends; undefined where that is not certain */
function endOf({ expiry, createdAt, isStrange }: PaymentRequest): number | undefined {
  const [only] = expiry;
  const isExact = expiry.length === 1 && only!.from === only!.to && createdAt !== null && !isStrange;
  return isExact ? only!.to : undefined;
}
