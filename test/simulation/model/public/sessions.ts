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
import { unknownFields } from '../exchange/lists.js';
import { units, objectOf, textOf, type Json, lower } from '../known/values.js';
import type { Known, UnansweredCreation, PaymentLink } from '../known/known.js';
import { isWithoutRate, foundRequest } from '../requests/creation.js';
import { mayBePaid, transfersOf } from '../requests/outlook.js';
import { isEnded, type PaymentRequest, OUTCOMES, RANK } from '../requests/payment-request.js';
import { takeRequest } from '../requests/reading.js';
import { allowedStatuses, chainOf, replaceOn } from '../requests/status.js';
import { posOf } from '../accounts/points-of-sale.js';
import type { ExchangeFact, AnswerFact } from '../../facts/fact.js';

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

export function choiceVerdict(request: PaymentRequest, heard: Heard, known: Known): Verdict {
  const { body, exchange } = heard;
  const parts = [unknownFields(body, ['unique_asset_id'])];
  const key = lower(body.unique_asset_id);
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
  const shown = lower(objectOf(record.selected).unique_asset_id);
  const chosen = lower(heard.body.unique_asset_id);
  const other = request.chosen.latest();
  const isAlone = request.chosen.before(heard.exchange.sentAt) === other;
  request.chosen.learn(heard.exchange.at, isAlone ? chosen : '');
  if (shown === '') {
    request.maybeSelected.add(chosen);
    return;
  }
  known.expect(
    shown === chosen || (!isAlone && ['', shown].includes(other)),
    'the asset that was chosen',
    request.about,
    [chosen, shown],
  );
}

export function maySelect(request: PaymentRequest, uniqueAssetId: unknown): void {
  const key = lower(uniqueAssetId);
  request.chosen.learn(Infinity, '');
  if (request.selections.some(({ asset }) => asset.fact.uniqueAssetId.toLowerCase() === key)) return;
  if (request.options.size === 0 || request.options.has(key)) request.maybeSelected.add(key);
}

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
    known.expect(is, 'an ended session is 409', about, [409, answer.status]);
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
    known.differ('an open checkout can be read by wallets', about, [200, answer.status]);
  }
  if (answer.status !== 200) return;
  const record = objectOf(answer.body);
  const is = record.payment !== undefined || Array.isArray(record.payment_options);
  known.expect(is, 'checkout_url answers a payment or the options', about, [
    'payment or payment_options',
    answer.body,
  ]);
}

export const sessionRules: Rules = { 'read checkout': read, 'select asset': choose };

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
  known.expect(
    mayBeNew || lost !== undefined || posId === '',
    'reading creates nothing',
    `payment request ${id}`,
    ['a session that somebody opened', session],
  );
  const made = { from: lost?.sentAt ?? sentAt, to: at };
  const isCheckout = session.coin_code !== undefined || lost?.kind !== 'direct';
  const request = foundRequest(id, posId, session, made, isCheckout, null, known);
  request.referenceId ??= textOf(lost?.body.reference_id) || undefined;
  if (posId !== '') replaceOn(posOf(posId, null, known), request, made, false);
  return request;
}

const SENDING = /^\/public\/checkout\/([^/]+)\/authorization$/;

export function takeSignature(exchange: ExchangeFact, known: Known): void {
  const { path, body, answer } = exchange;
  const [, session] = SENDING.exec(path) ?? [];
  if (session === undefined || answer === 'lost') return;
  const nonce = textOf(objectOf(objectOf(body).authorization).nonce);
  const { code, data } = objectOf(answer.body);
  const hash = lower(objectOf(data).transaction_hash);
  if (answer.status === 200 && hash !== '') known.signatures.set(nonce, hash);
  if (code !== 'authorization_refused' || !hasPaid(session, known.signatures.get(nonce), known)) return;
  const rule = 'a signature that has paid is not refused';
  known.differ(rule, `session ${session}`, ['queued, sent or seen', answer.body]);
}

function hasPaid(session: string, hash: string | undefined, known: Known): boolean {
  const selections = known.sessions.get(session)?.selections ?? [];
  return selections.some((selection) => {
    const { chain } = selection.asset;
    return transfersOf(selection).some(
      ({ block, transfer }) => transfer.transactionHash === hash && chain.isFinal(block, chain.head),
    );
  });
}

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
  known.differ(rule, `payment link ${link.id}`, [before.id, request.id]);
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
