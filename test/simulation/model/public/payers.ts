import type { AnswerFact } from '../../facts/fact.js';
import type { Heard } from '../exchange/heard.js';
import type { Known, PaymentLink } from '../known/known.js';
import { OUTCOMES, RANK, type PaymentRequest } from '../requests/payment-request.js';
import { allowedStatuses } from '../requests/status.js';
import { SHOWN_FOR } from './sessions.js';

/** Opening a link finds the session of the payer's cookie again; another one is opened where it has ended. */
export function judgePayer(
  link: PaymentLink,
  request: PaymentRequest,
  { headers }: AnswerFact,
  heard: Heard,
  known: Known,
): void {
  const cookie = /payment_link_session=([^;,\s]+)/.exec(headers['set-cookie'] ?? '')?.[1];
  if (cookie === undefined) return;
  const before = link.payers.get(cookie);
  link.payers.set(cookie, request);
  if (before === undefined || before === request || !mustBeFound(before, heard, known)) return;
  const rule = 'a payer finds the session of the cookie again';
  known.findings.differ(rule, `payment link ${link.id}`, before.id, request.id);
}

function mustBeFound(session: PaymentRequest, heard: Heard, known: Known): boolean {
  const { sentAt, at } = heard.exchange;
  const floor = session.shown.before(sentAt);
  // A session that ended is known for a day.
  if (OUTCOMES.includes(floor)) return heard.body.new !== true && at < session.made.from + SHOWN_FOR;
  const isWithin = session.expiry.every(({ from }) => from > at + 1000);
  // Nobody has an address to pay to.
  if (session.selections.length === 0 && session.maybeSelected.size === 0) return isWithin;
  const statuses = [...allowedStatuses(session, heard.exchange, known)];
  if (statuses.every((status) => status === 'processing')) return true;
  return isWithin && statuses.every((status) => RANK[status] <= RANK.processing);
}
