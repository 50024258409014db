import { open, refused, together, type Heard, type Verdict, type Rules } from '../exchange/heard.js';
import { unknownFields } from '../exchange/lists.js';
import { posVerdict, posOf } from '../accounts/points-of-sale.js';
import {
  requestedAmount,
  isObject,
  textOf,
  lower,
  units,
  isNewUuid,
  objectOf,
  timeOf,
  type Json,
  isUuid,
} from '../known/values.js';
import type { Known, PointOfSale } from '../known/known.js';
import { type Asset, newRequest, WINDOW, type PaymentRequest, type Span } from './payment-request.js';
import type { AnswerFact } from '../../facts/fact.js';
import { replacePrevious } from './status.js';
import { takeRequest } from './reading.js';

const ORDER = ['total', 'coin_code', 'description', 'merchant', 'items'];
const PEGGED_AND_UNSURE = ['rate_unavailable', 'validation_failed'];

/** The merchant's own order id: 1 to 128 characters, no control characters. */
export function referenceVerdict(reference: unknown): Verdict {
  if (reference === undefined) return { must: [], may: [] };
  if (typeof reference !== 'string') return refused('reference_id is no text', 'validation_failed');
  const length = [...reference].length;
  // eslint-disable-next-line no-control-regex
  if (length < 1 || reference.length > 128 * 2 || length > 128 || /[\u0000-\u001f\u007f]/.test(reference)) {
    return refused('reference_id has 1 to 128 characters and no control characters', 'validation_failed');
  }
  return reference.trim() === reference && reference.length <= 128
    ? { must: [], may: [] }
    : open('validation_failed');
}

function orderVerdict(order: unknown): Verdict {
  if (order === undefined) return { must: [], may: [] };
  if (!isObject(order)) return refused('the order is no object', 'validation_failed');
  const unknown = Object.keys(order).filter((name) => !ORDER.includes(name) && order[name] !== null);
  if (unknown.length > 0)
    return refused(
      `unknown fields in the order: ${unknown.join(', ')}`,
      'unknown_field',
      'validation_failed',
    );
  return open('validation_failed', 'unknown_field');
}

export function termsVerdict(
  assets: readonly Asset[],
  pos: PointOfSale | undefined,
  heard: Heard,
  known: Known,
): Verdict {
  const account = pos?.accountId == null ? undefined : known.accounts.get(pos.accountId);
  if (account === undefined) return open('settlement_address_missing');
  const { sentAt, at } = heard.exchange;
  const each = assets.map(({ network }) => known.termsWithin(account, network, sentAt, at));
  if (each.every((terms) => !terms.includes(undefined))) return { must: [], may: [] };
  const isCertain = each.length > 0 && each.every((terms) => terms.every((fact) => fact === undefined));
  if (!isCertain) return open('settlement_address_missing');
  return refused('no settlement address is set', 'settlement_address_missing');
}

export function directVerdict(heard: Heard, known: Known): Verdict {
  const { body, exchange } = heard;
  const pos = known.pointsOfSale.get(heard.params.pos!);
  const parts = [
    posVerdict(heard, known),
    unknownFields(body, ['amount', 'unique_asset_id', 'reference_id', 'order']),
    referenceVerdict(body.reference_id),
    orderVerdict(body.order),
  ];
  const id = lower(body.unique_asset_id);
  const versions = pos?.options.within(exchange.sentAt, exchange.at) ?? [];
  const asset = known.assets.get(id);
  if (asset === undefined || (versions.length > 0 && versions.every((options) => !options.has(id)))) {
    parts.push(refused('the asset is none of the POS’s payment options', 'validation_failed'));
  } else if (versions.length === 0 || versions.some((options) => !options.has(id))) {
    parts.push(open('validation_failed'));
  }
  if (asset !== undefined) {
    parts.push(amountVerdict(body.amount, asset), termsVerdict([asset], pos, heard, known));
  } else if (requestedAmount(body.amount, 18) === 'refused') {
    parts.push(refused('the amount is no amount', 'validation_failed'));
  }
  return together(...parts);
}

/** An amount greater than zero and at least the asset's minimum, with no more fraction digits than the asset has. */
export function amountVerdict(text: unknown, asset: Asset): Verdict {
  const amount = requestedAmount(text, asset.fact.decimals);
  if (amount === 'open') return open('validation_failed');
  if (amount === 'refused') return refused('the amount is no amount of the asset', 'validation_failed');
  const minimum = requestedAmount(asset.fact.minimumAmount, asset.fact.decimals);
  if (typeof minimum === 'bigint' && amount < minimum) {
    return refused('the amount is below the asset’s minimum', 'validation_failed');
  }
  // No largest amount is stated, but the storage of one ends at 78 digits.
  return amount >= 10n ** 30n ? open('validation_failed') : { must: [], may: [] };
}

export function isWithoutRate(asset: Asset, coinCode: string): boolean {
  return asset.fact.symbol === coinCode || asset.fact.currency === coinCode;
}

export function checkoutVerdict(heard: Heard, known: Known): Verdict {
  const { body, exchange } = heard;
  const pos = known.pointsOfSale.get(heard.params.pos!);
  const parts = [
    posVerdict(heard, known),
    unknownFields(body, ['amount', 'coin_code', 'reference_id', 'order', 'return_url']),
    referenceVerdict(body.reference_id),
    orderVerdict(body.order),
  ];
  const url = body.return_url;
  if (url !== undefined) {
    const isUrl = typeof url === 'string' && /^https:\/\/[^/\s]+/.test(url);
    parts.push(
      isUrl ? open('validation_failed') : refused('return_url is no HTTPS URL', 'validation_failed'),
    );
  }
  const coin = body.coin_code;
  if (typeof coin !== 'string' || coin === '')
    parts.push(refused('coin_code is required', 'validation_failed'));
  if (requestedAmount(body.amount, 18) === 'refused') {
    parts.push(refused('the amount is no amount', 'validation_failed'));
  }
  const versions = pos?.options.within(exchange.sentAt, exchange.at) ?? [];
  const assets = (versions.length === 1 ? [...versions[0]!] : []).map((id) => known.assets.get(id));
  if (assets.length === 0 || assets.some((asset) => asset === undefined)) {
    return together(...parts, open(...PEGGED_AND_UNSURE, 'settlement_address_missing'));
  }
  const all = assets as readonly Asset[];
  parts.push(termsVerdict(all, pos, heard, known));
  if (!all.every((asset) => isWithoutRate(asset, textOf(coin))))
    return together(...parts, open(...PEGGED_AND_UNSURE));
  const isFine = all.every(({ fact }) => fact.symbol === coin) || !/\.\d{3,}$/.test(textOf(body.amount));
  // A currency may have fewer fraction digits than the asset that is pegged to it.
  if (!isFine) parts.push(open('validation_failed'));
  const amounts = all.map((asset) => amountVerdict(body.amount, asset));
  const isBad = amounts.every(({ must }) => must.length > 0);
  return together(
    ...parts,
    isBad ? amounts[0]! : open(...amounts.flatMap(({ must, may }) => [...must, ...may])),
  );
}

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
