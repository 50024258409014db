import type { VNode } from 'preact';
import { StateMark } from '#shared/web/dashboard/page-parts.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { Badge } from '#shared/web/parts/badge.js';
import { Money, Name } from '#shared/web/parts/values.js';
import type { RefundedAsset, RefundState } from '#contexts/settlement/domain/refunds/refund.js';

export function RefundStatusBadge({ status, to }: Pick<RefundState, 'status' | 'to'>): VNode {
  if (status !== 'pending') return <Badge status={status} />;
  return <StateMark tone="busy">{t(to === undefined ? 'Awaiting address' : 'Awaiting approval')}</StateMark>;
}

export function AssetAmount({ asset, amount }: { asset: RefundedAsset; amount: bigint }): VNode {
  return <Money amount={amount} decimals={asset.decimals} symbol={asset.symbol} />;
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
  return <Name name={reference} id={id} href={`/app/payments/${id}`} />;
}
