import { formatAmount } from '#shared/kernel/amount.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import type { RefundStatusChanged } from '#contexts/settlement/contract/refund-events.js';
import type { SettlementStatusChanged } from '#contexts/settlement/contract/settlement-events.js';
import {
  ASSET_ID_FIELD,
  ASSET_SYMBOL_FIELD,
  withDescription,
  kindField,
  textFieldLike,
  NETWORK_FIELD,
  enumField,
  TEXT_FIELD,
  UUID_FIELD,
  type WebhookBodyFields,
} from './body-fields.js';

export const NOTIFIED_SETTLEMENT_STATUSES = ['completed', 'failed'];

export const SETTLEMENT_FIELDS: WebhookBodyFields<SettlementStatusChanged> = {
  notification_type: kindField('settlement_status_update', 'SettlementNotificationType'),
  settlement_id: [withDescription(UUID_FIELD, 'Id of the settlement.'), ({ aggregateId }) => aggregateId],
  status: [
    enumField(
      'NotifiedSettlementStatus',
      NOTIFIED_SETTLEMENT_STATUSES,
      'New status of the settlement. `completed`: the settlement address received the funds in a block that is ' +
        'now final. `failed`: the block was removed from the chain. The funds are back at the deposit addresses, ' +
        'and another settlement delivers them.',
    ),
    ({ data }) => data.status,
  ],
  account_id: [
    withDescription(UUID_FIELD, 'Id of the account whose funds were settled.'),
    ({ accountId }) => accountId,
  ],
  network: [NETWORK_FIELD, ({ data }) => data.network],
  unique_asset_id: [ASSET_ID_FIELD, ({ data }) => data.uniqueAssetId],
  currency: [ASSET_SYMBOL_FIELD, ({ data }) => data.currency],
  amount: [
    textFieldLike('24.75', 'Amount received by the settlement address, in `currency`.'),
    ({ data }) => formatAmount(BigInt(data.amount), data.decimals),
  ],
  fee_amount: [
    textFieldLike('0.25', 'Service fee received by the fee recipient, in `currency`.'),
    ({ data }) => formatAmount(BigInt(data.feeAmount), data.decimals),
  ],
  settlement_address: [
    withDescription(TEXT_FIELD, 'Address that received the funds, in EIP-55 form on EVM networks.'),
    ({ data }) => toDisplayAddress(data.settlementAddress),
  ],
  transaction_hash: [
    withDescription(TEXT_FIELD, 'Hash of the transaction that delivered the funds.'),
    ({ data }) => data.transactionHash,
  ],
  payment_count: [
    {
      type: 'integer',
      format: 'int32',
      description: 'Number of payment requests whose funds were delivered.',
      example: 1,
    },
    ({ data }) => new Set(data.addresses.map(({ paymentRequestId }) => paymentRequestId)).size,
  ],
};

/** A merchant who creates a refund already knows that it is pending. */
export const NOTIFIED_REFUND_STATUSES = ['processing', 'completed', 'failed'];

export const REFUND_FIELDS: WebhookBodyFields<RefundStatusChanged> = {
  notification_type: kindField('refund_status_update', 'RefundNotificationType'),
  refund_id: [withDescription(UUID_FIELD, 'Id of the refund.'), ({ aggregateId }) => aggregateId],
  payment_request_id: [
    withDescription(UUID_FIELD, 'Id of the refunded payment request.'),
    ({ data }) => data.paymentRequestId,
  ],
  status: [
    textFieldLike('completed', 'New status of the refund: `processing`, `completed` or `failed`.'),
    ({ data }) => data.status,
  ],
  point_of_sale_id: [
    withDescription(UUID_FIELD, 'Id of the point of sale of the payment request.'),
    ({ data }) => data.pointOfSaleId,
  ],
  account_id: [
    withDescription(UUID_FIELD, 'Id of the account that the payment request belongs to.'),
    ({ accountId }) => accountId,
  ],
};
