import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { SHARED_MESSAGES } from '#shared/web/messages/shared-messages.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import { When } from '#shared/web/parts/when.js';
import type { RefundState } from '#contexts/settlement/domain/refunds/refund.js';
import { AssetAmount } from './refund-parts.js';

interface RefundClaimProps {
  readonly visitor: PageVisitor;
  readonly refund: RefundState;
  /** The address of the page at which the payer names where the money goes. */
  readonly url: string;
}

/** The path of the page that shows the payer's link of a refund. */
export function claimPageOf(refund: string): string {
  return `/app/refunds/${refund}/claim`;
}

/** The only page that ever shows the link. */
export function refundClaimPage({ visitor, refund, url }: RefundClaimProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Refund created" place="/app/refunds">
      <section class="card">
        <p>
          Send this link to the payer. They name the address that <AssetAmount {...refund} /> are paid to;
          then you approve it.
        </p>
        <p class="warning">
          The link is shown only now: loading this page again does not show it. Who has it names the address.
        </p>
        <dl class="facts">
          <Copyable id="claim" label="Link for the payer" value={url} text={SHARED_MESSAGES.en} />
        </dl>
        {refund.claimExpiresAt !== undefined && (
          <p>
            It works until <When at={refund.claimExpiresAt} exact />.
          </p>
        )}
        <div class="actions">
          <a class="button primary" href={`/app/refunds/${refund.id}`}>
            To the refund
          </a>
        </div>
      </section>
    </DashboardPage>
  );
}
