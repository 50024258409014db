import { formatAmount } from '#shared/kernel/amount.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import {
  INCOMING_TRANSFER_STATUSES,
  type PaymentRequestAcceptedAsPaid,
  type PaymentRequestCreditReversed,
  type PaymentRequestDepositReceived,
  type PaymentRequestIncomingTransferChanged,
  type PaymentRequestStatusChanged,
} from '#contexts/payments/contract/payment-request-events.js';
import {
  ASSET_ID_FIELD,
  ASSET_SYMBOL_FIELD,
  withDescription,
  kindField,
  textFieldLike,
  NETWORK_FIELD,
  enumField,
  optionalField,
  TEXT_FIELD,
  UUID_FIELD,
  type WebhookBodyFields,
} from './body-fields.js';

type StatusEvent = PaymentRequestStatusChanged | PaymentRequestAcceptedAsPaid;
type TransferEvent =
  PaymentRequestDepositReceived | PaymentRequestCreditReversed | PaymentRequestIncomingTransferChanged;

/** Merchants can poll for the other statuses. */
export const NOTIFIED_PAYMENT_REQUEST_STATUSES = ['processing', 'completed', 'underpaid', 'overpaid'];

const FIELDS_OF_EVERY_REQUEST_BODY: WebhookBodyFields<StatusEvent | TransferEvent> = {
  payment_request_id: [
    withDescription(UUID_FIELD, 'Id of the payment request.'),
    ({ aggregateId }) => aggregateId,
  ],
  external_reference_id: [
    optionalField(
      textFieldLike('order-1042', 'Your `reference_id` of the payment request. Absent if none was set.'),
    ),
    ({ data }) => data.referenceId,
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

export const PAYMENT_REQUEST_FIELDS: WebhookBodyFields<StatusEvent> = {
  ...FIELDS_OF_EVERY_REQUEST_BODY,
  notification_type: kindField('payment_request_status_update', 'PaymentRequestNotificationType'),
  payment_request_type: [enumField('PaymentRequestType', ['fixed']), ({ data }) => data.paymentRequestType],
  status: [
    enumField(
      'NotifiedStatus',
      NOTIFIED_PAYMENT_REQUEST_STATUSES,
      'New status of the payment request. Deliveries are not ordered: ignore a `processing` that you receive ' +
        'after another status. A second `underpaid` says that the merchant accepted the payment as paid.',
    ),
    ({ data }) => data.status,
  ],
};

const FIELDS_OF_EVERY_TRANSFER_BODY: WebhookBodyFields<TransferEvent> = {
  ...FIELDS_OF_EVERY_REQUEST_BODY,
  network: [NETWORK_FIELD, ({ data }) => data.network],
  unique_asset_id: [ASSET_ID_FIELD, ({ data }) => data.uniqueAssetId],
  currency: [ASSET_SYMBOL_FIELD, ({ data }) => data.currency],
  address: [
    withDescription(TEXT_FIELD, 'Deposit address that received the funds, in EIP-55 form on EVM networks.'),
    ({ data }) => toDisplayAddress(data.to),
  ],
  transaction_hash: [
    optionalField(
      withDescription(
        TEXT_FIELD,
        'Hash of the transaction that transferred the funds. Absent for a transfer inside a contract call, ' +
          'because its transaction is not known.',
      ),
    ),
    ({ data }) => data.transactionHash,
  ],
};

const RECEIVED_AMOUNT_FIELDS: WebhookBodyFields<
  PaymentRequestDepositReceived | PaymentRequestIncomingTransferChanged
> = {
  amount: [
    textFieldLike('5', 'Amount received, in `currency`.'),
    ({ data }) => formatAmount(BigInt(data.amount), data.decimals),
  ],
  gathered_transfers: [
    {
      required: false,
      type: 'integer',
      format: 'int64',
      description:
        'Number of transfers that are combined in this deposit, each below the `minimum_amount` of its asset. ' +
        'Absent if the deposit is a single transfer of at least that amount.',
      example: 3,
    },
    ({ data }) => data.gathered?.transfers,
  ],
  gathered_on: [
    {
      required: false,
      type: 'string',
      format: 'date',
      description:
        'UTC date of the blocks that contain the combined transfers. Absent if `gathered_transfers` is absent.',
      example: '2026-01-31',
    },
    ({ data }) => data.gathered?.on,
  ],
};

/** No `status`, so that receivers do not mistake a deposit for a status update. */
export const DEPOSIT_FIELDS: WebhookBodyFields<PaymentRequestDepositReceived> = {
  ...FIELDS_OF_EVERY_TRANSFER_BODY,
  ...RECEIVED_AMOUNT_FIELDS,
  notification_type: kindField('payment_request_deposit', 'DepositNotificationType'),
  reason: [
    enumField(
      'DepositReason',
      ['late', 'after_outcome', 'other_asset'],
      'Why the funds do not count toward the payment request. `late`: received after the payment window. ' +
        '`after_outcome`: sent in time, but received after the payment request had its final status. ' +
        '`other_asset`: received in an asset other than the requested one.',
    ),
    ({ data }) => data.reason,
  ],
};

export const INCOMING_TRANSFER_FIELDS: WebhookBodyFields<PaymentRequestIncomingTransferChanged> = {
  ...FIELDS_OF_EVERY_TRANSFER_BODY,
  ...RECEIVED_AMOUNT_FIELDS,
  notification_type: kindField('incoming_transfer_status_update', 'IncomingTransferNotificationType'),
  transfer_id: [
    withDescription(UUID_FIELD, 'Id of the transfer or, if transfers are combined, of the last one.'),
    ({ data }) => data.transferId,
  ],
  status: [
    enumField(
      'IncomingTransferStatus',
      [...INCOMING_TRANSFER_STATUSES],
      '`processing`: included in a block that can still be replaced. `completed`: final and booked as a deposit. ' +
        '`reversed`: disappeared from the chain after it was booked. Deliveries are not ordered: ignore a ' +
        '`processing` that you receive after another status.',
    ),
    ({ data }) => data.status,
  ],
};

export const ADJUSTMENT_FIELDS: WebhookBodyFields<PaymentRequestCreditReversed> = {
  ...FIELDS_OF_EVERY_TRANSFER_BODY,
  notification_type: kindField('payment_request_adjustment', 'AdjustmentNotificationType'),
  // Negative, so that all deposits and adjustments add up to the amount received.
  amount: [
    textFieldLike('-9.5', 'Change of the recorded amount, in `currency`. Always negative.'),
    ({ data }) => formatAmount(BigInt(data.after) - BigInt(data.before), data.decimals),
  ],
  remaining_amount: [
    textFieldLike(
      '0.5',
      'Amount of the reversed ledger transaction that remains after this adjustment, in `currency`.',
    ),
    ({ data }) => formatAmount(BigInt(data.after), data.decimals),
  ],
  reverses: [
    textFieldLike('payment_in', 'Type of the reversed ledger transaction: `payment_in` or `deposit`.'),
    ({ data }) => data.postedAs,
  ],
};
