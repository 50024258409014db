import type { Heard } from '../exchange/heard.js';
import type { Known, PointOfSale } from '../known/known.js';
import { mayBePaid, outlook } from './outlook.js';
import { isEnded, RANK, type PaymentRequest } from './payment-request.js';
import { chainOf } from './status.js';

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

/** @returns whether no payment was ever sent to a request */
export function isUntouched(request: PaymentRequest): boolean {
  if (request.maybeSelected.size > 0 || RANK[request.shown.latest()] >= RANK.processing) return false;
  return !request.selections.some(mayBePaid);
}

/** Judges the end of a request's window as it was shown. */
export function takeExpiry(request: PaymentRequest, shown: number, known: Known): void {
  const [only] = request.expiry;
  if (request.expiry.length === 1 && only!.from === shown && only!.to === shown) return;
  const fitting = request.expiry.filter(({ from, to }) => from <= shown && shown <= to);
  known.findings.expect(
    fitting.length > 0 || request.expiry.length === 0,
    'expires_at',
    `payment request ${request.id}`,
    request.expiry.map(({ from, to }) => `${iso(from)} to ${iso(to)}`).join(' or '),
    iso(shown),
  );
  // Another span may still hold: a replacement that was not answered may be carried out later.
  const later = request.expiry.filter(
    (span) => !fitting.includes(span) && span.to > known.now - 60_000 && span.from < shown,
  );
  request.expiry = [{ from: shown, to: shown }, ...later];
}

/** @returns what may be answered where somebody ends the window of a request now. */
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
