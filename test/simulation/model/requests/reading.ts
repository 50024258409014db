import type { Heard } from '../exchange/heard.js';
import { decimal, units } from '../known/amounts.js';
import type { Known } from '../known/known.js';
import { isAddress, isObject, sameJson, textOf, timeOf, type Json } from '../known/values.js';
import { takeExpiry } from './expiry.js';
import { judgeOneOpen } from './one-open.js';
import { takeHistory } from './history.js';
import { isEnded, isStatus, WINDOW, type PaymentRequest } from './payment-request.js';
import { takeReceived } from './received.js';
import { takeSelected } from './selections.js';
import { takeFulfilled } from './tolerance.js';
import { showStatus } from './status.js';

/** The ways in which a payment request is shown. */
export type Shown = 'create' | 'read' | 'list' | 'session';

/** Judges a payment request as it was shown, and learns from it. */
export function takeRequest(
  request: PaymentRequest,
  record: Json,
  heard: Heard,
  known: Known,
  how: Shown,
): void {
  const { findings } = known;
  const about = `payment request ${request.id}`;
  if (how !== 'list' || record.type !== undefined) {
    findings.expect(record.type === 'fixed', 'the type of a payment request', about, 'fixed', record.type);
  }
  takeFixed(request, record, how, known);
  const expires = timeOf(record.expires_at);
  if (expires !== null) takeEnd(request, expires, heard, known);
  else if (how !== 'list') findings.differ('expires_at', about, 'a timestamp', record.expires_at);
  if (how === 'create') judgeWindow(request, record, expires, known);
  const isWhole = takeSelected(request, record, heard, known);
  if (!isWhole) request.isStrange = true;
  else if (how === 'read' || request.selections.length > 0) request.isStrange = false;
  if (
    !findings.expect(
      isStatus(record.status),
      'the status of a payment request',
      about,
      'a status',
      record.status,
    )
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

/** Fields that the creation settled. */
function takeFixed(request: PaymentRequest, record: Json, how: Shown, known: Known): void {
  const { findings } = known;
  const about = `payment request ${request.id}`;
  const same = (name: string, expected: unknown, isNeeded = false): void => {
    if (record[name] === undefined && !isNeeded) return;
    findings.expect(
      record[name] === expected,
      `the ${name} of a payment request`,
      about,
      expected,
      record[name],
    );
  };
  same('id', request.id, how !== 'session');
  if (how !== 'list') {
    const isToken = textOf(record.token) !== '';
    findings.expect(isToken, 'the token of a payment request', about, 'a text', record.token);
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
    const isExpected = record.reference_id === request.referenceId;
    findings.expect(
      isExpected,
      'the reference_id of a payment request',
      about,
      request.referenceId,
      record.reference_id,
    );
  }
  const created = timeOf(record.created_at);
  if (record.created_at !== undefined) {
    const { from, to } = request.made;
    const is = created !== null && created >= from - 2000 && created <= to + 2000;
    findings.expect(is, 'created_at', about, `${from} to ${to}`, record.created_at);
  }
  for (const name of ['token', 'checkout_url', 'hosted_checkout_url', 'session_id', 'order', 'created_at']) {
    const before = request.answer[name];
    if (before === undefined || record[name] === undefined) continue;
    // A token may be signed anew; where it is, it is still a text.
    if (name === 'token') continue;
    findings.expect(
      sameJson(before, record[name]),
      `the ${name} of a payment request stays`,
      about,
      before,
      record[name],
    );
  }
  if (!isObject(request.answer.id) && Object.keys(request.answer).length < Object.keys(record).length) {
    request.answer = { ...record, ...request.answer };
  }
  learnAccess(request, record, known);
  if (request.isCheckout) takePrice(request, record, known);
  else if (how !== 'session') takeDirect(request, record, how, known);
}

/** A session's id and the address where wallets read it. */
function learnAccess(request: PaymentRequest, record: Json, known: Known): void {
  const session = textOf(record.session_id);
  if (session !== '' && request.sessionId === undefined) {
    request.sessionId = session;
    const other = known.sessions.get(session);
    known.findings.expect(
      other === undefined,
      'a session id is used once',
      `session ${session}`,
      'a new one',
      other?.id,
    );
    known.sessions.set(session, request);
    const hosted = textOf(record.hosted_checkout_url);
    const isHosted = record.hosted_checkout_url === undefined || hosted.endsWith(`/checkout/${session}`);
    known.findings.expect(
      isHosted,
      'hosted_checkout_url',
      `payment request ${request.id}`,
      '…/checkout/{session_id}',
      hosted,
    );
  }
  const url = textOf(record.checkout_url);
  if (URL.canParse(url)) known.checkoutPaths.set(new URL(url).pathname, request);
}

function takePrice(request: PaymentRequest, record: Json, known: Known): void {
  const { findings } = known;
  const about = `payment request ${request.id}`;
  request.coinCode ??= typeof record.coin_code === 'string' ? record.coin_code : undefined;
  request.amount ??= typeof record.amount === 'string' ? record.amount : undefined;
  if (record.coin_code !== undefined) {
    const is = record.coin_code === request.coinCode;
    findings.expect(is, 'the coin_code of a checkout', about, request.coinCode, record.coin_code);
  }
  if (record.amount !== undefined && record.coin_code !== undefined) {
    const is = units(record.amount, 18) !== null && units(record.amount, 18) === units(request.amount, 18);
    const isLoose = Number(record.amount) === Number(request.amount);
    findings.expect(is || isLoose, 'the amount of a checkout', about, request.amount, record.amount);
  }
}

function takeDirect(request: PaymentRequest, record: Json, how: Shown, known: Known): void {
  const { findings } = known;
  const about = `payment request ${request.id}`;
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
    findings.expect(record[name] === value, `the ${name} of a payment request`, about, value, record[name]);
  }
  if (record.address !== undefined || request.selections.length === 0) {
    findings.expect(
      isAddress(record.address),
      'the address of a payment request',
      about,
      'an address',
      record.address,
    );
  }
  const asked = request.options.get(id ?? '') ?? request.selections[0]?.amount;
  if (asked === undefined || (how === 'list' && record.amount === undefined)) return;
  const text = decimal(asked, fact.decimals);
  const is = units(record.amount, fact.decimals) === asked;
  findings.expect(is, 'the amount of a payment request', about, text, record.amount);
}

function judgeWindow(
  request: PaymentRequest,
  record: Json,
  expires: number | null,
  { findings }: Known,
): void {
  const about = `payment request ${request.id}`;
  const created = timeOf(record.created_at);
  const isDirect = !request.isCheckout;
  if (isDirect) findings.expect(created !== null, 'created_at', about, 'a timestamp', record.created_at);
  if (expires === null) return;
  const { from, to } = request.made;
  const is =
    created === null
      ? expires >= from + WINDOW - 2000 && expires <= to + WINDOW + 2000
      : Math.abs(expires - created - WINDOW) <= 1000;
  findings.expect(
    is,
    'the window is 8 minutes from creation',
    about,
    `${created ?? from} + ${WINDOW}`,
    record.expires_at,
  );
}

export function hasEnded(request: PaymentRequest): boolean {
  return isEnded(request.shown.latest());
}
