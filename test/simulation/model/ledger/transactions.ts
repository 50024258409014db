import { open, together, VALID, type Heard, type Rule, type Rules, type Verdict } from '../exchange/heard.js';
import { type Page, pageOf, pageVerdict } from '../exchange/lists.js';
import type { Known } from '../known/known.js';
import {
  objectOf,
  textOf,
  timeOf,
  isUuid,
  sameJson,
  type Json,
  isObject,
  listOf,
  lower,
} from '../known/values.js';
import { isAtRest } from '../requests/status.js';
import { accountFilterVerdict } from '../accounts/points-of-sale.js';
import { takeDeposit } from './deposits.js';
import { takePaymentIn } from './payments-in.js';
import { takeRefund, takeWithdraw, takeAdjustment } from './missing-records.js';
import { takeFulfilled } from '../requests/tolerance.js';

/** Every record has its place in the order of its scope, gapless, and keeps it. */
export function judgeOrder(ids: readonly string[], page: Page, heard: Heard, known: Known): void {
  const { exchange } = heard;
  const account = heard.account ?? exchange.query.accountID;
  const key = account === undefined ? `organization ${heard.organization}` : `account ${account}`;
  const scope = known.books.scope(key);
  const isMonotone = page.total >= scope.total || scope.totalAt >= exchange.sentAt;
  known.expect(isMonotone, 'no record vanishes', key, [`at least ${scope.total}`, page.total]);
  if (page.total > scope.total) {
    scope.total = page.total;
    scope.totalAt = exchange.at;
  }
  if (isAtRest(known, exchange.sentAt)) scope.restTotal = page.total;
  ids.forEach((id, index) => {
    const rank = page.total - (page.page - 1) * page.size - index;
    const other = scope.ranks.get(rank);
    known.expect(
      other === undefined || other === id,
      'the order of transactions is gapless and stays',
      `${key} place ${rank}`,
      [other, id],
    );
    const place = scope.places.get(id);
    known.expect(
      place === undefined || place === rank,
      'a transaction keeps its place',
      `transaction ${id}`,
      [place, rank],
    );
    scope.ranks.set(rank, id);
    scope.places.set(id, rank);
  });
}

export function judgeTimes(page: Page, heard: Heard, { findings }: Known): void {
  let latest = Infinity;
  for (const item of page.items) {
    const record = objectOf(item);
    const created = timeOf(record.created_at) ?? latest;
    // Transactions of the database that overlap may take their times in another order than their places.
    const is = created <= latest + 60_000 && created <= heard.exchange.at + 2000;
    findings.expect(is, 'transactions come newest first', `transaction ${textOf(record.id)}`, [
      `not after ${latest}`,
      record.created_at,
    ]);
    latest = Math.min(latest, created);
  }
}

const ALWAYS = [
  'id',
  'type',
  'status',
  'gross_amount',
  'net_amount',
  'expected_amount',
  'currency',
  'from',
  'from_type',
  'to',
  'to_type',
  'financial_provider',
  'created_at',
  'updated_at',
];
const STATUSES = ['preview', 'pending', 'created', 'processing', 'completed', 'failed', 'error', 'expired'];
const CHANGING = new Set(['status', 'updated_at', 'settlement_id', 'transaction_hash', 'fulfilled']);
const FILTERS = ['status', 'type', 'created_from', 'created_to', 'reference_id'];

function filterVerdict({ exchange: { query } }: Heard): Verdict {
  const names = Object.keys(query).filter((name) => !['page', 'page_size', 'accountID'].includes(name));
  if (names.length === 0) return VALID;
  return open('validation_failed', 'unknown_field');
}

function takeRecord(shown: unknown, heard: Heard, known: Known): string {
  const { books } = known;
  const record = objectOf(shown);
  const id = textOf(record.id);
  const about = `transaction ${id}`;
  const missing = ALWAYS.filter((name) => typeof record[name] !== 'string');
  known.expect(missing.length === 0 && isUuid(id), 'the fields of a transaction', about, [
    ALWAYS.join(', '),
    shown,
  ]);
  known.expect(STATUSES.includes(textOf(record.status)), 'the status of a transaction', about, [
    STATUSES,
    record.status,
  ]);
  const isDated = timeOf(record.created_at) !== null && timeOf(record.updated_at) !== null;
  known.expect(isDated, 'the times of a transaction', about, [
    'timestamps',
    [record.created_at, record.updated_at],
  ]);
  known.equal('financial_provider', about, ['onchain', record.financial_provider]);
  const organizationId = heard.organization ?? '';
  const before = books.booked.get(id);
  if (before === undefined) books.booked.set(id, { id, record, organizationId });
  else judgeUnchanged(before.record, record, about, known);
  const isOwn = before === undefined || before.organizationId === organizationId;
  known.expect(isOwn, 'a transaction is shown to its own organization alone', about, [
    before?.organizationId,
    organizationId,
  ]);
  judgeFilters(record, heard, known);
  judgeScope(record, heard, known);
  byType(record, before === undefined, heard, known);
  const isPaidOut = record.type === 'payment_in' || record.type === 'deposit';
  if (isPaidOut && typeof record.settlement_id === 'string') books.settledBy.set(id, record.settlement_id);
  else books.settledBy.delete(id);
  return id;
}

