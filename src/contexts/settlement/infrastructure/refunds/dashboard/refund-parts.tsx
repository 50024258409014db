import type { VNode } from 'preact';
import { formatAmount } from '#shared/kernel/amount.js';
import { StateMark, type Tone } from '#shared/web/dashboard/list-parts.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';
import type { RefundStatus } from '#contexts/settlement/contract/refund-events.js';
import type { RefundedAsset, RefundState } from '#contexts/settlement/domain/refunds/refund.js';

const TONES: Record<RefundStatus, Tone> = {
  pending: 'care',
  processing: 'care',
  completed: 'good',
  failed: 'bad',
};

export function shownRefundStatus(status: RefundStatus): string {
  return status[0]!.toUpperCase() + status.slice(1);
}

/** With what it waits for, where it waits. */
export function RefundMark({ status, to }: Pick<RefundState, 'status' | 'to'>): VNode {
  const waits = to === undefined ? 'Waits for the payer’s address' : 'Waits for approval';
  return (
    <StateMark tone={TONES[status]}>{status === 'pending' ? waits : shownRefundStatus(status)}</StateMark>
  );
}

export function AssetAmount({ asset, amount }: { asset: RefundedAsset; amount: bigint }): VNode {
  return <bdi>{shownAsset(formatAmount(amount, asset.decimals), asset.symbol)}</bdi>;
}

/** The link shows the merchant's own reference where there is one. */
export function PaymentLink({ id, reference }: { id: string; reference: string | undefined }): VNode {
  return (
    <a href={`/app/payments/${id}`}>{reference === undefined ? <code>{id}</code> : <bdi>{reference}</bdi>}</a>
  );
}
