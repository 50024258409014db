import type { VNode } from 'preact';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import type { FormActionOutcome } from '#shared/web/dashboard/form-fields.js';
import { FormCard, FormErrorNotice } from '#shared/web/dashboard/form-parts.js';
import { CopyRow, CompletedActionNotice, DetailList, LinkButton } from '#shared/web/dashboard/page-parts.js';
import { EmptyState, ListTable, Pager } from '#shared/web/dashboard/list-page.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { StatusBadge } from '#shared/web/parts/status-badge.js';
import { RecordName, ShortId, TimeText } from '#shared/web/parts/values.js';
import type { ChargeView } from '../persistence/subscription-queries.js';
import {
  SUBSCRIPTION_TRANSITIONS,
  type SubscriptionSnapshot,
} from '#contexts/subscriptions/domain/subscription-snapshot.js';
import {
  INTERVAL_WORDS,
  SubscriptionPrice,
  REVOKER_WORDS,
  SubscriptionStatusBadge,
} from './subscription-words.js';

export interface SubscriptionViewProps extends PageRequest, Page<ChargeView>, FormActionOutcome {
  readonly visitor: PageUser;
  readonly subscription: SubscriptionSnapshot;
  /** Displayed only to users who may revoke, because anyone with the URL can revoke. */
  readonly url: string;
  readonly pointOfSaleName: string | undefined;
  readonly networkName: string;
}

const SUCCESS_NOTICES = {
  created: 'Subscription created. Send the payer the link to accept it.',
  revoked: 'Subscription revoked. An open payment request stays payable until it expires.',
} satisfies Record<string, Word>;

export function subscriptionViewPage(props: SubscriptionViewProps): VNode {
  const { visitor, subscription, url, done, sent, page, pageSize, total, items } = props;
  const path = `/app/subscriptions/${subscription.id}`;
  return (
    <DashboardPage
      visitor={visitor}
      title="Subscription"
      heading={
        <>
          <SubscriptionPrice {...subscription} /> {t(INTERVAL_WORDS[subscription.interval])}{' '}
          <SubscriptionStatusBadge status={subscription.status} />
        </>
      }
      place="/app/subscriptions"
      actions={
        isRevocable(subscription) &&
        hasPermission(visitor.role, 'manage') && (
          <LinkButton href={`${path}/revoke`} label="Revoke subscription" />
        )
      }
    >
      <FormErrorNotice refusal={sent?.refusal} />
      <CompletedActionNotice done={done} notices={SUCCESS_NOTICES} />
      <section class="card">
        {hasPermission(visitor.role, 'manage') && (
          <dl>
            <CopyRow id="payer-url" label="Link for the payer" value={url} />
          </dl>
        )}
        <TermsSection {...props} />
        <dl>
          <CopyRow id="subscription-id" label="Subscription id" value={subscription.id} />
        </dl>
      </section>
      <h2>{t('Charges')}</h2>
      <ListTable
        caption="Charges, newest first"
        items={items}
        empty={
          <EmptyState
            title="No charges yet."
            note="The first charge is made on the first due date, once the payer has accepted."
          />
        }
        columns={[
          { title: 'Due date', cell: ({ dueAt }) => <TimeText at={dueAt} exact /> },
          {
            title: 'Status',
            cell: ({ status }) => <StatusBadge status={status} />,
          },
          {
            title: 'Payment',
            cell: ({ request }) => <RequestOfCharge request={request} />,
          },
          { title: 'Paid', cell: ({ paidAt }) => <TimeText at={paidAt} /> },
        ]}
      />
      <Pager path={path} page={page} pageSize={pageSize} total={total} />
    </DashboardPage>
  );
}

function TermsSection({ subscription, pointOfSaleName, networkName }: SubscriptionViewProps): VNode {
  const { status, pointOfSaleId, referenceId, wallet, next, trialUntil, endsAt, revokedBy } = subscription;
  return (
    <DetailList
      facts={{
        'Revoked by': revokedBy && t(REVOKER_WORDS[revokedBy]),
        Network: networkName,
        'Point of sale': (
          <RecordName
            name={pointOfSaleName}
            id={pointOfSaleId}
            href={`/app/points-of-sale/${pointOfSaleId}`}
          />
        ),
        Reference: referenceId !== undefined && <bdi>{referenceId}</bdi>,
        Wallet: wallet !== undefined && <ShortId value={wallet.externalId} />,
        'Next due date': next !== undefined && <TimeText at={next.at} exact />,
        'Trial ends': trialUntil !== undefined && <TimeText at={trialUntil} exact />,
        'End date': endsAt !== undefined && <TimeText at={endsAt} exact />,
        'Offer expires': status === 'pending' && <TimeText at={subscription.offeredUntil} exact />,
        Created: <TimeText at={subscription.createdAt} exact />,
      }}
    />
  );
}

function RequestOfCharge({ request }: Pick<ChargeView, 'request'>): VNode {
  if (request === undefined) return <span class="note">{t('none')}</span>;
  // Payments has not opened this request yet, so no payment page exists to link.
  if (request.status === 'planned') return <PlannedRequest refused={request.refused} />;
  return <a href={`/app/payments/${request.id}`}>{t('View the payment')}</a>;
}

function PlannedRequest({ refused }: { refused: string | undefined }): VNode {
  if (refused === undefined) return t('being created');
  // Keeps only the first sentence. The remaining sentences address callers of the API.
  const [reason = refused] = /^.*?\.(?= |$)/s.exec(refused) ?? [];
  return t('Could not create the charge: {reason} It will be retried.', {
    reason: <span lang="en">{reason.replace(/^The /, 'the ')}</span>,
  });
}

export function isRevocable({ status }: SubscriptionSnapshot): boolean {
  return SUBSCRIPTION_TRANSITIONS[status].includes('revoked');
}

export function revokeSubscriptionPage(visitor: PageUser, subscription: SubscriptionSnapshot): VNode {
  const path = `/app/subscriptions/${subscription.id}`;
  return (
    <DashboardPage visitor={visitor} title="Revoke subscription" place="/app/subscriptions">
      <FormCard
        note="Stops all future charges. This cannot be undone."
        fields={{}}
        action={`${path}/revoke`}
        button="Revoke subscription"
        look="danger"
        cancel={path}
      >
        <p>
          <SubscriptionPrice {...subscription} /> {t(INTERVAL_WORDS[subscription.interval])}
          {subscription.referenceId !== undefined && (
            <>
              {' '}
              · <bdi>{subscription.referenceId}</bdi>
            </>
          )}
        </p>
      </FormCard>
    </DashboardPage>
  );
}
