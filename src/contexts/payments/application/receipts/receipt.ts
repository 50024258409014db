import { formatAmount } from '#shared/kernel/amount.js';
import type { Order, OrderMerchant } from '../../domain/requests/order.js';
import { decideReceiptStatus, type ReceiptStatus } from '../../domain/receipts/receipt-status-rule.js';
import type { PaymentRequestDetailView, TransferView } from '../requests/payment-request-view.js';

/** Amounts are decimal strings in whole units. Times are ISO 8601 in UTC. Fields without a value are absent. */
export interface ReceiptTransaction {
  readonly transaction_hash?: string;
  readonly explorer_url?: string;
  readonly amount: string;
  readonly symbol: string;
  readonly network_name: string;
  readonly block_number: number;
  readonly block_time: string;
  /** Absent if the transfer was received at its block timestamp. */
  readonly arrived_at?: string;
  readonly reversed_at?: string;
}

export interface ReceiptRefund {
  readonly amount: string;
  readonly symbol: string;
  readonly network_name: string;
  readonly status: 'on_its_way' | 'paid';
  readonly transaction_hash?: string;
  readonly explorer_url?: string;
}

export interface Receipt {
  readonly url: string;
  readonly payment_request_id: string;
  readonly status: ReceiptStatus;
  readonly merchant: { readonly name: string; readonly tax_id?: string; readonly postal_address?: string };
  readonly order?: Omit<Order, 'merchant'>;
  readonly price: { readonly amount: string; readonly coin_code: string };
  readonly received: {
    readonly amount: string;
    readonly asked_amount: string;
    readonly symbol: string;
    readonly unique_asset_id: string;
    readonly network: string;
    readonly network_name: string;
  };
  /** Price of one unit of the asset. Absent if the price is in the asset. */
  readonly rate?: { readonly price: string; readonly sources: readonly string[]; readonly at: string };
  /** Estimated fee of a transfer on this network at `stated_at`. Not included in the other amounts. */
  readonly network_fee?: {
    readonly amount: string;
    readonly coin_code: string;
    readonly is_less: boolean;
  };
  readonly transactions: readonly ReceiptTransaction[];
  readonly other_transactions: readonly ReceiptTransaction[];
  readonly refunds: readonly ReceiptRefund[];
  readonly reversed_amount?: string;
  readonly refunded_amount?: string;
  readonly issued_at: string;
  readonly stated_at: string;
}

export interface ReceiptContext {
  readonly url: string;
  readonly issuedAt: Date;
  /** Kept separately, because the request lists only a limited number of transfers. */
  readonly reversedAmount: bigint;
  readonly statedAt: Date;
  readonly merchant: Receipt['merchant'];
  readonly nameOf: (network: string) => string;
  readonly fee?: { readonly amount: string; readonly coinCode: string; readonly isLess: boolean } | undefined;
  readonly explorer: (network: string, hash: string) => string | undefined;
}

export function buildReceipt(request: PaymentRequestDetailView, context: ReceiptContext): Receipt {
  const asked = request.asked!;
  const { checkout, order, receivedAmount, transfers } = request;
  const { merchant, fee, statedAt, nameOf, reversedAmount: reversed } = context;
  const amountOf = (units: bigint) => formatAmount(units, asked.decimals);
  const counted = transfers.filter(({ bookedAs }) => bookedAs === 'payment_in');
  const { refunds, refunded } = collectRefunds(request, context);
  const stated = { fulfilled: request.fulfilled, received: receivedAmount, reversed, refunded };
  const rate = checkout?.selected?.rate;
  return {
    url: context.url,
    payment_request_id: request.id,
    status: decideReceiptStatus(stated),
    merchant,
    ...(order && { order: removeMerchant(order) }),
    price: {
      amount: checkout?.amount ?? amountOf(asked.amount),
      coin_code: checkout?.coinCode ?? asked.currency,
    },
    received: {
      amount: amountOf(receivedAmount),
      asked_amount: amountOf(asked.amount),
      symbol: asked.currency,
      unique_asset_id: asked.uniqueAssetId,
      network: asked.network,
      network_name: nameOf(asked.network),
    },
    ...(rate && { rate: { ...rate, sources: [...rate.sources], at: rate.at.toISOString() } }),
    ...(fee && { network_fee: { amount: fee.amount, coin_code: fee.coinCode, is_less: fee.isLess } }),
    transactions: counted.map((transfer) => toReceiptTransaction(transfer, context)),
    other_transactions: transfers
      .filter(({ bookedAs }) => bookedAs === 'deposit')
      .map((transfer) => toReceiptTransaction(transfer, context)),
    refunds,
    ...(reversed > 0n && { reversed_amount: amountOf(reversed) }),
    ...(refunded > 0n && { refunded_amount: amountOf(refunded) }),
    issued_at: context.issuedAt.toISOString(),
    stated_at: statedAt.toISOString(),
  };
}

/** The merchant as the payer saw it, completed from the account. */
export function chooseReceiptMerchant(
  { checkout, order }: PaymentRequestDetailView,
  account: { readonly name: string; readonly taxId?: string; readonly postalAddress?: string },
): Receipt['merchant'] {
  const shown = checkout && { name: checkout.merchant.name, tax_id: checkout.merchant.taxId };
  const named: Partial<Pick<OrderMerchant, 'name' | 'tax_id'>> = order?.merchant ?? shown ?? {};
  const tax_id = named.tax_id ?? account.taxId;
  const { postalAddress: postal_address } = account;
  return {
    name: named.name ?? account.name,
    ...(tax_id !== undefined && { tax_id }),
    ...(postal_address !== undefined && { postal_address }),
  };
}

function toReceiptTransaction(
  { network, transactionHash, amount, decimals, currency, reversedAt, ...transfer }: TransferView,
  { explorer, nameOf }: ReceiptContext,
): ReceiptTransaction {
  const explorer_url = transactionHash && explorer(network, transactionHash);
  return {
    ...(transactionHash !== undefined && { transaction_hash: transactionHash }),
    ...(explorer_url && { explorer_url }),
    amount: formatAmount(amount, decimals),
    symbol: currency,
    network_name: nameOf(network),
    block_number: transfer.blockNumber,
    block_time: transfer.blockTime.toISOString(),
    ...(transfer.arrivedAt && { arrived_at: transfer.arrivedAt.toISOString() }),
    ...(reversedAt && { reversed_at: reversedAt.toISOString() }),
  };
}

/** Excludes refunds that await approval, because they may never be paid. */
function collectRefunds({ delivery, asked }: PaymentRequestDetailView, { explorer, nameOf }: ReceiptContext) {
  const known = delivery.refunds.filter(({ status }) => status === 'processing' || status === 'completed');
  const refunds = known.map(({ amount, decimals, currency, network, status, transactionHash }) => {
    const explorer_url = transactionHash && explorer(network, transactionHash);
    return {
      amount: formatAmount(amount, decimals),
      symbol: currency,
      network_name: nameOf(network),
      status: status === 'completed' ? ('paid' as const) : ('on_its_way' as const),
      ...(transactionHash !== undefined && { transaction_hash: transactionHash }),
      ...(explorer_url && { explorer_url }),
    };
  });
  const refunded = known
    .filter(({ status, uniqueAssetId }) => status === 'completed' && uniqueAssetId === asked!.uniqueAssetId)
    .reduce((sum, { amount }) => sum + amount, 0n);
  return { refunds, refunded };
}

function removeMerchant({ merchant: _, ...order }: Order): Omit<Order, 'merchant'> {
  return order;
}
