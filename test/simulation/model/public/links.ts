import {
  open,
  refused,
  together,
  VALID,
  type Heard,
  type Rule,
  type Rules,
  type Verdict,
} from '../exchange/heard.js';
import { pageOf, pageVerdict } from '../exchange/lists.js';
import { manyPaymentsVerdict, posOf, posVerdict } from '../accounts/points-of-sale.js';
import type { Known, PaymentLink } from '../known/known.js';
import { Timeline } from '../known/since.js';
import { isObject, objectOf, sameJson, textOf, type Json } from '../known/values.js';
import { type PaymentRequest, isEnded } from '../requests/payment-request.js';
import { takeRequest } from '../requests/reading.js';
import { judgePayer, sessionRequest, judgeChosen, maySelect } from './sessions.js';
import { UNDER_WAY, allowedStatuses } from '../requests/status.js';

const FIELDS = ['id', 'code', 'url', 'amount', 'coin_code', 'payment_options', 'created_at'];

function takeLink(data: unknown, heard: Heard, known: Known): PaymentLink | undefined {
  const record = objectOf(data);
  const code = textOf(record.code);
  const about = `payment link ${textOf(record.id)}`;
  const isShaped =
    FIELDS.every((name) => record[name] !== undefined) && typeof record.active === 'boolean' && code !== '';
  if (!known.expect(isShaped, 'the fields of a payment link', about, [FIELDS.join(', '), data]))
    return undefined;
  const posId = heard.params.pos!;
  known.makers.pointsOfSale.add(posId);
  let link = known.links.get(code);
  if (link === undefined) {
    link = {
      code,
      id: textOf(record.id),
      posId,
      fields: record,
      active: new Timeline(),
      requests: [],
      payers: new Map(),
    };
    known.links.set(code, link);
    known.linkIds.set(link.id, link);
    link.active.change(record.active === true, 0);
  }
  for (const name of FIELDS.filter((each) => each !== 'payment_options')) {
    const is = sameJson(record[name], link.fields[name]);
    known.expect(is, 'a payment link stays as it was made', about, [link.fields[name], record[name]]);
  }
  known.equal('a payment link is shown on its own POS', about, [link.posId, posId]);
  const { sentAt, at } = heard.exchange;
  const active = link.active.within(sentAt, at);
  known.expect(active.includes(record.active === true), 'a payment link is active or not', about, [
    active,
    record.active,
  ]);
  return link;
}

function switchTo(isActive: boolean): Rule {
  return {
    verdict: (heard, known) => {
      const link = known.linkIds.get(heard.params.link!);
      const pos = posVerdict(heard, known);
      if (link === undefined) return together(pos, open('not_found', 'validation_failed'));
      return link.posId === heard.params.pos ? pos : refused('the link is another POS’s', 'not_found');
    },
    done: (heard, data, known) => {
      const { sentAt, at } = heard.exchange;
      known.linkIds.get(heard.params.link!)?.active.change(isActive, sentAt, at);
      takeLink(data, heard, known);
    },
    unanswered: (heard, known) => {
      const link = known.linkIds.get(heard.params.link!);
      const before = link?.active.latest();
      link?.active.change(isActive, heard.exchange.sentAt, Infinity);
      if (before !== undefined) link?.active.change(before, heard.exchange.sentAt, Infinity);
    },
  };
}

function publicVerdict(heard: Heard, known: Known): Verdict {
  const link = known.links.get(heard.params.code!);
  if (link === undefined) return open('not_found', 'validation_failed', 'unknown_field', 'state_conflict');
  const { sentAt, at } = heard.exchange;
  const active = link.active.within(sentAt, at);
  if (!active.includes(true)) return refused('the link is inactive', 'not_found');
  if (active.includes(false)) return open('not_found');
  return VALID;
}

/** Conflicts of a session that only the payer's cookie names, and missing rates and addresses. */
const OPEN = open(
  'state_conflict',
  'validation_failed',
  'rate_unavailable',
  'settlement_address_missing',
  'not_found',
  'unknown_field',
);

