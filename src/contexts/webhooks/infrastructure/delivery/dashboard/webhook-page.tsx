import type { VNode } from 'preact';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import {
  type FormFields,
  HIDDEN_FIELD,
  type FormErrors,
  createStatusFilter,
} from '#shared/web/dashboard/form-fields.js';
import { FilterForm, FormErrorNotice } from '#shared/web/dashboard/form-parts.js';
import {
  ActionButton,
  CompletedActionNotice,
  DetailCard,
  LinkButton,
} from '#shared/web/dashboard/page-parts.js';
import { EmptyState, hrefWith, ListTable, Pager } from '#shared/web/dashboard/list-page.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { StatusBadge, isDashboardStatus, type DashboardStatus } from '#shared/web/parts/status-badge.js';
import { ShortId, TimeText } from '#shared/web/parts/values.js';
import type { AttemptWithBody } from '#contexts/webhooks/infrastructure/delivery/persistence/attempt-log.js';
import type { WebhookView } from '#contexts/webhooks/infrastructure/registration/persistence/webhook-queries.js';
import {
  AccountName,
  labelEventType,
  WebhookHealthBadge,
  WebhookStatusBadge,
} from '#contexts/webhooks/infrastructure/registration/dashboard/webhook-parts.js';
import { DELIVERY_STATUSES } from '#contexts/webhooks/domain/delivery/delivery.js';
import type { DeliveryLogQuery } from './delivery-log.query.js';
import type { AttemptError } from '#contexts/webhooks/domain/delivery/attempt.js';

interface WebhookProps extends PageRequest, Page<AttemptWithBody> {
  readonly visitor: PageUser;
  readonly webhook: WebhookView;
  readonly query: DeliveryLogQuery;
  readonly refusal?: FormErrors | undefined;
}

/** Confirmation messages, by the query parameter `done`, which names the finished action. */
const DONE_NOTICES = {
  tested: 'Test sent. The result is the newest entry in the log.',
  resent: 'Resending the delivery. Reload the page in a moment to see the attempt.',
  replayed: 'Replaying events. Events of the same payment are sent in order.',
  url_changed: 'URL changed. All future attempts go to the new URL.',
  shown: 'The secret has already been displayed. If you lost it, rotate it in the settings.',
  activated: 'Webhook activated. It receives new events.',
  deactivated: 'Webhook deactivated. It no longer receives events.',
  overlap_ended: 'Only the new secret signs now.',
} satisfies Record<string, Word>;

const LOG_FILTERS = {
  status: createStatusFilter(DELIVERY_STATUSES, 'Delivery status'),
  /** Set by a link beside a delivery. */
  payment_request_id: HIDDEN_FIELD,
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
      actions={<WebhookActions path={path} visitor={visitor} active={webhook.active} />}
    >
      <FormErrorNotice refusal={refusal} fields={LOG_FILTERS} />
      <CompletedActionNotice done={done} notices={DONE_NOTICES} />
      <WebhookFacts webhook={webhook} />
      <h2>{t('Delivery log')}</h2>
      <FilterForm path={path} fields={LOG_FILTERS} values={filters} refusal={refusal} />
      <AttemptTable
        items={items}
        path={path}
        title={webhook.eventType === 'refund' ? 'Refund' : 'Payment'}
        addressOf={(id) => hrefWith(path, { ...filters, ...pageParameter(paging.page), attempt: id })}
        opened={attempt}
        mayResend={webhook.active && hasPermission(visitor.role, 'test_webhooks')}
        empty={
          isFiltered ? (
            <EmptyState
              title="No attempts match these filters."
              action={{ href: path, label: 'Show all attempts' }}
            />
          ) : (
            <EmptyState
              title="No deliveries yet."
              note="Deliveries and tests appear here with their responses."
            />
          )
        }
      />
      <Pager path={path} query={filters} {...paging} />
    </DashboardPage>
  );
}

function pageParameter(page: number): { page?: string } {
  return page === 1 ? {} : { page: String(page) };
}

interface ActionsProps {
  readonly path: string;
  readonly visitor: PageUser;
  readonly active: boolean;
}

/** Shows the actions that the visitor's role permits. An inactive webhook has no actions that send messages. */
function WebhookActions({ path, visitor, active }: ActionsProps): VNode {
  const mayTest = active && hasPermission(visitor.role, 'test_webhooks');
  return (
    <div class="actions">
      {mayTest && <ActionButton action={`${path}/test`} label="Send test" look="primary" />}
      {mayTest && <LinkButton href={`${path}/replay`} label="Replay events" />}
      {hasPermission(visitor.role, 'manage') && <LinkButton href={`${path}/settings`} label="Settings" />}
    </div>
  );
}

function WebhookFacts({ webhook }: { webhook: WebhookView }): VNode {
  return (
    <DetailCard
      facts={{
        URL: <bdi>{webhook.url}</bdi>,
        Description: webhook.description,
        Events: t(labelEventType(webhook.eventType)),
        Account: <AccountName {...webhook} />,
        Status: <WebhookStatusBadge {...webhook} />,
        Health: <WebhookHealthBadge {...webhook} />,
        'Previous secret signs until': webhook.previousSecretUntil !== undefined && (
          <TimeText at={webhook.previousSecretUntil} exact />
        ),
        Created: <TimeText at={webhook.createdAt} exact />,
      }}
      copy={{ id: 'webhook-id', label: 'Webhook id', value: webhook.id }}
    />
  );
}

