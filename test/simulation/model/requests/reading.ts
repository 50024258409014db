import type { Heard } from '../exchange/heard.js';
import {
  decimal,
  units,
  isAddress,
  isObject,
  sameJson,
  textOf,
  timeOf,
  type Json,
  listOf,
  objectOf,
} from '../known/values.js';
import type { Known } from '../known/known.js';
import { takeExpiry, judgeOneOpen } from './expiry.js';
import { isStatus, WINDOW, type PaymentRequest, OUTCOMES, type Status } from './payment-request.js';
import { takeReceived } from './received.js';
import { takeSelected } from './selections.js';
import { takeFulfilled } from './tolerance.js';
import { showStatus, isAtRest, type Moment } from './status.js';

export type Shown = 'create' | 'read' | 'list' | 'session';

export function takeRequest(
  request: PaymentRequest,
  record: Json,
  heard: Heard,
  known: Known,
  how: Shown,
): void {
  if (how !== 'list' || record.type !== undefined) {
    known.equal('the type of a payment request', request.about, ['fixed', record.type]);
  }
  takeFixed(request, record, how, known);
  const expires = timeOf(record.expires_at);
  if (expires !== null) takeEnd(request, expires, heard, known);
  else if (how !== 'list') known.differ('expires_at', request.about, ['a timestamp', record.expires_at]);
  if (how === 'create') judgeWindow(request, record, expires, known);
  const isWhole = takeSelected(request, record, heard, known);
  if (!isWhole) request.isStrange = true;
  else if (how === 'read' || request.selections.length > 0) request.isStrange = false;
  if (
    !known.expect(isStatus(record.status), 'the status of a payment request', request.about, [
      'a status',
      record.status,
    ])
  ) {
    return;
  }
  const moment = heard.exchange;
  if (isStatus(record.status)) showStatus(request, record.status, moment, known, how);
  takeReceived(request, record, moment, known);
  takeHistory(request, record, moment, known);
  takeFulfilled(request, record, heard.exchange.at, known);
}

function takeEnd(request: PaymentRequest, expires: number, { exchange }: Heard, known: Known): void {
  takeExpiry(request, expires, known);
  request.endReadAt = exchange.sentAt;
  judgeOneOpen(request, known);
}

function takeFixed(request: PaymentRequest, record: Json, how: Shown, known: Known): void {
  const { about } = request;
  const same = (name: string, expected: unknown, isNeeded = false): void => {
    if (record[name] === undefined && !isNeeded) return;
    known.equal(`the ${name} of a payment request`, about, [expected, record[name]]);
  };
  same('id', request.id, how !== 'session');
  if (how !== 'list') {
    const isToken = textOf(record.token) !== '';
    known.expect(isToken, 'the token of a payment request', about, ['a text', record.token]);
  }
  if (request.posId !== '')
    same(
      'point_of_sale_id',
      request.posId,
      how !== 'session' && how !== 'list' && !(request.isCheckout && how === 'create'),
    );
  if (request.accountId !== '') same('account_id', request.accountId);
  else request.accountId = textOf(record.account_id);
  // A payment link's session is shown without it.
  if (how !== 'session' || record.reference_id !== undefined) {
    known.equal('the reference_id of a payment request', about, [request.referenceId, record.reference_id]);
  }
  const created = timeOf(record.created_at);
  if (record.created_at !== undefined) {
    const { from, to } = request.made;
    const is = created !== null && created >= from - 2000 && created <= to + 2000;
    known.expect(is, 'created_at', about, [`${from} to ${to}`, record.created_at]);
  }
  for (const name of ['token', 'checkout_url', 'hosted_checkout_url', 'session_id', 'order', 'created_at']) {
    const before = request.answer[name];
    if (before === undefined || record[name] === undefined) continue;
    // A token may be signed anew; where it is, it is still a text.
    if (name === 'token') continue;
    known.expect(sameJson(before, record[name]), `the ${name} of a payment request stays`, about, [
      before,
      record[name],
    ]);
  }
  if (!isObject(request.answer.id) && Object.keys(request.answer).length < Object.keys(record).length) {
    request.answer = { ...record, ...request.answer };
  }
  learnAccess(request, record, known);
  if (request.isCheckout) takePrice(request, record, known);
  else if (how !== 'session') takeDirect(request, record, how, known);
}

function learnAccess(request: PaymentRequest, record: Json, known: Known): void {
  const session = textOf(record.session_id);
  if (session !== '' && request.sessionId === undefined) {
    request.sessionId = session;
    const other = known.sessions.get(session);
    known.expect(other === undefined, 'a session id is used once', `session ${session}`, [
      'a new one',
      other?.id,
    ]);
    known.sessions.set(session, request);
    const hosted = textOf(record.hosted_checkout_url);
    const isHosted = record.hosted_checkout_url === undefined || hosted.endsWith(`/checkout/${session}`);
    known.expect(isHosted, 'hosted_checkout_url', request.about, ['…/checkout/{session_id}', hosted]);
  }
  const url = textOf(record.checkout_url);
  if (URL.canParse(url)) known.checkoutPaths.set(new URL(url).pathname, request);
}

function takePrice(request: PaymentRequest, record: Json, known: Known): void {
  request.coinCode ??= typeof record.coin_code === 'string' ? record.coin_code : undefined;
  request.amount ??= typeof record.amount === 'string' ? record.amount : undefined;
  if (record.coin_code !== undefined) {
    known.equal('the coin_code of a checkout', request.about, [request.coinCode, record.coin_code]);
  }
  if (record.amount !== undefined && record.coin_code !== undefined) {
    const is = units(record.amount, 18) !== null && units(record.amount, 18) === units(request.amount, 18);
    const isLoose = Number(record.amount) === Number(request.amount);
    known.expect(is || isLoose, 'the amount of a checkout', request.about, [request.amount, record.amount]);
  }
}

