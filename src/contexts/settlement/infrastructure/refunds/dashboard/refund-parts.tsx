import type { VNode } from 'preact';
import { StateBadge } from '#shared/web/dashboard/page-parts.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { StatusBadge } from '#shared/web/parts/status-badge.js';
import { AmountText, RecordName } from '#shared/web/parts/values.js';
import type { RefundedAsset, RefundSnapshot } from '#contexts/settlement/domain/refunds/refund.js';

export function RefundStatusBadge({ status, to }: Pick<RefundSnapshot, 'status' | 'to'>): VNode {
  if (status !== 'pending') return <StatusBadge status={status} />;
  return (
    <StateBadge tone="busy">{t(to === undefined ? 'Awaiting address' : 'Awaiting approval')}</StateBadge>
  );
}

export function AssetAmount({ asset, amount }: { asset: RefundedAsset; amount: bigint }): VNode {
  return <AmountText amount={amount} decimals={asset.decimals} symbol={asset.symbol} />;
}

export function FloatWarning({ asset, missing }: { asset: RefundedAsset; missing: bigint }): VNode | null {
  if (missing === 0n) return null;
  return (
    <p class="warning">
      {t('The refund float is {amount} short. Top it up before you approve the refund.', {
        amount: <AssetAmount asset={asset} amount={missing} />,
      })}
    </p>
  );
}

export function PaymentLink({ id, reference }: { id: string; reference: string | undefined }): VNode {
  return <RecordName name={reference} id={id} href={`/app/payments/${id}`} />;
}
