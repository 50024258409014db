import type { VNode } from 'preact';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { CopyRow, LinkButton } from '#shared/web/dashboard/page-parts.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { TimeText } from '#shared/web/parts/values.js';
import type { RefundSnapshot } from '#contexts/settlement/domain/refunds/refund.js';
import { AssetAmount, FloatWarning } from './refund-parts.js';

interface RefundClaimProps {
  readonly visitor: PageUser;
  readonly refund: RefundSnapshot;
  readonly url: string;
  readonly missing: bigint;
}

export function newClaimLinkPagePath(refund: string): string {
  return `/app/refunds/${refund}/claim`;
}

/** The only page that ever displays the payer's claim link. */
export function newClaimLinkPage({ visitor, refund, url, missing }: RefundClaimProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Link for the payer" place="/app/refunds">
      <section class="card">
        <p>
          {t('Send this link to the payer. They enter an address for {amount}, and you approve it.', {
            amount: <AssetAmount {...refund} />,
          })}
        </p>
        <FloatWarning asset={refund.asset} missing={missing} />
        <p class="warning">
          {t('The link is displayed only once. Anyone with this link can set the payout address.')}
        </p>
        <dl class="facts">
          <CopyRow id="claim" label="Link for the payer" value={url} />
        </dl>
        {refund.claimExpiresAt !== undefined && (
          <p>
            {t('The link is valid until {time}.', { time: <TimeText at={refund.claimExpiresAt} exact /> })}
          </p>
        )}
        <div class="actions">
          <LinkButton href={`/app/refunds/${refund.id}`} label="View refund" look="primary" />
        </div>
      </section>
    </DashboardPage>
  );
}
