import type {
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
} from '../../contract/payment-request-events.js';
import { broughtBy, type Said } from './payment-request-event-bodies.js';
import type { BesideOutcome } from './deposit-rule.js';
import type { PaymentRequestFacts } from './payment-request-facts.js';
import type { Reversal } from './reversal-rule.js';
import type { DepositAddress } from './selection.js';
import type { Transfer } from './transfer.js';

export function depositReceived(
  facts: PaymentRequestFacts,
  { transfer, to, reason }: BesideOutcome,
): Said<PaymentRequestDepositReceived> {
  return {
    type: 'payment_request.deposit_received',
    data: { ...booked(facts, to, transfer), amount: transfer.amount.toString(), reason },
  };
}

export function creditReversed(
  facts: PaymentRequestFacts,
  { transfer, to, postedAs, stood }: Reversal,
): Said<PaymentRequestCreditReversed> {
  return {
    type: 'payment_request.credit_reversed',
    data: {
      ...booked(facts, to, transfer),
      postedAs,
      before: stood.toString(),
      after: (stood - transfer.amount).toString(),
    },
  };
}

/** One transfer, as the ledger books it. */
function booked({ pointOfSaleId, referenceId }: PaymentRequestFacts, to: DepositAddress, transfer: Transfer) {
  const { id, network, uniqueAssetId, currency, decimals } = transfer;
  return {
    ...{ transferId: id, network, uniqueAssetId, currency, decimals },
    ...{ feeBasisPoints: to.feeBasisPoints, pointOfSaleId },
    ...(referenceId === undefined ? {} : { referenceId }),
    to: to.address.toLowerCase(),
    ...broughtBy(transfer),
  };
}