function byType(record: Json, isNew: boolean, heard: Heard, known: Known): void {
  switch (record.type) {
    case 'payment_in':
      return takePaymentIn(record, isNew, heard, known);
    case 'deposit':
      return isNew ? takeDeposit(record, known) : undefined;
    case 'adjustment':
      return takeAdjustment(record, isNew, known);
    case 'withdraw':
      return takeWithdraw(record, heard, known);
    case 'refund':
      return takeRefund(record, heard, known);
    default:
      known.differ('types of transactions that something produces', `transaction ${textOf(record.id)}`, [
        'payment_in, deposit, adjustment, withdraw or refund',
        record.type,
      ]);
  }
}

function judgeUnchanged(before: Json, now: Json, about: string, known: Known): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (CHANGING.has(name)) continue;
    const isSame = sameJson(before[name] ?? null, now[name] ?? null);
    known.expect(isSame, 'a record of the ledger never changes', about, [
      `${name} ${String(before[name])}`,
      String(now[name]),
    ]);
  }
  const [old, new_] = [before.settlement_id, now.settlement_id];
  // Money of a settlement whose block the chain left is delivered by another one.
  const chain = known.asset(now.unique_asset_id)?.chain;
  const settled = chain?.settledOf(lower(now.to)) ?? [];
  const isLeft = settled.some(({ block }) => block.to < Infinity);
  const isKept = old === undefined || new_ === undefined || old === new_ || isLeft;
  known.expect(isKept, 'a transaction keeps its settlement', about, [old, new_]);
}

function judgeFilters(record: Json, { exchange: { query } }: Heard, { findings }: Known): void {
  const about = `transaction ${textOf(record.id)}`;
  for (const name of ['status', 'type', 'reference_id']) {
    const asked = query[name];
    if (asked !== undefined) findings.equal(`transactions filtered by ${name}`, about, [asked, record[name]]);
  }
  const created = timeOf(record.created_at) ?? NaN;
  const from = Date.parse(query.created_from ?? '');
  const to = Date.parse(query.created_to ?? '');
  // A date alone may stand for its whole day.
  const isIn = !(created < from) && !(created > to + ((query.created_to ?? '').length > 10 ? 0 : 86_400_000));
  findings.expect(isIn, 'transactions filtered by time', about, [
    [query.created_from, query.created_to],
    record.created_at,
  ]);
}

function judgeScope(record: Json, heard: Heard, known: Known): void {
  const asked = heard.account ?? heard.exchange.query.accountID;
  const request = known.requests.get(textOf(record.payment_request_id));
  if (asked === undefined || request === undefined || request.accountId === '') return;
  const about = `transaction ${textOf(record.id)}`;
  known.equal('transactions of one account', about, [asked, request.accountId]);
}

const list: Rule = {
  verdict: (heard, known) =>
    together(
      pageVerdict(heard, 5, true),
      accountFilterVerdict(heard.exchange.query.accountID, heard, known),
      filterVerdict(heard),
    ),
  done: (heard, data, known) => {
    const page = pageOf(data, heard, known);
    if (page === undefined) return;
    const ids = page.items.map((item) => takeRecord(item, heard, known));
    const isTwice = new Set(ids).size !== ids.length;
    known.expect(!isTwice, 'a list shows nothing twice', `${heard.exchange.path}`, ['distinct ids', ids]);
    judgeTimes(page, heard, known);
    if (!FILTERS.some((name) => heard.exchange.query[name] !== undefined))
      judgeOrder(ids, page, heard, known);
  },
};

export const ledgerRules: Rules = { 'list transactions': list };

/** The list of events: each is of the caller's organization, and says of a payment request whether it is fulfilled. */
export const eventRules: Rules = {
  'list events': {
    // Which filters it takes, and how it is paged, is not stated.
    verdict: () =>
      open(
        'validation_failed',
        'account_not_allowed',
        'organization_scope_required',
        'not_found',
        'unavailable',
      ),
    done: (heard, data, known) => {
      for (const event of listOf(objectOf(data).data)) {
        const { fulfilled, body } = objectOf(event);
        const { payment_request_id: id, status } = toldIn(body);
        const request = known.requests.get(textOf(id));
        if (request === undefined) continue;
        known.expect(
          request.organizationId === '' || request.organizationId === heard.organization,
          'events are of the own organization alone',
          request.about,
          [heard.organization, request.organizationId],
        );
        takeFulfilled(request, { fulfilled, status }, heard.exchange.at, known);
      }
    },
  },
};

function toldIn(body: unknown): Json {
  try {
    const told = objectOf(typeof body === 'string' ? JSON.parse(body) : body);
    return isObject(told.data) ? told.data : told;
  } catch {
    return {};
  }
}
