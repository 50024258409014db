import { eventually } from './eventually.js';
import type { TestService } from './service.js';

/** A record of the ledger with its journal lines (debits positive, in smallest units). */
export interface Booked {
  readonly type: string;
  readonly status: string;
  readonly gross_amount: string;
  readonly net_amount: string;
  readonly expected_amount: string;
  readonly currency: string;
  readonly unique_asset_id: string;
  /** "ledger account, amount" in the order of the lines. */
  readonly entries: readonly string[];
}

/** Waits for what the ledger has of a payment request, oldest first, without what differs by payment: ids, addresses, times. */
export function bookedFor({ query }: TestService, requestId: string): Promise<Booked[]> {
  const read = () =>
    query<Booked>(
      `SELECT t.type, t.status, t.gross_amount, t.net_amount, t.expected_amount, t.currency, t.unique_asset_id,
         (SELECT array_agg(e.ledger_account || ', ' || e.amount ORDER BY e.line)
            FROM ledger.entries e WHERE e.transaction_id = t.id) AS entries
       FROM ledger.transactions t WHERE t.payment_request_id = $1 ORDER BY t.account_sequence`,
      [requestId],
    );
  return eventually(read, (records) => records.length > 0);
}
