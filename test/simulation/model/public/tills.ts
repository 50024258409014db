import { open, together, VALID, type Heard, type Rule, type Rules, type Verdict } from '../exchange/heard.js';
import type { Known } from '../known/known.js';
import { objectOf, textOf, type Json } from '../known/values.js';
import { UNDER_WAY } from '../requests/expiry.js';
import { isEnded, type PaymentRequest } from '../requests/payment-request.js';
import { takeRequest } from '../requests/reading.js';
import { allowedStatuses } from '../requests/status.js';
import { sessionRequest } from './sessions.js';

function openVerdict(heard: Heard, known: Known): Verdict {
  const pos = known.pointsOfSale.get(known.tills.get(heard.params.code!) ?? '');
  if (pos === undefined) return open('not_found', 'no_open_request', 'validation_failed');
  const { sentAt, at } = heard.exchange;
  const isOpen = pos.requests.some(
    (request) =>
      !request.isFound &&
      request.made.to < sentAt &&
      request.expiry.every(({ from }) => from > at + 1000) &&
      [...allowedStatuses(request, heard.exchange, known)].every((status) => !isEnded(status)),
  );
  const isTill = !pos.type.within(sentAt, at).includes('online');
  return together(isOpen ? VALID : open('no_open_request'), isTill ? VALID : open('not_found'));
}

function take(heard: Heard, data: unknown, known: Known, isNew: boolean): void {
  // As payment links answer it, or bare.
  const answered = objectOf(data);
  const shown = objectOf(answered.checkout_session ?? answered);
  const session = isNew ? shown : withoutAlias(shown);
  const code = heard.params.code!;
  const posId = known.tills.get(code) ?? textOf(session.point_of_sale_id);
  const mayBeNew = isNew || !known.tills.has(code);
  const request = sessionRequest(session, posId, mayBeNew, heard, known, ['payer', 'direct', 'checkout']);
  if (request === undefined) return;
  if (posId !== '' && request.posId !== '') {
    known.equal('a till shows its own POS', request.about, [posId, request.posId]);
  }
  if (request.posId !== '') {
    known.tills.set(code, request.posId);
    const types =
      known.pointsOfSale.get(request.posId)?.type.within(heard.exchange.sentAt, heard.exchange.at) ?? [];
    const is = types.length === 0 || types.includes('physical');
    known.expect(is, 'a till is a physical POS', request.about, ['physical', types]);
  }
  if (!isNew) {
    const rule = 'a till shows no payer what another has typed';
    known.expect(!request.isTyped, rule, request.about, ['a request of the merchant', session]);
  } else {
    request.isTyped = true;
    request.amount ??= textOf(heard.body.amount);
    request.coinCode ??= textOf(heard.body.coin_code);
    mayReplace(heard, known, heard.exchange.at, request);
  }
  takeRequest(request, session, heard, known, 'session');
}

function withoutAlias(shown: Json): Json {
  const { session_id: _id, checkout_url: _url, hosted_checkout_url: _page, ...session } = shown;
  return session;
}

function mayReplace(
  { body, exchange, params }: Heard,
  known: Known,
  to: number,
  made?: PaymentRequest,
): void {
  const named = known.sessions.get(textOf(body.replaces));
  if (named === undefined || named === made || named.posId !== known.tills.get(params.code!)) return;
  const isOver = named.expiry.every((span) => span.to < exchange.sentAt);
  if (!isOver) named.expiry = [...named.expiry, { from: exchange.sentAt, to }];
}

const create: Rule = {
  verdict: (heard, known) =>
    together(
      known.tills.has(heard.params.code!) ? VALID : open('not_found'),
      open(
        'validation_failed',
        'unknown_field',
        'state_conflict',
        'not_found',
        'rate_unavailable',
        'settlement_address_missing',
      ),
    ),
  done: (heard, data, known) => take(heard, data, known, true),
  unanswered: (heard, known) => {
    const parent = known.tills.get(heard.params.code!) ?? '';
    if (parent !== '') known.makers.pointsOfSale.add(parent);
    known.unanswered.add('payer', parent, heard);
    mayReplace(heard, known, heard.exchange.at + UNDER_WAY);
  },
};

export const tillRules: Rules = {
  'read till': { verdict: openVerdict, done: (heard, data, known) => take(heard, data, known, false) },
  'pay at till': create,
};
