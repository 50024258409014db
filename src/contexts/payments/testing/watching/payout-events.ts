import type { Database } from '#shared/platform/database/database.js';
import type { PaymentRequestView } from '../../application/requests/payment-request-view.js';
import type { Sent } from './model-block.js';

/** A payout from the request's address, a tenth of it the fee. */
export const paidOut = (
  { address }: PaymentRequestView,
  token: string,
  amount: bigint,
  given: Partial<Sent> = {},
): Sent => ({ to: address, token, amount, kind: 'payout', fee: amount / 10n, ...given });

export interface PayoutEvent {
  readonly type: string;
  readonly group: string;
  readonly data: Record<string, unknown>;
}

/** The payout events of this request's account, in reading order. */
export async function payoutEvents(
  database: Database,
  { accountId }: PaymentRequestView,
): Promise<PayoutEvent[]> {
  return database.query<PayoutEvent>(
    `SELECT type, aggregate_id AS "group", data FROM platform.events
     WHERE type LIKE 'payouts.%' AND account_id = $1 ORDER BY transaction_id, position`,
    [accountId],
  );
}

export const typesOf = (events: readonly PayoutEvent[]) => events.map(({ type }) => type);

/** Several of the same name stand in one transaction. */
export function inOne(sent: Sent, transaction = 'one'): Sent {
  return { ...sent, transaction };
}
