import { unknownFields } from '../accounts/lists.js';
import { open, refused, together, VALID, type Heard, type Rule, type Verdict } from '../exchange/heard.js';
import { units } from '../known/amounts.js';
import type { Known } from '../known/known.js';
import { objectOf, textOf } from '../known/values.js';
import { isWithoutRate } from '../requests/creation-verdicts.js';
import { mayBePaid, transfersOf } from '../requests/outlook.js';
import { isEnded, type PaymentRequest } from '../requests/payment-request.js';
import { takeRequest } from '../requests/reading.js';
import { allowedStatuses, chainOf } from '../requests/status.js';

/** @returns how sure it is that a payment of at least its asset's minimum was seen */
function seen(request: PaymentRequest, sentAt: number): 'no' | 'may' | 'yes' {
  const chain = chainOf(request);
  if (chain === undefined) return 'no';
  const floor = request.shown.before(sentAt);
  const read = request.read.before(sentAt);
  let found: 'no' | 'may' = 'no';
  for (const selection of request.selections) {
    const { fact } = selection.asset;
    const minimum = units(fact.minimumAmount, fact.decimals) ?? 0n;
    if (mayBePaid(selection)) found = 'may';
    for (const moved of transfersOf(selection)) {
      if (moved.amount < minimum) continue;
      if (floor === 'processing' && read >= 0 && chain.isOn(moved.block, read)) return 'yes';
    }
  }
  return found;
}

/** The verdict about choosing an asset of a known request. */
export function choiceVerdict(request: PaymentRequest, heard: Heard, known: Known): Verdict {
  const { body, exchange } = heard;
  const parts = [unknownFields(body, ['unique_asset_id'])];
  const key = textOf(body.unique_asset_id).toLowerCase();
  const asset = known.assets.get(key);
  if (key === '' || asset === undefined) {
    parts.push(refused('unique_asset_id names no asset', 'validation_failed'));
  } else if (request.options.size > 0 && !request.options.has(key)) {
    parts.push(refused('the asset is none of the payment options', 'validation_failed', 'not_found'));
  }
  if (asset !== undefined && !isWithoutRate(asset, request.coinCode ?? ''))
    parts.push(open('rate_unavailable'));
  const floor = request.shown.before(exchange.sentAt);
  const isNear = request.expiry.some(({ from }) => from <= exchange.at + 1000);
  const isOver = request.expiry.every(({ to }) => to + 1000 < exchange.sentAt);
  const isSame = request.selections.some((each) => each.asset === asset);
  if (isEnded(floor)) parts.push(refused('the session has ended', ...endedCodes(request, exchange.at)));
  else if (isOver && !isSame && !request.maybeSelected.has(key))
    parts.push(refused('the window is over', ...endedCodes(request, exchange.at)));
  else {
    const is = seen(request, exchange.sentAt);
    if (is === 'yes' && !isSame) parts.push(refused('a payment was seen', 'state_conflict'));
    else if (is !== 'no' || isNear || request.maybeSelected.size > 0) parts.push(open('state_conflict'));
  }
  return together(...parts);
}

/** A session that ended is shown for a day; later it may be. */
export const SHOWN_FOR = 24 * 3_600_000;

/** It may have ended, paid, at any moment since it was made. */
function isForgotten({ expiry, made, shown }: PaymentRequest, at: number): boolean {
  return isEnded(shown.latest()) ? made.from + SHOWN_FOR < at : expiry.some(({ to }) => to + SHOWN_FOR < at);
}

function endedCodes(request: PaymentRequest, at: number): string[] {
  return isForgotten(request, at) ? ['state_conflict', 'not_found'] : ['state_conflict'];
}

const read: Rule = {
  verdict: (heard, known) => {
    const request = known.sessions.get(heard.params.session!);
    const isUnknown = request === undefined || isForgotten(request, heard.exchange.at);
    return isUnknown ? open('not_found', 'validation_failed') : VALID;
  },
  done: (heard, data, known) => {
    const record = objectOf(data);
    const request = known.sessions.get(heard.params.session!) ?? known.requests.get(textOf(record.id));
    if (request !== undefined) takeRequest(request, record, heard, known, 'session');
  },
};