function takeDirect(request: PaymentRequest, record: Json, how: Shown, known: Known): void {
  const [id] = request.options.keys();
  const asset = known.asset(id ?? record.unique_asset_id);
  if (asset === undefined) return;
  const { fact } = asset;
  const expected: Json = {
    unique_asset_id: fact.uniqueAssetId,
    currency: fact.symbol,
    network: asset.network,
  };
  for (const [name, value] of Object.entries(expected)) {
    if (how === 'list' && record[name] === undefined) continue;
    known.equal(`the ${name} of a payment request`, request.about, [value, record[name]]);
  }
  if (record.address !== undefined || request.selections.length === 0) {
    known.expect(isAddress(record.address), 'the address of a payment request', request.about, [
      'an address',
      record.address,
    ]);
  }
  const asked = request.options.get(id ?? '') ?? request.selections[0]?.amount;
  if (asked === undefined || (how === 'list' && record.amount === undefined)) return;
  const text = decimal(asked, fact.decimals);
  const is = units(record.amount, fact.decimals) === asked;
  known.expect(is, 'the amount of a payment request', request.about, [text, record.amount]);
}

function judgeWindow(
  request: PaymentRequest,
  record: Json,
  expires: number | null,
  { findings }: Known,
): void {
  const created = timeOf(record.created_at);
  const isDirect = !request.isCheckout;
  if (isDirect)
    findings.expect(created !== null, 'created_at', request.about, ['a timestamp', record.created_at]);
  if (expires === null) return;
  const { from, to } = request.made;
  const is =
    created === null
      ? expires >= from + WINDOW - 2000 && expires <= to + WINDOW + 2000
      : Math.abs(expires - created - WINDOW) <= 1000;
  findings.expect(is, 'the window is 8 minutes from creation', request.about, [
    `${created ?? from} + ${WINDOW}`,
    record.expires_at,
  ]);
}

/** Statuses that may follow one another in a history. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  '': ['pending', 'created'],
  pending: ['created', 'expired', 'failed'],
  // A payer may choose another asset.
  created: ['created', 'processing', 'expired', 'failed'],
  processing: ['completed', 'overpaid', 'underpaid', 'expired', 'failed', 'created'],
  completed: ['confirmed'],
  overpaid: ['confirmed'],
  underpaid: ['confirmed'],
  confirmed: [],
  expired: [],
  failed: [],
};

export function takeHistory(request: PaymentRequest, record: Json, moment: Moment, known: Known): void {
  if (record.status_history !== undefined) {
    const shown = listOf(record.status_history).map((entry) => {
      const { status, at } = objectOf(entry);
      return { status: textOf(status), at: textOf(at) };
    });
    judgeOrder(shown, request.about, known);
    const isOlder = shown.length < request.history.length;
    const [short, long] = isOlder ? [shown, request.history] : [request.history, shown];
    const isPrefix = short.every(
      (entry, index) => entry.status === long[index]!.status && entry.at === long[index]!.at,
    );
    known.expect(isPrefix, 'a history only grows', request.about, [request.history, shown]);
    if (!isOlder) request.history = shown;
    const steps = shown.filter(({ status }) => status !== 'confirmed');
    const last = steps[steps.length - 1]?.status;
    known.equal('the history ends with the status', request.about, [record.status, last]);
  }
  takeConfirmed(request, record, moment, known);
}

function judgeOrder(
  shown: readonly { status: string; at: string }[],
  about: string,
  { findings }: Known,
): void {
  let before = '';
  let latest = -Infinity;
  for (const { status, at } of shown) {
    findings.expect(NEXT[before]?.includes(status) ?? false, 'the order of a history', about, [
      NEXT[before]?.join(' or ') ?? 'a status',
      `${before} → ${status}`,
    ]);
    const time = timeOf(at);
    const isLater = time !== null && time >= latest - 1000;
    findings.expect(isLater, 'the times of a history', about, ['timestamps in order', at]);
    latest = time ?? latest;
    before = status;
  }
}

function takeConfirmed(request: PaymentRequest, record: Json, { sentAt }: Moment, known: Known): void {
  const { about } = request;
  const isOutcome = OUTCOMES.includes(record.status as Status);
  const step = listOf(record.status_history)
    .map(objectOf)
    .find(({ status }) => status === 'confirmed');
  if (record.confirmed_at !== undefined) {
    known.expect(isOutcome, 'only an outcome is confirmed', about, [
      'no confirmed_at',
      `${textOf(record.status)}, confirmed_at`,
    ]);
    known.expect(timeOf(record.confirmed_at) !== null, 'confirmed_at', about, [
      'a timestamp',
      record.confirmed_at,
    ]);
    const isSame = request.confirmedAt === undefined || request.confirmedAt === record.confirmed_at;
    known.expect(isSame, 'confirmed_at stays', about, [request.confirmedAt, record.confirmed_at]);
    request.confirmedAt = textOf(record.confirmed_at);
  }
  if (record.status_history === undefined) return;
  const has = record.confirmed_at !== undefined;
  const fits = step === undefined ? !has : has && isSameTime(step.at, record.confirmed_at);
  known.expect(fits, 'confirmed_at is the step of the history', about, [step?.at, record.confirmed_at]);
  if (isAtRest(known, sentAt) && isOutcome) {
    known.expect(has, 'an outcome is confirmed', about, ['confirmed_at', 'none at rest']);
  }
}

function isSameTime(one: unknown, other: unknown): boolean {
  return Math.abs((timeOf(one) ?? NaN) - (timeOf(other) ?? NaN)) <= 1000;
}
