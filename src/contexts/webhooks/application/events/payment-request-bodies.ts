import { formatAmount } from '#shared/kernel/amount.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type {
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
  PaymentRequestStatusChanged,
} from '#contexts/payments/contract/payment-request-events.js';
import {
  ASSET,
  CURRENCY,
  described,
  kindOfBody,
  like,
  NETWORK,
  oneOf,
  optional,
  TEXT,
  UUID,
  type BodyFields,
} from './body-fields.js';

type TransferEvent = PaymentRequestDepositReceived | PaymentRequestCreditReversed;

/** A merchant is notified of these statuses; the others are for polling (docs/reference/webhooks.md, "Register"). */
export const NOTIFIED_STATUSES = ['processing', 'completed', 'underpaid', 'overpaid'];

const OF_REQUEST: BodyFields<PaymentRequestStatusChanged | TransferEvent> = {
  payment_request_id: [UUID, ({ aggregateId }) => aggregateId],
  external_reference_id: [
    optional(described(TEXT, 'Your `reference_id`; absent where none was set.')),
    ({ data }) => data.referenceId,
  ],
  point_of_sale_id: [UUID, ({ data }) => data.pointOfSaleId],
  account_id: [UUID, ({ accountId }) => accountId],
};

export const PAYMENT_REQUEST_FIELDS: BodyFields<PaymentRequestStatusChanged> = {
  ...OF_REQUEST,
  notification_type: kindOfBody('payment_request_status_update', 'PaymentRequestNotificationType'),
  payment_request_type: [oneOf('PaymentRequestType', ['fixed']), ({ data }) => data.paymentRequestType],
  status: [
    oneOf(
      'NotifiedStatus',
      NOTIFIED_STATUSES,
      'A `processing` that comes after one of the others is outdated.',
    ),
    ({ data }) => data.status,
  ],
};

/** No `status` is among them, so that nobody takes a deposit or an adjustment for a change of one. */
const OF_TRANSFER: BodyFields<TransferEvent> = {
  ...OF_REQUEST,
  network: [NETWORK, ({ data }) => data.network],
  unique_asset_id: [ASSET, ({ data }) => data.uniqueAssetId],
  currency: [CURRENCY, ({ data }) => data.currency],
  address: [described(TEXT, 'Where it was sent to (EIP-55).'), ({ data }) => addressForPeople(data.to)],
  transaction_hash: [
    optional(described(TEXT, 'Absent where no transaction is known to have brought it.')),
    ({ data }) => data.transactionHash,
  ],
};

export const DEPOSIT_FIELDS: BodyFields<PaymentRequestDepositReceived> = {
  ...OF_TRANSFER,
  notification_type: kindOfBody('payment_request_deposit', 'DepositNotificationType'),
  amount: [like('5', 'In `currency`.'), ({ data }) => formatAmount(BigInt(data.amount), data.decimals)],
  reason: [
    oneOf(
      'DepositReason',
      ['late', 'after_outcome', 'other_asset'],
      'Why it is no part of what the request received.',
    ),
    ({ data }) => data.reason,
  ],
  gathered_transfers: [
    {
      required: false,
      type: 'integer',
      format: 'int64',
      description: 'Of transfers below their asset’s `minimum_amount`: how many are in it. Absent otherwise.',
      example: 3,
    },
    ({ data }) => data.gathered?.transfers,
  ],
  gathered_on: [
    {
      required: false,
      type: 'string',
      format: 'date',
      description: 'The UTC day of their blocks. Absent otherwise.',
      example: '2026-01-31',
    },
    ({ data }) => data.gathered?.on,
  ],
};

export const ADJUSTMENT_FIELDS: BodyFields<PaymentRequestCreditReversed> = {
  ...OF_TRANSFER,
  notification_type: kindOfBody('payment_request_adjustment', 'AdjustmentNotificationType'),
  // With a minus, so that amounts of deposits and adjustments can be added up.
  amount: [
    like('-9.5', 'In `currency`, with a minus.'),
    ({ data }) => formatAmount(BigInt(data.after) - BigInt(data.before), data.decimals),
  ],
  remaining_amount: [
    like('0.5', 'What is left of that transaction, in `currency`.'),
    ({ data }) => formatAmount(BigInt(data.after), data.decimals),
  ],
  reverses: [like('payment_in', 'Type of the transaction that it takes from.'), ({ data }) => data.postedAs],
};
