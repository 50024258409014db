import type { Database } from '#shared/platform/database/database.js';
import type { PayoutAwaitingBookedFunds } from '../../domain/followed/late-cover.js';
import type { Movement, MovementKey } from '../../domain/movement.js';

type PayoutRow = Omit<PayoutAwaitingBookedFunds, 'gross' | 'uncovered' | 'linkedNet'> &
  Record<'gross' | 'uncovered' | 'linkedNet', string>;
type PriorPostingRow =
  { readonly movementKey: MovementKey; readonly payout: null } | { readonly payout: PayoutRow };

/** Payouts whose funds are not fully booked are rare and have their own partial index. */
export const SELECT_PRIOR_POSTINGS = `
SELECT 'payment_in ' || payment_request_id AS movement_key, NULL::jsonb AS payout FROM ledger.transactions
WHERE type = 'payment_in' AND payment_request_id = ANY($1::uuid[])
UNION ALL
SELECT type || ' ' || transfer_id, NULL FROM ledger.transactions WHERE transfer_id = ANY($2::uuid[])
UNION ALL
SELECT NULL, to_jsonb(waiting) FROM (
  SELECT u.withdrawal_id AS "withdrawalId", u.settlement_id AS "settlementId", u.organization_id AS "organizationId",
    u.account_id AS "accountId", u.payment_request_id AS "paymentRequestId", u.address,
    u.unique_asset_id AS "uniqueAssetId", u.gross_amount::text AS gross, u.fee_basis_points AS "feeBasisPoints",
    u.amount::text AS uncovered,
    COALESCE((SELECT c.status FROM ledger.status_changes c WHERE c.transaction_id = u.withdrawal_id
      ORDER BY c.step DESC LIMIT 1), 'processing') AS status,
    (SELECT max(e.line) FROM ledger.entries e WHERE e.transaction_id = u.withdrawal_id) AS lines,
    COALESCE((SELECT sum(t.net_amount) FROM ledger.settled_transactions l JOIN ledger.transactions t ON t.id = l.transaction_id
      WHERE l.withdrawal_id = u.withdrawal_id AND t.payment_request_id = u.payment_request_id
        AND lower(t.to_address) = u.address), 0)::text AS "linkedNet"
  FROM ledger.uncovered_payouts u JOIN ledger.transactions w ON w.id = u.withdrawal_id
  WHERE u.payment_request_id = ANY($3::uuid[]) AND u.amount > 0
  ORDER BY w.account_sequence
) waiting`;

export interface PriorPostings {
  readonly posted: ReadonlySet<MovementKey>;
  /** Oldest first. */
  readonly waiting: readonly PayoutAwaitingBookedFunds[];
}

export async function readPriorPostings(
  database: Database,
  movements: readonly Movement[],
): Promise<PriorPostings> {
  const payments = movements.filter(({ type }) => type === 'payment_in');
  const transfers = movements.filter((movement) => movement.type !== 'payment_in');
  const rows = await database.query<PriorPostingRow>(SELECT_PRIOR_POSTINGS, [
    payments.map(({ paymentRequestId }) => paymentRequestId),
    transfers.map(({ transferId }) => transferId),
    movements.map(({ paymentRequestId }) => paymentRequestId),
  ]);
  return {
    posted: new Set(rows.flatMap((row) => (row.payout === null ? [row.movementKey] : []))),
    waiting: rows.flatMap((row) => (row.payout === null ? [] : [toWaitingPayout(row.payout)])),
  };
}

function toWaitingPayout({ gross, uncovered, linkedNet, ...payout }: PayoutRow): PayoutAwaitingBookedFunds {
  return {
    ...payout,
    gross: BigInt(gross),
    uncovered: BigInt(uncovered),
    linkedNet: BigInt(linkedNet),
  };
}
