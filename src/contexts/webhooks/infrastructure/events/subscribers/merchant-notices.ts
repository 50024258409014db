import { checksummed } from '../../../../../shared/kernel/evm-address.js';
import type { PublishedEvent } from '../../../../../shared/kernel/domain-event.js';
import type { PaymentRequestId } from '../../../../../shared/kernel/ids.js';
import type {
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
  PaymentRequestStatusChanged,
} from '../../../../payments/contract/payment-request-events.js';
import type { MerchantNews } from '../../../application/events/merchant-notice.js';
import { STATUS_CHANGED, toChange } from './status-changes.js';

export type MerchantNewsEvent =
  PaymentRequestStatusChanged | PaymentRequestDepositReceived | PaymentRequestCreditReversed;

export const MERCHANT_NEWS: readonly MerchantNewsEvent['type'][] = [
  ...STATUS_CHANGED,
  'payment_request.deposit_received',
  'payment_request.credit_reversed',
];

export function toNews(event: PublishedEvent<MerchantNewsEvent>): MerchantNews {
  switch (event.type) {
    case 'payment_request.status_changed':
      return { ...toChange(event), eventType: 'payment_request' };
    case 'payment_request.deposit_received':
      return {
        ...ofTransfer(event),
        eventType: 'deposit',
        amount: BigInt(event.data.amount),
        reason: event.data.reason,
      };
    case 'payment_request.credit_reversed':
      return {
        ...ofTransfer(event),
        eventType: 'adjustment',
        reverses: event.data.postedAs,
        before: BigInt(event.data.before),
        after: BigInt(event.data.after),
      };
  }
}

function ofTransfer(event: PublishedEvent<PaymentRequestDepositReceived | PaymentRequestCreditReversed>) {
  const { id, organizationId, accountId, aggregateId, occurredAt, data } = event;
  const { network, uniqueAssetId, currency, decimals, pointOfSaleId, referenceId, transactionHash } = data;
  return {
    ...{ eventId: id, organizationId, accountId, occurredAt, pointOfSaleId },
    paymentRequestId: aggregateId as PaymentRequestId,
    ...{ network, uniqueAssetId, currency, decimals, address: checksummed(data.to), transactionHash },
    ...(referenceId === undefined ? {} : { externalReferenceId: referenceId }),
  };
}
