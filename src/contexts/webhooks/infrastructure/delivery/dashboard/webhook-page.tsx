import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { ALL, type FormFields, type ShownRefusal, wordOptions } from '#shared/web/dashboard/form-fields.js';
import { Filters, RefusalNotice } from '#shared/web/dashboard/form-parts.js';
import { Done, Facts, Pager, Time } from '#shared/web/dashboard/list-parts.js';
import type { SentAttempt } from '#contexts/webhooks/application/delivery/logged-attempts.js';
import type { ShownWebhook } from '#contexts/webhooks/infrastructure/registration/persistence/webhook-queries.js';
import {
  AccountName,
  shownEvents,
  WebhookHealth,
  WebhookState,
} from '#contexts/webhooks/infrastructure/registration/dashboard/webhook-parts.js';
import type { DeliveryLogQuery } from './delivery-log.query.js';
import { AttemptTable } from './attempt-table.js';

interface WebhookProps extends PageRequest, Page<SentAttempt> {
  readonly visitor: PageVisitor;
  readonly webhook: ShownWebhook;
  readonly query: DeliveryLogQuery;
  readonly refusal?: ShownRefusal | undefined;
}

/** Notices, by the `done` of the page's address. */
const DONE = {
  tested: 'The test was sent. What came of it is the newest entry of the log.',
  resent: 'The delivery is sent again. Its attempt stands in the log in a moment: open the page again.',
  replayed: 'The events are sent again, those of one payment one after another.',
  url_changed: 'The URL is changed. Every attempt from now on goes there.',
  activated: 'The webhook is active. It hears of what happens from now on.',
  deactivated: 'The webhook is inactive. Nothing is sent to it.',
  overlap_ended: 'Only the new secret signs from now on.',
};

const FILTERS = {
  status: {
    kind: 'choice',
    label: 'Delivery',
    options: [
      ALL,
      ...wordOptions({ pending: 'To be tried again', delivered: 'Delivered', failed: 'Failed' }),
    ],
  },
  payment_request_id: { label: 'Payment id' },
  from: { kind: 'date', label: 'From (UTC)' },
  to: { kind: 'date', label: 'To (UTC)' },
} satisfies FormFields;

export function webhookPage({ visitor, webhook, query, refusal, items, ...paging }: WebhookProps): VNode {
  const { status, payment_request_id, from, to, done } = query;
  const path = `/app/webhooks/${webhook.id}`;
  const filters = { status, payment_request_id, from, to };
  const isFiltered = Object.values(filters).some((value) => value);
  return (
    <DashboardPage
      visitor={visitor}
      title="Webhook"
      place="/app/webhooks"
      actions={<Actions path={path} visitor={visitor} active={webhook.active} />}
    >
      <RefusalNotice refusal={refusal} />
      <Done done={done} notices={DONE} />
      <WebhookFacts webhook={webhook} />
      <h2>Delivery log</h2>
      <Filters fields={FILTERS} values={filters} />
      <AttemptTable
        items={items}
        path={path}
        mayResend={webhook.active && may(visitor.role, 'test_webhooks')}
        empty={
          isFiltered ? 'No attempt matches these filters.' : 'Nothing has been sent to this webhook yet.'
        }
      />
      <Pager path={path} query={filters} {...paging} />
    </DashboardPage>
  );
}

interface ActionsProps {
  readonly path: string;
  readonly visitor: PageVisitor;
  readonly active: boolean;
}

/** Shows only actions that the role may use; an inactive webhook is sent nothing. */
function Actions({ path, visitor, active }: ActionsProps): VNode {
  const mayTest = active && may(visitor.role, 'test_webhooks');
  return (
    <div class="actions">
      {mayTest && (
        <form method="post" action={`${path}/test`}>
          <button class="button primary">Send a test</button>
        </form>
      )}
      {mayTest && (
        <a class="button" href={`${path}/replay`}>
          Replay events
        </a>
      )}
      {may(visitor.role, 'manage') && (
        <a class="button" href={`${path}/settings`}>
          Settings
        </a>
      )}
    </div>
  );
}

function WebhookFacts({ webhook }: { webhook: ShownWebhook }): VNode {
  return (
    <section class="card">
      <Facts
        facts={{
          URL: <bdi>{webhook.url}</bdi>,
          Description: webhook.description,
          'Hears of': shownEvents(webhook.eventType),
          Account: <AccountName {...webhook} />,
          State: <WebhookState {...webhook} />,
          Health: <WebhookHealth {...webhook} />,
          'Previous secret signs until': webhook.previousSecretUntil !== undefined && (
            <Time at={webhook.previousSecretUntil} />
          ),
          Registered: <Time at={webhook.createdAt} />,
          Id: <code>{webhook.id}</code>,
        }}
      />
    </section>
  );
}