function takeSession(
  heard: Heard,
  data: unknown,
  known: Known,
  mayBeNew: boolean,
): PaymentRequest | undefined {
  const link = known.links.get(heard.params.code!);
  const session = objectOf(data).checkout_session;
  const about = `payment link ${heard.params.code}`;
  if (
    !known.expect(isObject(session), 'a link answers a checkout_session', about, ['checkout_session', data])
  )
    return undefined;
  const record = session as Json;
  if (record.session_id === undefined && record.status === undefined) {
    known.expect(heard.exchange.method === 'GET', 'a session was opened', about, ['a session', record]);
    return undefined;
  }
  const request = sessionRequest(record, link?.posId ?? '', mayBeNew, heard, known);
  if (request === undefined) return undefined;
  if (link !== undefined && !link.requests.includes(request)) {
    link.requests.push(request);
    request.amount ??= textOf(link.fields.amount);
    request.coinCode ??= textOf(link.fields.coin_code);
  }
  takeRequest(request, record, heard, known, 'session');
  return request;
}

const create: Rule = {
  verdict: (heard, known) =>
    together(
      posVerdict(heard, known),
      manyPaymentsVerdict(heard, known),
      open('validation_failed', 'unknown_field', 'settlement_address_missing', 'rate_unavailable'),
    ),
  done: (heard, data, known) => {
    const link = takeLink(data, heard, known);
    if (link === undefined) return;
    for (const name of ['amount', 'coin_code']) {
      const is =
        link.fields[name] === heard.body[name] || Number(link.fields[name]) === Number(heard.body[name]);
      known.expect(is, 'a payment link is created as asked', `payment link ${link.id}`, [
        heard.body[name],
        link.fields[name],
      ]);
    }
  },
  unanswered: (heard, known) => void known.makers.pointsOfSale.add(heard.params.pos!),
};

export const linkRules: Rules = {
  'create link': create,
  'list links': {
    verdict: (heard, known) => together(posVerdict(heard, known), pageVerdict(heard, 1, false)),
    done: (heard, data, known) => {
      posOf(heard.params.pos!, heard.organization, known);
      for (const item of pageOf(data, heard, known)?.items ?? []) takeLink(item, heard, known);
    },
  },
  'activate link': switchTo(true),
  'deactivate link': switchTo(false),
  'read link': {
    verdict: publicVerdict,
    done: (heard, data, known) => void takeSession(heard, data, known, false),
  },
  'open link': {
    verdict: (heard, known) => together(publicVerdict(heard, known), OPEN),
    done: (heard, data, known, answer) => {
      const request = takeSession(heard, data, known, true);
      const link = known.links.get(heard.params.code!);
      if (request !== undefined && link !== undefined) judgePayer(link, request, answer, heard, known);
    },
    unanswered: (heard, known) => {
      known.unanswered.add('payer', known.links.get(heard.params.code!)?.posId ?? '', heard);
    },
  },
  'select on link': {
    verdict: (heard, known) => together(publicVerdict(heard, known), OPEN),
    done: (heard, data, known) => {
      const request = takeSession(heard, data, known, false);
      const session = objectOf(objectOf(data).checkout_session);
      if (request !== undefined) judgeChosen(request, session, heard, known);
    },
    unanswered: (heard, known) => {
      const requests = known.links.get(heard.params.code!)?.requests ?? [];
      for (const request of requests) maySelect(request, heard.body.unique_asset_id);
    },
  },
};

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

function takeAtTill(heard: Heard, data: unknown, known: Known, isNew: boolean): void {
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

const payAtTill: Rule = {
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
  done: (heard, data, known) => takeAtTill(heard, data, known, true),
  unanswered: (heard, known) => {
    const parent = known.tills.get(heard.params.code!) ?? '';
    if (parent !== '') known.makers.pointsOfSale.add(parent);
    known.unanswered.add('payer', parent, heard);
    mayReplace(heard, known, heard.exchange.at + UNDER_WAY);
  },
};

export const tillRules: Rules = {
  'read till': { verdict: openVerdict, done: (heard, data, known) => takeAtTill(heard, data, known, false) },
  'pay at till': payAtTill,
};
