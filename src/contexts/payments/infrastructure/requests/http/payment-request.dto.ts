import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import {
  answerFromView,
  AnswerField,
  TimestampField,
  UuidField,
} from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { toUnixSeconds } from '#shared/kernel/instant.js';
import { IsDecimalAmount } from '#shared/platform/http/validation/field-rules.js';
import {
  EXAMPLE_ASSET,
  IsPayerEmail,
  IsReferenceId,
  IsUniqueAssetId,
} from '#shared/platform/http/validation/shared-fields.js';
import { IsNestedObject } from '#shared/platform/http/validation/nested-fields.js';
import type {
  PaymentRequestDetailView,
  PaymentRequestView,
} from '#contexts/payments/application/requests/payment-request-view.js';
import type { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import type { RefundRecord } from '#contexts/payments/contract/settlement-and-refund-records.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import type { HistoryStatus } from '#contexts/payments/domain/requests/status.js';
import { CheckoutDto, EXPIRATION_FIELD, FULFILLED_FIELD, STATUS_FIELD, TYPE_FIELD } from './checkout.dto.js';
import { ORDER_BODY_DESCRIPTION, ORDER_DESCRIPTION, OrderBody, OrderDto, presentOrder } from './order.dto.js';
import { DepositDto, presentDeposits, presentTransfer, TransferDto } from './transfer.dto.js';

const SELECTED_FIELDS = ['currency', 'unique_asset_id', 'network', 'address'] as const;
const CHECKOUT_FIELDS = [
  'session_id',
  'checkout_url',
  'x402_url',
  'hosted_checkout_url',
  'coin_code',
  'payment_options',
  'merchant',
  'return_url',
  'payment_link_id',
  'selected',
] as const;

export class CreatePaymentRequestBody {
  @IsDecimalAmount(
    'Amount to be paid, in whole units of the asset. Must be at least the asset’s `minimum_amount`.',
    { example: '12.50' },
  )
  amount!: string;

  @IsUniqueAssetId(
    'Unique id of the asset in which the payer pays. Must be one of the point of sale’s `payment_options`.',
  )
  unique_asset_id!: string;

  @IsReferenceId('Your own order id. It does not have to be unique. Default: none.')
  reference_id?: string;

  @IsPayerEmail()
  payer_email?: string;

  @IsNestedObject(() => OrderBody, ORDER_BODY_DESCRIPTION, {
    optional: true,
    example: { total: '12.50', coin_code: 'USDC', description: 'Table 7' },
  })
  order?: OrderBody;
}

export class PaymentRequestDto {
  @UuidField('Unique id of the payment request.')
  id!: string;

  @AnswerField(TYPE_FIELD)
  type!: 'fixed';

  @AnswerField(STATUS_FIELD)
  status!: PaymentRequestStatus;

  @AnswerField(FULFILLED_FIELD)
  fulfilled!: boolean;

  @AnswerField(
    'Signed NASPIP payment token. Show it as a QR code, or open a wallet with it as the query ' +
      'parameter `naspip_token`.',
    { example: 'naspip;pay.example;key-2026;v4.public.…' },
  )
  token!: string;

  @AnswerField('Requested amount, in whole units of the asset.', { example: '12.5' })
  amount!: string;

  @AnswerField(
    'Symbol of the asset in which the payer pays. In a checkout, absent until an asset is selected.',
    {
      example: 'USDC',
    },
  )
  currency!: string;

  @AnswerField(
    'Unique id of the asset in which the payer pays. In a checkout, absent until an asset is selected.',
    { example: EXAMPLE_ASSET },
  )
  unique_asset_id!: string;

  @AnswerField(
    'Network id, such as `erc20` or `polygon`. In a checkout, absent until an asset is selected.',
    {
      example: 'erc20',
    },
  )
  network!: string;

  @AnswerField(
    'Deposit address, used only for this payment request (EIP-55). In a checkout, absent until an asset is ' +
      'selected.',
    { example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' },
  )
  address!: string;

  @AnswerField('Your own order id. Absent if you sent none.', { required: false, example: 'order-1042' })
  reference_id?: string;

  @AnswerField(ORDER_DESCRIPTION, { required: false })
  order?: OrderDto;

  @UuidField('Id of the point of sale.', { example: '0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90' })
  point_of_sale_id!: string;

  @UuidField('Id of the account that receives the payment.', {
    example: '0193b2f4-5f0f-7b2a-a13d-2c3d4e5f6071',
  })
  account_id!: string;

  @TimestampField('End of the payment window.', { example: '2026-01-31T12:08:00.000Z' })
  expires_at!: string;

  @AnswerField(EXPIRATION_FIELD)
  expiration!: number;

  @TimestampField('Time when the payment request was created.')
  created_at!: string;
}

export class StatusHistoryDto {
  @AnswerField(
    'Status that the payment request entered. `confirmed` is the ledger step that follows `completed`, ' +
      '`overpaid` or `underpaid`; it never appears in `status`.',
    { enum: [...STATUS_FIELD.enum, 'confirmed'], enumName: 'PaymentRequestStep' },
  )
  status!: HistoryStatus;

  @TimestampField('Time when the payment request entered the status.')
  at!: string;
}

export class RefundOfRequestDto {
  @UuidField('Id of the refund.')
  id!: string;

  @AnswerField({ enum: ['pending', 'processing', 'completed', 'failed'], enumName: 'RefundStatus' })
  status!: RefundRecord['status'];

  @AnswerField('Amount of the refund, in whole units of `currency`.', { example: '2.5' })
  amount!: string;

  @AnswerField('Symbol of the refunded asset.', { example: 'USDC' })
  currency!: string;

  @AnswerField('Hash of the refund transaction. Absent until the transaction is in a block.', {
    required: false,
    example: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  })
  transaction_hash?: string;
}

export class PaymentRequestProgressDto extends IntersectionType(
  OmitType(PaymentRequestDto, ['amount', ...SELECTED_FIELDS] as const),
  PartialType(PickType(PaymentRequestDto, SELECTED_FIELDS)),
  PartialType(PickType(CheckoutDto, CHECKOUT_FIELDS)),
) {
  @AnswerField('Requested amount, in whole units of `coin_code` for a checkout, otherwise of `currency`.', {
    example: '12.5',
  })
  amount!: string;

  @AnswerField(
    'Total of all counted transfers, including those that are not final, in whole units of `currency`.',
    { example: '12.5' },
  )
  received_amount!: string;

  @AnswerField(
    'Transfers to the addresses of this payment request, at most 100, in chain order. If there are more, ' +
      'counted transfers take precedence, followed by transfers recorded as deposits. A transfer that has ' +
      'disappeared from the chain is listed only if the ledger had recorded it.',
    { type: [TransferDto] },
  )
  transfers!: TransferDto[];

  @AnswerField(
    'Transfers that are recorded as deposits of the account instead of being part of the payment, because ' +
      'they were late or in another asset. They are also listed in `transfers`.',
    { type: [DepositDto] },
  )
  deposits!: DepositDto[];

  @AnswerField('Statuses that the payment request has had so far, oldest first.', {
    type: [StatusHistoryDto],
  })
  status_history!: StatusHistoryDto[];

  @TimestampField(
    'Time when the ledger recorded the payment. Absent until `status` is `completed`, `overpaid` or ' +
      '`underpaid`.',
    { required: false },
  )
  confirmed_at?: string;

  @AnswerField(
    'URL of the receipt. Anyone with the URL can read the receipt. Absent until the payment request ' +
      'has ended. Also absent if it received no funds.',
    { required: false, format: 'uri', example: 'https://pay.example/receipt/0Zk9mQ2x1c3RlckNvZmZlZTA' },
  )
  receipt_url?: string;

  @UuidField(
    'Id of the latest settlement that includes funds from this payment request. Failed settlements are ' +
      'ignored. Absent if there is none.',
    { required: false },
  )
  settlement_id?: string;

  @AnswerField('Refunds of this payment request, oldest first, including failed refunds.', {
    type: [RefundOfRequestDto],
  })
  refunds!: RefundOfRequestDto[];
}

export function presentProgress(
  request: PaymentRequestDetailView,
  checkout: CheckoutDto | undefined,
  urls: CheckoutUrls,
): PaymentRequestProgressDto {
  const { asked, delivery, receiptCode } = request;
  const progress = answerFromView(
    PaymentRequestProgressDto,
    { ...asked, ...request, settlementId: delivery.settlementId },
    {
      order: request.order && presentOrder(request.order),
      amount: checkout?.amount ?? formatAmount(asked!.amount, asked!.decimals),
      received_amount: formatAmount(request.receivedAmount, asked?.decimals ?? 0),
      expiration: toUnixSeconds(request.expiresAt),
      transfers: request.transfers.map(presentTransfer),
      deposits: presentDeposits(request.transfers),
      status_history: request.history.map((entry) => answerFromView(StatusHistoryDto, entry)),
      refunds: delivery.refunds.map(presentRefund),
      receipt_url: receiptCode === undefined ? undefined : urls.receipt(receiptCode),
    },
  );
  return { ...progress, ...checkout };
}

function presentRefund(refund: RefundRecord): RefundOfRequestDto {
  return answerFromView(RefundOfRequestDto, refund, { amount: formatAmount(refund.amount, refund.decimals) });
}

export function presentRequest(request: PaymentRequestView): PaymentRequestDto {
  return answerFromView(PaymentRequestDto, request, {
    amount: formatAmount(request.amount, request.decimals),
    order: request.order && presentOrder(request.order),
    expiration: toUnixSeconds(request.expiresAt),
  });
}
