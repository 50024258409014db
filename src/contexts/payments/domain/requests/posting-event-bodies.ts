import type {
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
} from '../../contract/payment-request-events.js';
import { senderAndTransaction, type EventBody } from './payment-request-event-bodies.js';
import type { Deposit } from './deposit-rule.js';
import type { PaymentRequestFacts } from './payment-request-facts.js';
import type { Reversal } from './reversal-rule.js';
import type { DepositAddress } from './selection.js';
import type { Transfer } from './transfer.js';

export function depositReceived(
  facts: PaymentRequestFacts,
  { transfer, depositAddress, reason }: Deposit,
): EventBody<PaymentRequestDepositReceived> {
  return {
    type: 'payment_request.deposit_received',
    data: { ...bookedTransfer(facts, depositAddress, transfer), amount: transfer.amount.toString(), reason },
  };
}

export function creditReversed(
  facts: PaymentRequestFacts,
  { transfer, depositAddress, postedAs, amountBefore }: Reversal,
): EventBody<PaymentRequestCreditReversed> {
  return {
    type: 'payment_request.credit_reversed',
    data: {
      ...bookedTransfer(facts, depositAddress, transfer),
      postedAs,
      before: amountBefore.toString(),
      after: (amountBefore - transfer.amount).toString(),
    },
  };
}

/** The fields that a deposit and a reversal share. */
function bookedTransfer(
  { pointOfSaleId, referenceId }: PaymentRequestFacts,
  depositAddress: DepositAddress,
  transfer: Transfer,
) {
  const { id, network, uniqueAssetId, currency, decimals } = transfer;
  return {
    ...{ transferId: id, network, uniqueAssetId, currency, decimals },
    ...{ feeBasisPoints: depositAddress.feeBasisPoints, pointOfSaleId },
    ...(referenceId === undefined ? {} : { referenceId }),
    to: depositAddress.address,
    ...senderAndTransaction(transfer),
  };
}