interface AttemptTableProps {
  readonly items: readonly AttemptWithBody[];
  /** Title of the column with the reported status. */
  readonly title: Word;
  readonly path: string;
  /** Returns the URL of the page that displays the body of an attempt. */
  readonly addressOf: (attempt: string) => string;
  /** Id of the attempt whose body is displayed. */
  readonly opened: string | undefined;
  readonly mayResend: boolean;
  readonly empty: VNode;
}

const ATTEMPT_ERROR_TEXTS = {
  webhook_inactive: 'Not sent: the webhook was inactive',
  secret_unavailable: 'Not sent: the secret could not be decrypted',
  unresolvable: 'The host name could not be resolved',
  address_not_allowed: 'The host is not on the public internet',
  connection_refused: 'Connection refused',
  connection_failed: 'The connection was lost',
  tls_failed: 'TLS failed: check the certificate',
  timeout: 'No complete response within 2 seconds',
  response_too_large: 'The response was larger than 20 kB',
  invalid_response: 'The response was not HTTP',
  http_status: 'Only HTTP 200 acknowledges a delivery',
} as const satisfies Record<AttemptError, Word>;

function AttemptTable({ items, path, title, addressOf, opened, mayResend, empty }: AttemptTableProps): VNode {
  return (
    <ListTable
      caption="Attempts, newest first"
      items={items}
      empty={empty}
      columns={[
        { title: 'Date', cell: ({ startedAt }) => <TimeText at={startedAt} /> },
        {
          title: 'Event',
          wide: true,
          cell: (attempt) =>
            attempt.id === opened ? (
              <OpenedAttempt attempt={attempt} path={path} />
            ) : (
              <a href={addressOf(attempt.id)}>{t(deliveryName(attempt))}</a>
            ),
        },
        { title, cell: (attempt) => <DeliveredStatus {...attempt} /> },
        { title: 'Attempt', numeric: true, cell: ({ number }) => number },
        { title: 'Delivery status', cell: (attempt) => <StatusBadge status={deliveryStatus(attempt)} /> },
        { title: 'Response', cell: (attempt) => <AttemptOutcome {...attempt} /> },
        {
          title: 'Next attempt',
          cell: ({ nextAttemptAt }) =>
            nextAttemptAt === undefined ? (
              <span class="note">{t('none')}</span>
            ) : (
              <TimeText at={nextAttemptAt} />
            ),
        },
        ...(mayResend
          ? [
              {
                title: 'Action' as const,
                cell: ({ deliveryId }: AttemptWithBody) => <ResendButton to={path} id={deliveryId} />,
              },
            ]
          : []),
      ]}
    />
  );
}

/** Name of the delivered event type, or "Test" for a test message. */
function deliveryName({ eventId, eventType }: AttemptWithBody): Word {
  return eventId === undefined ? 'Test' : labelEventType(eventType);
}

/** An attempt is logged as pending if it failed and another one follows. */
function deliveryStatus({ status, willBeRetried }: AttemptWithBody): DashboardStatus {
  if (willBeRetried) return 'retrying';
  return status === 'pending' ? 'failed' : status;
}

/** The status that the message reports, and the merchant's order number. */
function DeliveredStatus({ eventId, body }: AttemptWithBody): VNode | null {
  if (eventId === undefined) return null;
  const { status, external_reference_id: orderNumber } = (JSON.parse(body) as DeliveredBody).data ?? {};
  return (
    <div>
      {status && isDashboardStatus(status) && <StatusBadge status={status} />} <bdi>{orderNumber}</bdi>
    </div>
  );
}

interface DeliveredBody {
  readonly data?: { readonly status?: string; readonly external_reference_id?: string };
}

/** The body of one attempt. The bodies of all attempts would more than double the size of the page. */
function OpenedAttempt({ attempt, path }: { attempt: AttemptWithBody; path: string }): VNode {
  const { eventId, paymentRequestId, deliveryId, body } = attempt;
  return (
    <details open>
      <summary>{t(deliveryName(attempt))}</summary>
      {eventId !== undefined && (
        <p>
          {t('Payment {id}', {
            id: <ShortId value={paymentRequestId} href={`/app/payments/${paymentRequestId}`} />,
          })}{' '}
          <a href={hrefWith(path, { payment_request_id: paymentRequestId })}>{t('Show only this payment')}</a>
        </p>
      )}
      <p>{t('webhook-id {id}', { id: <ShortId value={eventId ?? deliveryId} /> })}</p>
      <p class="code">{body}</p>
    </details>
  );
}

function AttemptOutcome({ httpStatus, error, durationMs }: AttemptWithBody): VNode {
  return (
    <div>
      {httpStatus !== undefined && <span>{t('HTTP {status}.', { status: httpStatus })} </span>}
      {error !== undefined && <span>{t(ATTEMPT_ERROR_TEXTS[error])}. </span>}
      {durationMs !== undefined && <span class="note">{t('{count} ms', { count: durationMs })}</span>}
    </div>
  );
}

function ResendButton({ to, id }: { to: string; id: string }): VNode {
  return <ActionButton action={`${to}/deliveries/${id}/resend`} label="Resend" />;
}
