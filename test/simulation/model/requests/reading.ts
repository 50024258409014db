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
  lower,
} from '../known/values.js';
import type { Known } from '../known/known.js';
import {
  takeExpiry,
  judgeOneOpen,
  showStatus,
  isAtRest,
  type Moment,
  chainOf,
  isOpen,
  outlookFor,
} from './status.js';
import { isStatus, WINDOW, type PaymentRequest, OUTCOMES, type Status } from './payment-request.js';
import { takeSelected } from './selections.js';
import { takeFulfilled } from './tolerance.js';
import type { Moved } from '../chain/chain.js';
import { deadlineOf } from './outlook.js';

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

export function takeReceived(request: PaymentRequest, record: Json, moment: Moment, known: Known): void {
  if (isOpen(request)) return;
  const selected = objectOf(record.selected);
  judgeSum(request, record.received_amount, moment, known);
  judgeSum(request, selected.received_amount, moment, known);
  if (record.transfers !== undefined) judgeTransfers(request, record, moment, known);
}

function judgeSum(request: PaymentRequest, shown: unknown, moment: Moment, known: Known): void {
  const { about } = request;
  if (shown === undefined) return;
  if (request.selections.length === 0) {
    known.expect(units(shown, 18) === 0n, 'received_amount', about, ['0 before an asset is selected', shown]);
    return;
  }
  const received = outlookFor(request, moment, known)!.received;
  const decimals = [...new Set(request.selections.map(({ asset }) => asset.fact.decimals))];
  const fits = decimals.some((each) => {
    const amount = units(shown, each);
    return amount !== null && received.has(amount);
  });
  const expected = [...received].map((amount) => decimal(amount, decimals[0]!)).join(' or ');
  known.expect(fits, 'received_amount allowed by the chain', about, [expected, shown]);
}

function judgeTransfers(request: PaymentRequest, record: Json, { sentAt }: Moment, known: Known): void {
  const { about } = request;
  const chain = chainOf(request);
  if (chain === undefined) return;
  const unused = [...new Set(request.selections.map(({ address }) => address))].flatMap((address) => [
    ...chain.movedTo(address),
  ]);
  const deadlines = request.expiry
    .map(({ from, to }) => [from, to].map((end) => deadlineOf(request.selections[0]!, end)))
    .flat();
  const first = Math.min(...deadlines);
  const last = Math.max(...deadlines);
  const counted: Moved[] = [];
  for (const each of listOf(record.transfers).map(objectOf)) {
    const index = bestMatch(unused, each, request, known);
    if (index === -1) {
      known.differ('every transfer shown is one of the chain', about, ['a transfer to its address', each]);
      continue;
    }
    const [moved] = unused.splice(index, 1) as [Moved];
    if (each.counted === true) {
      counted.push(moved);
      known.expect(moved.block.time <= last, 'a transfer counts until the window and its grace end', about, [
        last,
        moved.block.time,
      ]);
    }
    judgeDepth(moved, each, about, known);
    if (!isAtRest(known, sentAt)) continue;
    const isFinal = chain.isFinal(moved.block, chain.head);
    known.expect(each.final === isFinal || chain.isDeep, 'final at rest', about, [isFinal, each]);
  }
  if (!isAtRest(known, sentAt)) return;
  const missing = unused.filter(
    (moved) =>
      chain.isOn(moved.block, chain.head) &&
      moved.block.time <= first &&
      moved.transfer.way !== 'inner' &&
      isSelected(request, moved),
  );
  for (const moved of missing) {
    known.differ('every counting transfer is shown', about, [moved.transfer, 'none at rest']);
  }
}

function bestMatch(unused: readonly Moved[], shown: Json, request: PaymentRequest, known: Known): number {
  const hash = lower(shown.transaction_hash);
  const fits = (moved: Moved): boolean => {
    const decimals = decimalsOf(moved, request, known);
    return (
      moved.transfer.transactionHash === hash &&
      decimals.some((each) => units(shown.amount, each) === moved.amount) &&
      (moved.transfer.way === 'inner' || moved.transfer.from === lower(shown.from))
    );
  };
  const chain = chainOf(request)!;
  const isNow = (moved: Moved) => fits(moved) && chain.isOn(moved.block, chain.head);
  // A transaction may be in one block, and later in another.
  const isThere = (moved: Moved) =>
    fits(moved) &&
    moved.block.number === shown.block_number &&
    moved.block.time === Date.parse(textOf(shown.block_time));
  if (!unused.some((moved) => isNow(moved) && isThere(moved))) {
    const there = unused.findIndex(isThere);
    if (there !== -1) return there;
  }
  const now = unused.findIndex(isNow);
  if (now !== -1) return now;
  const ever = unused.findIndex(fits);
  if (ever !== -1) return ever;
  // A balance is found by block and address alone: its transaction is not known.
  const isBalance = (moved: Moved): boolean =>
    moved.transfer.way === 'inner' &&
    decimalsOf(moved, request, known).some((each) => units(shown.amount, each) === sumInBlock(unused, moved));
  const standing = unused.findIndex((moved) => isBalance(moved) && chain.isOn(moved.block, chain.head));
  return standing !== -1 ? standing : unused.findIndex(isBalance);
}

function sumInBlock(all: readonly Moved[], { block }: Moved): bigint {
  return all
    .filter((each) => each.block === block && each.transfer.token === null)
    .reduce((total, { amount }) => total + amount, 0n);
}

function decimalsOf(moved: Moved, request: PaymentRequest, known: Known): number[] {
  const network = request.selections[0]!.asset.network;
  return [...known.assets.values()]
    .filter((asset) => asset.network === network && asset.token === moved.transfer.token)
    .map(({ fact }) => fact.decimals);
}

function isSelected(request: PaymentRequest, moved: Moved): boolean {
  const token = moved.transfer.token;
  return request.selections.some(({ asset }) => asset.token === token);
}

function judgeDepth(moved: Moved, shown: Json, about: string, known: Known): void {
  const chain = [...known.chains.values()].find((each) => each.views[moved.block.from] === moved.block);
  if (chain === undefined) return;
  const needed = chain.network.confirmations;
  const { confirmations, required_confirmations: required } = shown;
  const isNeeded = required === undefined || required === needed || required === needed + 1;
  known.expect(isNeeded, 'required_confirmations', about, [needed, required]);
  // The branch that the service has read may be another one, on which the same transaction stands.
  const hash = moved.transfer.transactionHash;
  const same = chain.movedTo(moved.transfer.to).filter(({ transfer }) => transfer.transactionHash === hash);
  const isMoved = same.some(({ block }) => block !== moved.block);
  // While another branch is read, the head may be lower than it was.
  const isSteady = !isMoved && chain.unwindings.every((view) => view <= moved.block.from);
  const most = Math.max(0, chain.views[chain.head]!.number - moved.block.number + 1);
  if (isSteady && typeof confirmations === 'number') {
    const is = confirmations >= 0 && confirmations <= most;
    known.expect(is, 'confirmations allowed by the chain', about, [`at most ${most}`, confirmations]);
  }
  if (shown.final !== true) return;
  if (isSteady && typeof confirmations === 'number' && typeof required === 'number') {
    const rule = 'a final transfer has the confirmations that it needs';
    known.expect(confirmations >= required, rule, about, [`at least ${required}`, confirmations]);
  }
  const isFinal = same.some(({ block }) => chain.firstFinal(block) !== undefined);
  known.expect(isFinal, 'a transfer is final once enough blocks stand on it', about, [
    `${needed} blocks`,
    shown,
  ]);
}
