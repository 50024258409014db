import type { Known } from './known/known.js';
import { missingRecords } from './ledger/missing-records.js';
import { judgeRefundRecords } from './ledger/other-records.js';
import { missingRefundEvents } from './refunds/refund-events.js';
import { judgeFailures, judgeFloats } from './refunds/refund-money.js';
import { judgeRefusals } from './refunds/refund-refusals.js';
import { judgeHeld } from './settlement/held-money.js';
import { missingSettlements } from './settlement/missing-settlements.js';
import { missingCharges } from './subscriptions/charges.js';
import { missingDeliveries } from './webhooks/missing-deliveries.js';

/** Says what never happened and should have by now. */
export function missing(known: Known): void {
  missingRecords(known);
  judgeRefundRecords(known);
  missingDeliveries(known);
  missingSettlements(known);
  judgeHeld(known);
  missingRefundEvents(known);
  judgeFloats(known);
  judgeFailures(known);
  judgeRefusals(known);
  missingCharges(known);
}
