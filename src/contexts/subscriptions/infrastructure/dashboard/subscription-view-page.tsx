import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import type { FormFields, SentForm } from '#shared/web/dashboard/form-fields.js';
import { FieldsForm } from '#shared/web/dashboard/form-parts.js';
import {
  Done,
  Facts,
  ListTable,
  Pager,
  StateMark,
  Time,
  type Tone,
} from '#shared/web/dashboard/list-parts.js';
import { SHARED_MESSAGES } from '#shared/web/messages/shared-messages.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import type { ChargeView } from '../persistence/subscription-queries.js';
import type { ChargeStatus } from '#contexts/subscriptions/domain/charge.js';
import type { SubscriptionState } from '#contexts/subscriptions/domain/subscription-state.js';
import { SUBSCRIPTION_TRANSITIONS } from '#contexts/subscriptions/domain/subscription-state.js';
import { INTERVAL_WORDS, shownPrice, SubscriptionMark } from './subscription-words.js';

export interface SubscriptionViewProps extends PageRequest, Page<ChargeView> {
  readonly visitor: PageVisitor;
  readonly subscription: SubscriptionState;
  /** The address of the payer's page, which can revoke; shown only to those who may revoke too. */
  readonly url: string;
  readonly pointOfSaleName: string | undefined;
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
};

const CHARGE_TONES: Record<ChargeStatus, Tone> = { open: 'care', paid: 'good', unpaid: 'bad' };

export function subscriptionViewPage(props: SubscriptionViewProps): VNode {
  const { visitor, subscription, url, done, page, pageSize, total, items } = props;
  const path = `/app/subscriptions/${subscription.id}`;
  const mayRevoke = SUBSCRIPTION_TRANSITIONS[subscription.status].includes('revoked');
  return (
    <DashboardPage visitor={visitor} title="Subscription" place="/app/subscriptions">
      <Done done={done} notices={DONE} />
      <section class="card">
        {may(visitor.role, 'manage') && (
          <dl>
            <Copyable
              id="payer-url"
              label="Page to send the payer to"
              value={url}
              text={SHARED_MESSAGES.en}
            />
          </dl>
        )}
        <Terms {...props} />
      </section>
      <h2>Charges</h2>
      <ListTable
        caption="Charges, newest first"
        items={items}
        empty={<p>Nothing was charged yet.</p>}
        columns={[
          { title: 'Due', cell: ({ dueAt }) => <Time at={dueAt} /> },
          {
            title: 'Status',
            cell: ({ status }) => <StateMark tone={CHARGE_TONES[status]}>{status}</StateMark>,
          },
          {
            title: 'Payment',
            cell: ({ request }) => <RequestOfCharge request={request} />,
          },
          { title: 'Paid', cell: ({ paidAt }) => <Time at={paidAt ?? null} /> },
        ]}
      />
      <Pager path={path} page={page} pageSize={pageSize} total={total} />
      {mayRevoke && may(visitor.role, 'manage') && <RevokeSection {...props} />}
    </DashboardPage>
  );
}

function Terms({ subscription, pointOfSaleName }: SubscriptionViewProps): VNode {
  const { id, status, interval, referenceId, wallet, next, trialUntil, endsAt } = subscription;
  return (
    <Facts
      facts={{
        Status: (
          <>
            <SubscriptionMark status={status} />
            {subscription.revokedBy !== undefined && ` by ${subscription.revokedBy}`}
          </>
        ),
        Amount: `${shownPrice(subscription)} ${INTERVAL_WORDS[interval]}`,
        'Point of sale': <bdi>{pointOfSaleName ?? subscription.pointOfSaleId}</bdi>,
        Reference: referenceId !== undefined && <bdi>{referenceId}</bdi>,
        Wallet: wallet !== undefined && <code>{wallet.externalId}</code>,
        'Next due date': next !== undefined && <Time at={next.at} />,
        'Trial until': trialUntil !== undefined && <Time at={trialUntil} />,
        Ends: endsAt !== undefined && <Time at={endsAt} />,
        'Offered until': status === 'pending' && <Time at={subscription.offeredUntil} />,
        Created: <Time at={subscription.createdAt} />,
        Id: <code>{id}</code>,
      }}
    />
  );
}

function RequestOfCharge({ request }: Pick<ChargeView, 'request'>): VNode {
  if (request === undefined) return <span class="note">none</span>;
  // One that payments could not open has no page.
  if (request.status === 'planned') return <>{request.refused ?? 'about to be opened'}</>;
  return (
    <a href={`/app/payments/${request.id}`}>
      <code>{request.id}</code>
    </a>
  );
}

function RevokeSection({ subscription, sent }: SubscriptionViewProps): VNode {
  return (
    <section class="card">
      <h2>Revoke for good</h2>
      <p>Nothing is charged from then on. There is no way back.</p>
      <FieldsForm fields={REVOKE} sent={sent} action={`/app/subscriptions/${subscription.id}/revoke`}>
        <button class="button danger">Revoke the subscription</button>
      </FieldsForm>
    </section>
  );
}
