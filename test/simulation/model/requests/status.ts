import type { Known } from '../known/known.js';
import { outlook, transfersOf, type Outlook } from './outlook.js';
import { isEnded, RANK, type PaymentRequest, type Status } from './payment-request.js';

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
    asset.chain.movedTo(address).some(({ transfer }) => tokens.hastransfer.token),
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