const choose: Rule = {
  verdict: (heard, known) => {
    const request = known.sessions.get(heard.params.session!);
    return request === undefined
      ? open('not_found', 'validation_failed', 'state_conflict', 'unknown_field')
      : choiceVerdict(request, heard, known);
  },
  done: (heard, data, known) => {
    const request = known.sessions.get(heard.params.session!);
    if (request === undefined) return;
    const record = objectOf(data);
    if (record.session_id !== undefined) takeRequest(request, record, heard, known, 'session');
    judgeChosen(request, record, heard, known);
  },
  unanswered: (heard, known) => {
    const request = known.sessions.get(heard.params.session!);
    if (request !== undefined) maySelect(request, heard.body.unique_asset_id);
  },
};

/** The asset that was chosen is the one that is answered, unless another one was chosen at the same time. */
export function judgeChosen(
  request: PaymentRequest,
  record: Readonly<Record<string, unknown>>,
  heard: Heard,
  known: Known,
): void {
  const shown = textOf(objectOf(record.selected).unique_asset_id).toLowerCase();
  const chosen = textOf(heard.body.unique_asset_id).toLowerCase();
  const other = request.chosen.latest();
  const isAlone = request.chosen.before(heard.exchange.sentAt) === other;
  request.chosen.learn(heard.exchange.at, isAlone ? chosen : '');
  if (shown === '') {
    request.maybeSelected.add(chosen);
    return;
  }
  known.findings.expect(
    shown === chosen || (!isAlone && ['', shown].includes(other)),
    'the asset that was chosen',
    `payment request ${request.id}`,
    chosen,
    shown,
  );
}

/** A choice may have been carried out though nobody was told. */
export function maySelect(request: PaymentRequest, uniqueAssetId: unknown): void {
  const key = textOf(uniqueAssetId).toLowerCase();
  request.chosen.learn(Infinity, '');
  if (request.selections.some(({ asset }) => asset.fact.uniqueAssetId.toLowerCase() === key)) return;
  if (request.options.size === 0 || request.options.has(key)) request.maybeSelected.add(key);
}

/** Judges what a wallet reads at a checkout's own address; it has no envelope. */
export function takeCheckoutUrl(request: PaymentRequest, heard: Heard, known: Known): void {
  const { exchange } = heard;
  const { answer } = exchange;
  const chosen = exchange.query.payment_option;
  if (chosen !== undefined && (answer === 'lost' || answer.status === 200 || answer.status >= 500)) {
    maySelect(request, chosen);
  }
  if (answer === 'lost' || (exchange.isFaulty && answer.status >= 500) || answer.status === 429) return;
  const about = `checkout_url of payment request ${request.id}`;
  const isOver = isEnded(request.shown.before(exchange.sentAt));
  // A browser is sent to the page, which says that it is over.
  if (isOver && answer.status !== 303) {
    const is = answer.status === 409 || (answer.status === 404 && isForgotten(request, exchange.at));
    known.findings.expect(is, 'an ended session is 409', about, 409, answer.status);
  }
  const isOpen = [...allowedStatuses(request, exchange, known)].every((status) => !isEnded(status));
  const isEarly = request.expiry.every(({ from }) => from > exchange.at + 1000);
  if (
    isOpen &&
    isEarly &&
    chosen === undefined &&
    answer.status !== 200 &&
    answer.status !== 303 &&
    answer.status !== 302
  ) {
    known.findings.differ('an open checkout can be read by wallets', about, 200, answer.status);
  }
  if (answer.status !== 200) return;
  const record = objectOf(answer.body);
  const is = record.payment !== undefined || Array.isArray(record.payment_options);
  known.findings.expect(
    is,
    'checkout_url answers a payment or the options',
    about,
    'payment or payment_options',
    answer.body,
  );
}

export const sessionRules: readonly (readonly [string, Rule])[] = [
  ['read checkout', read],
  ['select asset', choose],
];
