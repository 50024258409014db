import { formatAmount } from '#shared/kernel/amount.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type { RefundStatusChanged } from '#contexts/settlement/contract/refund-events.js';
import type { SettlementStatusChanged } from '#contexts/settlement/contract/settlement-events.js';
import {
  ASSET,
  CURRENCY,
  described,
  kindOfBody,
  like,
  NETWORK,
  oneOf,
  TEXT,
  UUID,
  type BodyFields,
} from './body-fields.js';

/** A settlement that is `processing` is for reading. */
export const NOTIFIED_SETTLEMENT_STATUSES = ['completed', 'failed'];

export const SETTLEMENT_FIELDS: BodyFields<SettlementStatusChanged> = {
  notification_type: kindOfBody('settlement_status_update', 'SettlementNotificationType'),
  settlement_id: [UUID, ({ aggregateId }) => aggregateId],
  status: [
    oneOf(
      'NotifiedSettlementStatus',
      NOTIFIED_SETTLEMENT_STATUSES,
      '`completed`: the money has arrived, in a final block. `failed`: the block was removed from the chain, and the money is ' +
        'at the deposit addresses again, to be delivered by another settlement.',
    ),
    ({ data }) => data.status,
  ],
  account_id: [UUID, ({ accountId }) => accountId],
  network: [NETWORK, ({ data }) => data.network],
  unique_asset_id: [ASSET, ({ data }) => data.uniqueAssetId],
  currency: [CURRENCY, ({ data }) => data.currency],
  amount: [
    like('24.75', 'What the settlement address received, in `currency`.'),
    ({ data }) => formatAmount(BigInt(data.amount), data.decimals),
  ],
  fee_amount: [
    like('0.25', 'What the fee recipient received, in `currency`.'),
    ({ data }) => formatAmount(BigInt(data.feeAmount), data.decimals),
  ],
  settlement_address: [
    described(TEXT, 'EIP-55 on EVM networks.'),
    ({ data }) => addressForPeople(data.settlementAddress),
  ],
  transaction_hash: [TEXT, ({ data }) => data.transactionHash],
  payment_count: [
    { type: 'integer', format: 'int32', description: 'Payment requests whose money it is.', example: 1 },
    ({ data }) => new Set(data.addresses.map(({ paymentRequestId }) => paymentRequestId)).size,
  ],
};

/** A refund is `pending` by the merchant's own doing. */
export const NOTIFIED_REFUND_STATUSES = ['processing', 'completed', 'failed'];

export const REFUND_FIELDS: BodyFields<RefundStatusChanged> = {
  notification_type: kindOfBody('refund_status_update', 'RefundNotificationType'),
  refund_id: [UUID, ({ aggregateId }) => aggregateId],
  payment_request_id: [UUID, ({ data }) => data.paymentRequestId],
  status: [like('completed', '`processing`, `completed` or `failed`.'), ({ data }) => data.status],
  point_of_sale_id: [UUID, ({ data }) => data.pointOfSaleId],
  account_id: [UUID, ({ accountId }) => accountId],
};
