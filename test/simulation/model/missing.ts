import type { Known } from './known/known.js';
import { missingRecords } from './ledger/missing-records.js';
import { missingRefundEvents } from './refunds/refund-events.js';
import { judgeFloats } from './refunds/refund-money.js';
import { missingSettlements } from './settlement/missing-settlements.js';
import { missingCharges } from './subscriptions/charges.js';
import { missingDeliveries } from './webhooks/missing-deliveries.js';

/** Says what never happened and should have by now. */
export function missing(known: Known): void {
  missingRecords(known);
  missingDeliveries(known);
  missingSettlements(known);
  missingRefundEvents(known);
  judgeFloats(known);
  missingCharges(known);
}
