import { accountFilterVerdict } from '../accounts/pos-rules.js';
import { pageOf, pageVerdict } from '../accounts/lists.js';
import {
  accountOf,
  open,
  organizationOf,
  together,
  VALID,
  type Heard,
  type Rule,
  type Verdict,
} from '../exchange/heard.js';
import type { Known } from '../known/known.js';
import { isUuid, objectOf, sameJson, textOf, timeOf, type Json } from '../known/values.js';
import { takeDeposit } from './deposits.js';
import { judgeOrder, judgeTimes } from './order.js';
import { takePaymentIn } from './payments-in.js';
import { takeRefund, takeWithdraw } from './other-records.js';
import { takeAdjustment } from './reversals.js';

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
/** Fields that may change after a record was written. */
const CHANGING = new Set(['status', 'updated_at', 'settlement_id', 'transaction_hash', 'fulfilled']);
const FILTERS = ['status', 'type', 'created_from', 'created_to', 'reference_id'];

function filterVerdict({ exchange: { query } }: Heard): Verdict {
  const names = Object.keys(query).filter((name) => !['page', 'page_size', 'accountID'].includes(name));
  if (names.length === 0) return VALID;
  return open('validation_failed', 'unknown_field');
}

/** Judges a record by itself, against what was shown of it before, and by its type. */
function takeRecord(shown: unknown, heard: Heard, known: Known): string {
  const { findings, books } = known;
  const record = objectOf(shown);
  const id = textOf(record.id);
  const about = `transaction ${id}`;
  const missing = ALWAYS.filter((name) => typeof record[name] !== 'string');
  findings.expect(
    missing.length === 0 && isUuid(id),
    'the fields of a transaction',
    about,
    ALWAYS.join(', '),
    shown,
  );
  findings.expect(
    STATUSES.includes(textOf(record.status)),
    'the status of a transaction',
    about,
    STATUSES,
    record.status,
  );
  const isDated = timeOf(record.created_at) !== null && timeOf(record.updated_at) !== null;
  findings.expect(isDated, 'the times of a transaction', about, 'timestamps', [
    record.created_at,
    record.updated_at,
  ]);
  findings.expect(
    record.financial_provider === 'onchain',
    'financial_provider',
    about,
    'onchain',
    record.financial_provider,
  );
  const organizationId = organizationOf(heard) ?? '';
  const before = books.booked.get(id);
  if (before === undefined) books.booked.set(id, { id, record, organizationId });
  else judgeUnchanged(before.record, record, about, known);
  const isOwn = before === undefined || before.organizationId === organizationId;
  findings.expect(
    isOwn,
    'a transaction is shown to its own organization alone',
    about,
    before?.organizationId,
    organizationId,
  );
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
      known.findings.differ(
        'types of transactions that something produces',
        `transaction ${textOf(record.id)}`,
        'payment_in, deposit, adjustment, withdraw or refund',
        record.type,
      );
  }
}

function judgeUnchanged(before: Json, now: Json, about: string, known: Known): void {
  const { findings } = known;
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (CHANGING.has(name)) continue;
    const isSame = sameJson(before[name] ?? null, now[name] ?? null);
    findings.expect(
      isSame,
      'a record of the ledger never changes',
      about,
      `${name} ${String(before[name])}`,
      String(now[name]),
    );
  }
  const [old, new_] = [before.settlement_id, now.settlement_id];
  // Money of a settlement whose block the chain left is delivered by another one.
  const chain = known.asset(now.unique_asset_id)?.chain;
  const settled = chain?.settledOf(textOf(now.to).toLowerCase()) ?? [];
  const isLeft = settled.some(({ block }) => block.to < Infinity);
  const isKept = old === undefined || new_ === undefined || old === new_ || isLeft;
  findings.expect(isKept, 'a transaction keeps its settlement', about, old, new_);
}

function judgeFilters(record: Json, { exchange: { query } }: Heard, { findings }: Known): void {
  const about = `transaction ${textOf(record.id)}`;
  for (const name of ['status', 'type', 'reference_id']) {
    const asked = query[name];
    if (asked !== undefined)
      findings.expect(record[name] === asked, `transactions filtered by ${name}`, about, asked, record[name]);
  }
  const created = timeOf(record.created_at) ?? NaN;
  const from = Date.parse(query.created_from ?? '');
  const to = Date.parse(query.created_to ?? '');
  // A date alone may stand for its whole day.
  const isIn = !(created < from) && !(created > to + ((query.created_to ?? '').length > 10 ? 0 : 86_400_000));
  findings.expect(
    isIn,
    'transactions filtered by time',
    about,
    [query.created_from, query.created_to],
    record.created_at,
  );
}

function judgeScope(record: Json, heard: Heard, known: Known): void {
  const asked = accountOf(heard) ?? heard.exchange.query.accountID;
  const request = known.requests.get(textOf(record.payment_request_id));
  if (asked === undefined || request === undefined || request.accountId === '') return;
  const about = `transaction ${textOf(record.id)}`;
  known.findings.expect(
    request.accountId === asked,
    'transactions of one account',
    about,
    asked,
    request.accountId,
  );
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
    known.findings.expect(
      !isTwice,
      'a list shows nothing twice',
      `${heard.exchange.path}`,
      'distinct ids',
      ids,
    );
    judgeTimes(page, heard, known);
    if (!FILTERS.some((name) => heard.exchange.query[name] !== undefined))
      judgeOrder(ids, page, heard, known);
  },
};

export const ledgerRules: readonly (readonly [string, Rule])[] = [['list transactions', list]];
