import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import type { FormFields, SentForm } from '#shared/web/dashboard/form-fields.js';
import { FieldsForm } from '#shared/web/dashboard/form-parts.js';
import { CopyRow, Done, Facts, ListTable, Pager } from '#shared/web/dashboard/list-parts.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { Badge } from '#shared/web/parts/badge.js';
import { EmptyState } from '#shared/web/parts/empty-state.js';
import { Name } from '#shared/web/parts/name.js';
import { ShortId } from '#shared/web/parts/short-id.js';
import { When } from '#shared/web/parts/when.js';
import type { ChargeView } from '../persistence/subscription-queries.js';
import {
  SUBSCRIPTION_TRANSITIONS,
  type SubscriptionState,
} from '#contexts/subscriptions/domain/subscription-state.js';
import { INTERVAL_WORDS, Price, REVOKER_WORDS, SubscriptionMark } from './subscription-words.js';

export interface SubscriptionViewProps extends PageRequest, Page<ChargeView> {
  readonly visitor: PageVisitor;
  readonly subscription: SubscriptionState;
  /** The address of the payer's page, which can revoke; shown only to those who may revoke too. */
  readonly url: string;
  readonly pointOfSaleName: string | undefined;
  readonly networkName: string;
  readonly done?: string | undefined;
  readonly sent?: SentForm | undefined;
}

export const REVOKE = {
  /** The word `revoke`. */
  confirmation: { label: 'Type the word: revoke', autocomplete: 'off', required: true },
} satisfies FormFields;

const DONE = {
  created: 'The subscription is offered. A wallet accepts it on the payer’s behalf.',
  revoked: 'Nothing is charged any more. A payment request that is open runs out by itself.',
} satisfies Record<string, Word>;

export function subscriptionViewPage(props: SubscriptionViewProps): VNode {
  const { visitor, subscription, url, done, page, pageSize, total, items } = props;
  const path = `/app/subscriptions/${subscription.id}`;
  const mayRevoke = SUBSCRIPTION_TRANSITIONS[subscription.status].includes('revoked');
  return (
    <DashboardPage
      visitor={visitor}
      title="Subscription"
      heading={
        <>
          <Price {...subscription} /> {t(INTERVAL_WORDS[subscription.interval])}{' '}
          <SubscriptionMark status={subscription.status} />
        </>
      }
      place="/app/subscriptions"
    >
      <Done done={done} notices={DONE} />
      <section class="card">
        {may(visitor.role, 'manage') && (
          <dl>
            <CopyRow id="payer-url" label="Page to send the payer to" value={url} />
          </dl>
        )}
        <Terms {...props} />
        <dl>
          <CopyRow id="subscription-id" label="Subscription id" value={subscription.id} />
        </dl>
      </section>
      <h2>{t('Charges')}</h2>
      <ListTable
        caption="Charges, newest first"
        items={items}
        empty={
          <EmptyState title="Nothing was charged yet.">
            {t('The first charge is made when a wallet has accepted, on the first due date.')}
          </EmptyState>
        }
        columns={[
          { title: 'Due', cell: ({ dueAt }) => <When at={dueAt} /> },
          {
            title: 'Status',
            cell: ({ status }) => <Badge status={status} />,
          },
          {
            title: 'Payment',
            cell: ({ request }) => <RequestOfCharge request={request} />,
          },
          { title: 'Paid', cell: ({ paidAt }) => <When at={paidAt} /> },
        ]}
      />
      <Pager path={path} page={page} pageSize={pageSize} total={total} />
      {mayRevoke && may(visitor.role, 'manage') && <RevokeSection {...props} />}
    </DashboardPage>
  );
}

function Terms({ subscription, pointOfSaleName, networkName }: SubscriptionViewProps): VNode {
  const { status, pointOfSaleId, referenceId, wallet, next, trialUntil, endsAt, revokedBy } = subscription;
  return (
    <Facts
      facts={{
        'Revoked by': revokedBy && t(REVOKER_WORDS[revokedBy]),
        Network: networkName,
        'Point of sale': (
          <Name name={pointOfSaleName} id={pointOfSaleId} href={`/app/points-of-sale/${pointOfSaleId}`} />
        ),
        Reference: referenceId !== undefined && <bdi>{referenceId}</bdi>,
        Wallet: wallet !== undefined && <ShortId value={wallet.externalId} />,
        'Next due date': next !== undefined && <When at={next.at} exact />,
        'Trial until': trialUntil !== undefined && <When at={trialUntil} exact />,
        Ends: endsAt !== undefined && <When at={endsAt} exact />,
        'Offered until': status === 'pending' && <When at={subscription.offeredUntil} exact />,
        Created: <When at={subscription.createdAt} exact />,
      }}
    />
  );
}

function RequestOfCharge({ request }: Pick<ChargeView, 'request'>): VNode {
  if (request === undefined) return <span class="note">{t('none')}</span>;
  // One that payments could not open has no page.
  if (request.status === 'planned') return <>{request.refused ?? t('about to be opened')}</>;
  return <ShortId value={request.id} href={`/app/payments/${request.id}`} />;
}

function RevokeSection({ subscription, sent }: SubscriptionViewProps): VNode {
  return (
    <section class="card">
      <h2>{t('Revoke for good')}</h2>
      <p>{t('Nothing is charged from then on. There is no way back.')}</p>
      <FieldsForm fields={REVOKE} sent={sent} action={`/app/subscriptions/${subscription.id}/revoke`}>
        <button class="button danger">{t('Revoke the subscription')}</button>
      </FieldsForm>
    </section>
  );
}
