import { posOf } from '../accounts/points-of-sale.js';
import type { Heard } from '../exchange/heard.js';
import type { Known } from '../known/known.js';
import type { UnansweredCreation } from '../known/unanswered.js';
import { textOf, type Json } from '../known/values.js';
import { foundRequest } from '../requests/adoption.js';
import { replaceOn } from '../requests/expiry.js';
import type { PaymentRequest } from '../requests/payment-request.js';

/** The request behind a session that a payer was shown through a link or at a till; one of `kinds` may have made it without an answer. */
export function sessionRequest(
  session: Json,
  posId: string,
  mayBeNew: boolean,
  heard: Heard,
  known: Known,
  kinds: readonly string[] = ['payer'],
): PaymentRequest | undefined {
  const id = textOf(session.id);
  const existing = known.requests.get(id) ?? known.sessions.get(textOf(session.session_id));
  if (existing !== undefined) return existing;
  const { sentAt, at } = heard.exchange;
  const isOpening = ({ kind, parent, body }: UnansweredCreation) =>
    kinds.includes(kind) &&
    parent === posId &&
    (body.amount === undefined || Number(body.amount) === Number(session.amount));
  // An answer may show what an earlier delivery has opened.
  const lost = mayBeNew ? known.unanswered.find(isOpening) : known.unanswered.explain(id, isOpening);
  known.findings.expect(
    mayBeNew || lost !== undefined || posId === '',
    'reading creates nothing',
    `payment request ${id}`,
    'a session that somebody opened',
    session,
  );
  const made = { from: lost?.sentAt ?? sentAt, to: at };
  const isCheckout = session.coin_code !== undefined || lost?.kind !== 'direct';
  const request = foundRequest(id, posId, session, made, isCheckout, null, known);
  request.referenceId ??= textOf(lost?.body.reference_id) || undefined;
  if (posId !== '') replaceOn(posOf(posId, null, known), request, made, false);
  return request;
}
