import type { AccountId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';
import { type Entry, sumByAccount } from '../../domain/balanced-posting.js';
import type { SettlementFact, SourceEvent } from '../../domain/followed/facts.js';
import type { FollowedTransaction } from '../../domain/followed/followed-books.js';
import { OpenMoney, type BookedMoney } from '../../domain/followed/open-money.js';
import { COUNTS } from './transaction-selection.sql.js';

type MoneyRow = Omit<BookedMoney, 'gross' | 'net' | 'number'> & Record<'gross' | 'net' | 'number', string>;
type OpenRow = MoneyRow & { readonly accountId: AccountId; readonly uniqueAssetId: string };
type FollowedRow = Omit<FollowedTransaction, 'booked' | 'delivered'> & {
  readonly sourceId: string;
  readonly booked: readonly (Omit<Entry, 'amount'> & { readonly amount: string })[];
  readonly delivered: readonly MoneyRow[];
};

/**
 * Columns of the booked funds of the transaction `t`. Amounts are strings, because JSON numbers would lose precision.
 */
const MONEY = `t.id AS "transactionId", t.payment_request_id AS "paymentRequestId", lower(t.to_address) AS address,
  t.gross_amount::text AS gross, t.net_amount::text AS net, t.account_sequence::text AS number`;

/** Existing transactions of settlements, refunds and float movements. Parameter: $1 their ids. */
export const FOLLOWED = `
SELECT w.source_id, w.id, w.organization_id, w.account_id, COALESCE(s.status, w.status) AS status,
  COALESCE(s.step, 1) AS steps, e.lines, e.booked, d.delivered
FROM ledger.transactions w
LEFT JOIN LATERAL (SELECT c.status, c.step FROM ledger.status_changes c WHERE c.transaction_id = w.id
  ORDER BY c.step DESC LIMIT 1) s ON true
CROSS JOIN LATERAL (SELECT COALESCE(max(line), 0) AS lines, COALESCE(jsonb_agg(jsonb_build_object('ledgerAccount',
    ledger_account, 'uniqueAssetId', unique_asset_id, 'amount', amount::text) ORDER BY line), '[]') AS booked
  FROM ledger.entries WHERE transaction_id = w.id) e
CROSS JOIN LATERAL (SELECT COALESCE(jsonb_agg(to_jsonb(m)), '[]') AS delivered FROM (
  SELECT ${MONEY} FROM ledger.settled_transactions l JOIN ledger.transactions t ON t.id = l.transaction_id
  WHERE l.withdrawal_id = w.id) m) d
WHERE w.source_id = ANY($1::uuid[])`;

/**
 * Booked funds of the payment requests $1 that no settlement has delivered. Links of failed settlements do not count.
 */
const open = (types: string) => `
SELECT ${MONEY}, t.account_id, t.unique_asset_id FROM ledger.transactions t
WHERE t.payment_request_id = ANY($1::uuid[]) AND ${types}
  AND NOT EXISTS (SELECT FROM ledger.settled_transactions l WHERE l.transaction_id = t.id AND ${COUNTS})`;

export const OPEN = `${open(`t.type = 'payment_in'`)} UNION ALL ${open(`t.type IN ('deposit', 'adjustment')`)}`;

export interface PriorTransactions {
  /** Existing transactions, by settlement, refund or float movement. */
  readonly followed: Map<string, FollowedTransaction>;
  /** Booked funds at the addresses that the settlements emptied. */
  readonly open: OpenMoney;
}

export async function priorTransactions(
  database: Database,
  events: readonly SourceEvent[],
): Promise<PriorTransactions> {
  const rows = await database.query<FollowedRow>(FOLLOWED, [events.map(({ sourceId }) => sourceId)]);
  const followed = new Map(rows.map(({ sourceId, ...row }) => [sourceId, toFollowed(row)]));
  const unknown = events.filter(
    (event): event is SettlementFact => event.kind === 'settlement' && !followed.has(event.sourceId),
  );
  return { followed, open: await openMoney(database, unknown) };
}

async function openMoney(database: Database, settlements: readonly SettlementFact[]): Promise<OpenMoney> {
  const money = new OpenMoney();
  if (settlements.length === 0) return money;
  const rows = await database.query<OpenRow>(OPEN, [
    settlements.flatMap(({ payouts }) => payouts.map(({ paymentRequestId }) => paymentRequestId)),
  ]);
  for (const { accountId, uniqueAssetId, ...row } of rows)
    money.add({ accountId, uniqueAssetId }, toMoney(row));
  return money;
}

function toFollowed({ booked, delivered, ...row }: Omit<FollowedRow, 'sourceId'>): FollowedTransaction {
  return {
    ...row,
    booked: sumByAccount(booked.map((entry) => ({ ...entry, amount: BigInt(entry.amount) }))),
    delivered: delivered.map(toMoney),
  };
}

function toMoney({ gross, net, number, ...money }: MoneyRow): BookedMoney {
  return { ...money, gross: BigInt(gross), net: BigInt(net), number: BigInt(number) };
}
