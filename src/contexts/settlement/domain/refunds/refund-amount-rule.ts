import { formatAmount, parseAmount } from '#shared/kernel/amount.js';
import { invalidField, stateConflict } from '#shared/kernel/domain-error.js';
import { canonicalAssetId } from '#contexts/networks/contract/address-spelling.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import type { RefundableRequest } from '#contexts/payments/contract/refundable-requests.js';
import type { RefundedAsset } from './refund.js';

export type ReceivedAsset = RefundableRequest['received'][number];

const REFUNDABLE_STATUSES: readonly PaymentRequestStatus[] = [
  'completed',
  'underpaid',
  'overpaid',
  'expired',
  'failed',
];

export function refuseOpenPaymentRequest({ status }: Pick<RefundableRequest, 'status'>): void {
  if (REFUNDABLE_STATUSES.includes(status)) return;
  throw stateConflict(`The payment request is ${status}. It can be refunded after it has ended.`);
}

/**
 * Default: the asset that was paid, otherwise the only deposited asset.
 * @throws state_conflict if nothing was received; validation_failed if the asset must be named or was not received
 */
export function assetToRefund(received: readonly ReceivedAsset[], named: string | undefined): ReceivedAsset {
  const some = received.filter(({ paid, deposited }) => paid + deposited > 0n);
  if (some.length === 0) throw stateConflict('No final payment was received, so there is nothing to refund.');
  const ids = some.map(({ asset }) => asset.uniqueAssetId).join(', ');
  if (named !== undefined) {
    const sought = canonicalAssetId(named);
    const found = some.find(({ asset }) => canonicalAssetId(asset.uniqueAssetId) === sought);
    if (found !== undefined) return found;
    throw invalidField('unique_asset_id', 'received_asset', `must be an asset that was received: ${ids}.`);
  }
  const [only] = some.length === 1 ? some : some.filter(({ paid }) => paid > 0n);
  if (only !== undefined) return only;
  throw invalidField(
    'unique_asset_id',
    'required',
    `is required because several assets were received: ${ids}.`,
  );
}

export function totalReceived({ paid, deposited }: ReceivedAsset): bigint {
  return paid + deposited;
}

/** In smallest units. */
export interface RefundAmounts {
  readonly received: bigint;
  /** The sum of refunds that have not failed. */
  readonly refunded: bigint;
}

export interface AmountToRefundInput extends RefundAmounts, Pick<ReceivedAsset, 'asset' | 'asked'> {
  readonly status: PaymentRequestStatus;
  readonly amount?: string | undefined;
  /** Smallest amount of the asset that can be paid, in smallest units. */
  readonly minimum: bigint;
}

/**
 * Default: the remaining excess of an `overpaid` request, or the full remaining amount of any other request.
 * @throws validation_failed; state_conflict if nothing remains
 */
export function amountToRefund(input: AmountToRefundInput): bigint {
  const { status, asset, asked, received, refunded, amount, minimum } = input;
  const left = received - refunded;
  if (left <= 0n)
    throw stateConflict('The full amount has already been refunded, or is reserved for pending refunds.');
  const toRefund = amount === undefined ? defaultAmount(status, left, asked) : readAmount(amount, asset);
  if (toRefund > left) {
    throw invalidField(
      'amount',
      'maximum_amount',
      `must be at most ${formatWithSymbol(left, asset)}, the remaining amount.`,
    );
  }
  if (toRefund < minimum) {
    throw invalidField('amount', 'minimum_amount', `must be at least ${formatWithSymbol(minimum, asset)}.`);
  }
  return toRefund;
}

function defaultAmount(status: PaymentRequestStatus, left: bigint, asked: bigint): bigint {
  if (status !== 'overpaid') return left;
  if (left > asked) return left - asked;
  throw invalidField(
    'amount',
    'required',
    'is required because the excess has already been refunded. State how much of the remaining amount to ' +
      'refund.',
  );
}

function readAmount(text: string, { decimals }: RefundedAsset): bigint {
  const amount = parseAmount(text, decimals);
  if (typeof amount === 'bigint') return amount;
  const rule = amount === 'too_many_decimals' ? 'decimals' : 'decimal_amount';
  throw invalidField(
    'amount',
    rule,
    `must be a decimal string above zero with at most ${decimals} decimals, such as "10.50".`,
  );
}

function formatWithSymbol(amount: bigint, { decimals, symbol }: RefundedAsset): string {
  return `${formatAmount(amount, decimals)} ${symbol}`;
}
