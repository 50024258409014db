import type { LaterRecord } from '#contexts/payments/contract/later-records.js';
import type { ExplainedTransfer } from '#contexts/payments/application/explanation/explanation-view.js';
import type { PaymentProps } from './payment-timeline.js';

type Funds = Pick<ExplainedTransfer, 'uniqueAssetId' | 'currency' | 'decimals' | 'amount'>;

/** The funds of a payment, summed by asset. */
export function fundsOf({ explanation, later }: Pick<PaymentProps, 'explanation' | 'later'>) {
  const { transfers } = explanation;
  const booked = transfers.filter(({ bookedAs, reversedAt }) => bookedAs && !reversedAt);
  const refunds = later
    .filter(({ kind, status }) => kind === 'refund' && status !== 'failed')
    .filter(isFunds);
  const completed = refunds.filter(({ status }) => status === 'completed');
  const isRefunded = subtract(booked, completed).length === 0;
  return {
    refunded: sumByAsset(completed),
    refundState: completed.length === 0 ? undefined : isRefunded ? 'refunded' : 'partly_refunded',
    isRefundable: subtract(booked, refunds).length > 0,
    /** Received outside the payment and not refunded. Each sum has the code of one of its transfers. */
    unexpected: subtract(booked.filter(isUnexpected), refunds),
  } as const;
}

function isFunds(record: LaterRecord): record is LaterRecord & Funds {
  return record.uniqueAssetId !== undefined;
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
