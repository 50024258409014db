import type { ExplainedTransfer } from '#contexts/payments/application/explanation/explanation-view.js';
import type { PaymentDetailPageProps } from './payment-timeline.js';

type Funds = Pick<ExplainedTransfer, 'uniqueAssetId' | 'currency' | 'decimals' | 'amount'>;

/** The funds of a payment, summed by asset. */
export function sumFundsByAsset({
  explanation,
  request,
}: Pick<PaymentDetailPageProps, 'explanation' | 'request'>) {
  const booked = explanation.transfers.filter(({ bookedAs, reversedAt }) => bookedAs && !reversedAt);
  const refunds = request.delivery.refunds.filter(({ status }) => status !== 'failed');
  return {
    hasRefund: refunds.length > 0,
    refunded: sumByAsset(refunds.filter(({ status }) => status === 'completed')),
    isRefundable: request.delivery.isRefundable ?? booked.length > 0,
    /** Received outside the payment and not refunded. Each sum has the code of one of its transfers. */
    unexpected: subtract(booked.filter(isUnexpected), refunds),
  };
}

/** Transfers below the minimum are booked together and are not worth an alert. */
function isUnexpected({ bookedAs, gatheredOn }: ExplainedTransfer): boolean {
  return bookedAs === 'deposit' && gatheredOn === undefined;
}

function sumByAsset<Of extends Funds>(funds: readonly Of[]): Of[] {
  const groups = Map.groupBy(funds, ({ uniqueAssetId }) => uniqueAssetId);
  return [...groups.values()].map((group) => ({
    ...group[0]!,
    amount: group.reduce((sum, { amount }) => sum + amount, 0n),
  }));
}

/** Omits assets of which nothing remains. */
function subtract<Of extends Funds>(funds: readonly Of[], others: readonly Funds[]): Of[] {
  const taken = new Map(sumByAsset(others).map(({ uniqueAssetId, amount }) => [uniqueAssetId, amount]));
  return sumByAsset(funds)
    .map((sum) => ({ ...sum, amount: sum.amount - (taken.get(sum.uniqueAssetId) ?? 0n) }))
    .filter(({ amount }) => amount > 0n);
}
