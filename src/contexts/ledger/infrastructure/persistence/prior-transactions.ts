import type { AccountId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';
import { type LedgerEntry, sumByLedgerAccount } from '../../domain/balanced-posting.js';
import type { SettlementFact, SourceEvent } from '../../domain/followed/facts.js';
import type { SourceTransaction } from '../../domain/followed/source-event-poster.js';
import { UnsettledFunds, type BookedFunds } from '../../domain/followed/unsettled-funds.js';
import { IS_VALID_SETTLEMENT_LINK } from './transaction-selection.sql.js';

type BookedFundsRow = Omit<BookedFunds, 'gross' | 'net' | 'number'> &
  Record<'gross' | 'net' | 'number', string>;
type UnsettledFundsRow = BookedFundsRow & { readonly accountId: AccountId; readonly uniqueAssetId: string };
type SourceTransactionRow = Omit<SourceTransaction, 'booked' | 'delivered'> & {
  readonly sourceId: string;
  readonly booked: readonly (Omit<LedgerEntry, 'amount'> & { readonly amount: string })[];
  readonly delivered: readonly BookedFundsRow[];
};

/** Amounts are strings, because JSON numbers would lose precision. */
const BOOKED_FUNDS_COLUMNS = `t.id AS "transactionId", t.payment_request_id AS "paymentRequestId", lower(t.to_address) AS address,
  t.gross_amount::text AS gross, t.net_amount::text AS net, t.account_sequence::text AS number`;

export const SELECT_SOURCE_TRANSACTIONS = `
SELECT w.source_id, w.id, w.organization_id, w.account_id, COALESCE(s.status, w.status) AS status,
  COALESCE(s.step, 1) AS steps, e.lines, e.booked, d.delivered
FROM ledger.transactions w
LEFT JOIN LATERAL (SELECT c.status, c.step FROM ledger.status_changes c WHERE c.transaction_id = w.id
  ORDER BY c.step DESC LIMIT 1) s ON true
CROSS JOIN LATERAL (SELECT COALESCE(max(line), 0) AS lines, COALESCE(jsonb_agg(jsonb_build_object('ledgerAccount',
    ledger_account, 'uniqueAssetId', unique_asset_id, 'amount', amount::text) ORDER BY line), '[]') AS booked
  FROM ledger.entries WHERE transaction_id = w.id) e
CROSS JOIN LATERAL (SELECT COALESCE(jsonb_agg(to_jsonb(m)), '[]') AS delivered FROM (
  SELECT ${BOOKED_FUNDS_COLUMNS} FROM ledger.settled_transactions l JOIN ledger.transactions t ON t.id = l.transaction_id
  WHERE l.withdrawal_id = w.id) m) d
WHERE w.source_id = ANY($1::uuid[])`;

/** Links of failed settlements do not count. */
const selectUnsettledFunds = (types: string) => `
SELECT ${BOOKED_FUNDS_COLUMNS}, t.account_id, t.unique_asset_id FROM ledger.transactions t
WHERE t.payment_request_id = ANY($1::uuid[]) AND ${types}
  AND NOT EXISTS (SELECT FROM ledger.settled_transactions l WHERE l.transaction_id = t.id AND ${IS_VALID_SETTLEMENT_LINK})`;

export const SELECT_UNSETTLED_FUNDS = `${selectUnsettledFunds(`t.type = 'payment_in'`)} UNION ALL ${selectUnsettledFunds(`t.type IN ('deposit', 'adjustment')`)}`;

export interface PriorTransactions {
  readonly followed: Map<string, SourceTransaction>;
  readonly open: UnsettledFunds;
}

export async function readPriorTransactions(
  database: Database,
  events: readonly SourceEvent[],
): Promise<PriorTransactions> {
  const rows = await database.query<SourceTransactionRow>(SELECT_SOURCE_TRANSACTIONS, [
    events.map(({ sourceId }) => sourceId),
  ]);
  const followed = new Map(rows.map(({ sourceId, ...row }) => [sourceId, toSourceTransaction(row)]));
  const unknown = events.filter(
    (event): event is SettlementFact => event.kind === 'settlement' && !followed.has(event.sourceId),
  );
  return { followed, open: await readUnsettledFunds(database, unknown) };
}

async function readUnsettledFunds(
  database: Database,
  settlements: readonly SettlementFact[],
): Promise<UnsettledFunds> {
  const money = new UnsettledFunds();
  if (settlements.length === 0) return money;
  const rows = await database.query<UnsettledFundsRow>(SELECT_UNSETTLED_FUNDS, [
    settlements.flatMap(({ payouts }) => payouts.map(({ paymentRequestId }) => paymentRequestId)),
  ]);
  for (const { accountId, uniqueAssetId, ...row } of rows)
    money.add({ accountId, uniqueAssetId }, toBookedFunds(row));
  return money;
}

function toSourceTransaction({
  booked,
  delivered,
  ...row
}: Omit<SourceTransactionRow, 'sourceId'>): SourceTransaction {
  return {
    ...row,
    booked: sumByLedgerAccount(booked.map((entry) => ({ ...entry, amount: BigInt(entry.amount) }))),
    delivered: delivered.map(toBookedFunds),
  };
}

function toBookedFunds({ gross, net, number, ...money }: BookedFundsRow): BookedFunds {
  return { ...money, gross: BigInt(gross), net: BigInt(net), number: BigInt(number) };
}
