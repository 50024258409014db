import type { AnswerFact } from '../../facts/fact.js';
import { posOf } from '../accounts/points-of-sale.js';
import type { Heard, Rules } from '../exchange/heard.js';
import { units, isNewUuid, objectOf, textOf, timeOf, type Json, isUuid, lower } from '../known/values.js';
import type { Known } from '../known/known.js';
import { checkoutVerdict, directVerdict } from './creation-verdicts.js';
import { replacePrevious } from './expiry.js';
import { newRequest, WINDOW, type PaymentRequest, type Span } from './payment-request.js';
import { takeRequest } from './reading.js';

/** The span in which what an answer shows was made: long ago where it is a stored answer. */
export function madeIn(heard: Heard, answer: AnswerFact): Span {
  const { sentAt, at } = heard.exchange;
  const isReplay = answer.headers['idempotency-replayed'] === 'true';
  return { from: isReplay ? sentAt - 24 * 3_600_000 : sentAt, to: at };
}

function done(heard: Heard, data: unknown, known: Known, answer: AnswerFact, isCheckout: boolean): void {
  const record = objectOf(data);
  const about = `payment request ${textOf(record.id)}`;
  if (!known.expect(isNewUuid(record.id), 'the id is a UUIDv7', about, ['a UUIDv7', record.id])) return;
  const made = madeIn(heard, answer);
  const existing = known.requests.get(record.id as string);
  if (existing !== undefined && !existing.isFound && made.from === heard.exchange.sentAt) {
    known.differ('each creation makes a payment request of its own', about, ['a new id', record.id]);
    return;
  }
  const request = make(record, heard, known, made, isCheckout);
  replacePrevious(request, heard, known, true);
  takeRequest(request, record, heard, known, 'create');
  known.expect(
    record.status === 'created' || (isCheckout && record.status === 'pending'),
    'the status of a new request',
    about,
    [isCheckout ? 'created or pending' : 'created', record.status],
  );
}

function make(record: Json, heard: Heard, known: Known, made: Span, isCheckout: boolean): PaymentRequest {
  const pos = posOf(heard.params.pos!, heard.organization, known);
  const id = textOf(record.id);
  const existing = known.requests.get(id);
  if (existing !== undefined) {
    // It was shown while its creation was under way.
    if (existing.isFound) ask(existing, heard, known);
    return existing;
  }
  pos.accountId ??= typeof record.account_id === 'string' ? record.account_id : null;
  const facts = {
    id,
    posId: pos.id,
    accountId: pos.accountId ?? '',
    organizationId: pos.organizationId,
    isCheckout,
    made,
    answer: record,
  };
  const view = Math.max(-1, ...[...known.chains.values()].map(({ head }) => head));
  const request = newRequest(
    facts,
    record.status === 'pending' ? 'pending' : 'created',
    made.from < heard.exchange.sentAt ? -1 : view,
  );
  const created = timeOf(record.created_at) ?? null;
  const expires = timeOf(record.expires_at);
  request.createdAt = created ?? (expires === null ? null : expires - WINDOW);
  request.expiry = [
    expires === null ? { from: made.from + WINDOW, to: made.to + WINDOW } : { from: expires, to: expires },
  ];
  ask(request, heard, known);
  known.requests.set(id, request);
  pos.requests.push(request);
  known.expect(
    // A stored answer may be of before.
    made.from < heard.exchange.sentAt || known.accounts.get(request.accountId)?.deleted?.isCertain !== true,
    'an account with something open is not deleted',
    `payment request ${id}`,
    ['no creation, or no deletion', 'both'],
  );
  return request;
}

function ask(request: PaymentRequest, { body }: Heard, known: Known): void {
  request.isFound = false;
  request.isByService = false;
  request.referenceId = typeof body.reference_id === 'string' ? body.reference_id : undefined;
  if (request.isCheckout) {
    request.amount = textOf(body.amount);
    request.coinCode = textOf(body.coin_code);
    return;
  }
  const asset = known.asset(body.unique_asset_id);
  const amount = asset === undefined ? null : units(body.amount, asset.fact.decimals);
  request.options.set(lower(body.unique_asset_id), amount);
}

function unanswered(heard: Heard, known: Known, kind: string): void {
  known.unanswered.add(kind, heard.params.pos!, heard);
  replacePrevious(undefined, heard, known, false);
}

export const creation: Rules = {
  'create request': {
    verdict: directVerdict,
    done: (heard, data, known, answer) => done(heard, data, known, answer, false),
    unanswered: (heard, known) => unanswered(heard, known, 'direct'),
  },
  'create checkout': {
    verdict: checkoutVerdict,
    done: (heard, data, known, answer) => done(heard, data, known, answer, true),
    unanswered: (heard, known) => unanswered(heard, known, 'checkout'),
  },
};

/**
 * A request that is shown and that no answer has told of: one whose creation was not answered, or one that the service made by
 * itself, for a charge or for a payer.
 */
export function adopt(record: Json, heard: Heard, known: Known): PaymentRequest | undefined {
  const id = textOf(record.id);
  if (!isUuid(record.id)) {
    known.differ('the id of a payment request', `payment request ${id}`, ['a UUID', record.id]);
    return undefined;
  }
  const posId = textOf(record.point_of_sale_id) || (heard.params.pos ?? '');
  const isCheckout = record.session_id !== undefined || record.coin_code !== undefined;
  const explained = known.unanswered.explain(
    id,
    ({ kind, parent, body }) =>
      parent === posId &&
      kind === (isCheckout ? 'checkout' : 'direct') &&
      body.reference_id === record.reference_id &&
      Number(body.amount) === Number(record.amount),
    timeOf(record.created_at),
  );
  const isByService = known.makers.pointsOfSale.has(posId) || posId === '';
  if (explained === undefined && !isByService) {
    known.differ('every request was created by somebody', `payment request ${id}`, ['a creation', record]);
  }
  const made: Span = { from: explained?.sentAt ?? 0, to: heard.exchange.at };
  const request = foundRequest(id, posId, record, made, isCheckout, heard.organization, known);
  request.isByService = explained === undefined && !isCheckout;
  return request;
}

export function foundRequest(
  id: string,
  posId: string,
  record: Json,
  made: Span,
  isCheckout: boolean,
  organizationId: string | null,
  known: Known,
): PaymentRequest {
  // Payers are shown sessions without the POS.
  const pos = posId === '' ? undefined : posOf(posId, organizationId, known);
  if (pos !== undefined && typeof record.account_id === 'string') pos.accountId ??= record.account_id;
  const facts = {
    id,
    posId,
    accountId: textOf(record.account_id) || (pos?.accountId ?? ''),
    organizationId: pos?.organizationId || (organizationId ?? ''),
    isCheckout,
    made,
    answer: record,
  };
  const request = newRequest(facts, 'pending', -1);
  request.createdAt = timeOf(record.created_at);
  const expires = timeOf(record.expires_at);
  request.expiry =
    expires === null
      ? [{ from: made.from + WINDOW, to: made.to + WINDOW }]
      : [{ from: expires, to: expires }];
  request.referenceId = typeof record.reference_id === 'string' ? record.reference_id : undefined;
  request.isStrange = true;
  request.isFound = true;
  known.requests.set(id, request);
  pos?.requests.push(request);
  return request;
}
