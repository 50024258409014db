import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { ALL, type FormFields, type ShownRefusal } from '#shared/web/dashboard/form-fields.js';
import { Filters, RefusalNotice } from '#shared/web/dashboard/form-parts.js';
import { CopyRow, Done, Facts, hrefWith, Pager } from '#shared/web/dashboard/list-parts.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { statusWord } from '#shared/web/parts/badge.js';
import { EmptyState } from '#shared/web/parts/empty-state.js';
import { When } from '#shared/web/parts/when.js';
import type { SentAttempt } from '#contexts/webhooks/infrastructure/delivery/persistence/attempt-log.js';
import type { ShownWebhook } from '#contexts/webhooks/infrastructure/registration/persistence/webhook-queries.js';
import {
  AccountName,
  shownEvents,
  WebhookHealth,
  WebhookState,
} from '#contexts/webhooks/infrastructure/registration/dashboard/webhook-parts.js';
import { DELIVERY_STATUSES } from '#contexts/webhooks/domain/delivery/delivery.js';
import type { DeliveryLogQuery } from './delivery-log.query.js';
import { AttemptTable } from './attempt-table.js';

interface WebhookProps extends PageRequest, Page<SentAttempt> {
  readonly visitor: PageVisitor;
  readonly webhook: ShownWebhook;
  readonly query: DeliveryLogQuery;
  readonly refusal?: ShownRefusal | undefined;
}

/** Notices for the query parameter `done`. */
const DONE = {
  tested: 'Test sent. The result is the newest entry in the log.',
  resent: 'Resending the delivery. Reload the page in a moment to see the attempt.',
  replayed: 'Replaying events. Events of the same payment are sent in order.',
  url_changed: 'URL changed. All future attempts go to the new URL.',
  shown: 'The secret has already been displayed. If you lost it, rotate it in the settings.',
  activated: 'Webhook activated. It receives new events.',
  deactivated: 'Webhook deactivated. It no longer receives events.',
  overlap_ended: 'Only the new secret signs now.',
} satisfies Record<string, Word>;

const FILTERS = {
  status: {
    kind: 'choice',
    label: 'Delivery status',
    options: [ALL, ...DELIVERY_STATUSES.map((value) => ({ value, label: statusWord(value) }))],
  },
  payment_request_id: { label: 'Payment id' },
  from: { kind: 'date', label: 'From (UTC)' },
  to: { kind: 'date', label: 'To (UTC)' },
} satisfies FormFields;

export function webhookPage({ visitor, webhook, query, refusal, items, ...paging }: WebhookProps): VNode {
  const { status, payment_request_id, from, to, attempt, done } = query;
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
      <RefusalNotice refusal={refusal} fields={FILTERS} />
      <Done done={done} notices={DONE} />
      <WebhookFacts webhook={webhook} />
      <h2>{t('Delivery log')}</h2>
      <Filters path={path} fields={FILTERS} values={filters} refusal={refusal} />
      <AttemptTable
        items={items}
        path={path}
        addressOf={(id) => hrefWith(path, { ...filters, ...pageOf(paging.page), attempt: id })}
        opened={attempt}
        mayResend={webhook.active && may(visitor.role, 'test_webhooks')}
        empty={
          isFiltered ? (
            <EmptyState
              title="No attempts match these filters."
              action={{ href: path, label: 'Show all attempts' }}
            />
          ) : (
            <EmptyState title="No deliveries yet.">
              {t('Deliveries and tests appear here with their responses.')}
            </EmptyState>
          )
        }
      />
      <Pager path={path} query={filters} {...paging} />
    </DashboardPage>
  );
}

function pageOf(page: number): { page?: string } {
  return page === 1 ? {} : { page: String(page) };
}

interface ActionsProps {
  readonly path: string;
  readonly visitor: PageVisitor;
  readonly active: boolean;
}

/** Only the actions that the role permits. An inactive webhook receives nothing, so it has no actions that send. */
function Actions({ path, visitor, active }: ActionsProps): VNode {
  const mayTest = active && may(visitor.role, 'test_webhooks');
  return (
    <div class="actions">
      {mayTest && (
        <form method="post" action={`${path}/test`}>
          <button class="button primary">{t('Send test')}</button>
        </form>
      )}
      {mayTest && (
        <a class="button" href={`${path}/replay`}>
          {t('Replay events')}
        </a>
      )}
      {may(visitor.role, 'manage') && (
        <a class="button" href={`${path}/settings`}>
          {t('Settings')}
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
          Events: t(shownEvents(webhook.eventType)),
          Account: <AccountName {...webhook} />,
          Status: <WebhookState {...webhook} />,
          Health: <WebhookHealth {...webhook} />,
          'Previous secret signs until': webhook.previousSecretUntil !== undefined && (
            <When at={webhook.previousSecretUntil} exact />
          ),
          Created: <When at={webhook.createdAt} exact />,
        }}
      />
      <dl>
        <CopyRow id="webhook-id" label="Webhook id" value={webhook.id} />
      </dl>
    </section>
  );
}
