import type { VNode } from 'preact';
import { ListTable } from '#shared/web/dashboard/list-parts.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { Badge } from '#shared/web/parts/badge.js';
import { ShortId } from '#shared/web/parts/short-id.js';
import { When } from '#shared/web/parts/when.js';
import type { SentAttempt } from '#contexts/webhooks/infrastructure/delivery/persistence/attempt-log.js';
import type { AttemptError } from '#contexts/webhooks/domain/delivery/attempt.js';
import { shownEvents } from '#contexts/webhooks/infrastructure/registration/dashboard/webhook-parts.js';

interface AttemptTableProps {
  readonly items: readonly SentAttempt[];
  readonly path: string;
  /** URL that opens an attempt. */
  readonly addressOf: (attempt: string) => string;
  /** The attempt whose body is displayed. */
  readonly opened: string | undefined;
  readonly mayResend: boolean;
  readonly empty: VNode;
}

const ERRORS = {
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

export function AttemptTable({ items, path, addressOf, opened, mayResend, empty }: AttemptTableProps): VNode {
  return (
    <ListTable
      caption="Attempts, newest first"
      items={items}
      empty={empty}
      columns={[
        { title: 'Date', cell: ({ startedAt }) => <When at={startedAt} /> },
        {
          title: 'Event',
          wide: true,
          cell: (attempt) =>
            attempt.id === opened ? (
              <Opened attempt={attempt} />
            ) : (
              <a href={addressOf(attempt.id)}>{t(nameOf(attempt))}</a>
            ),
        },
        { title: 'Attempt', numeric: true, cell: ({ number }) => number },
        { title: 'Delivery status', cell: ({ status }) => <Badge status={status} /> },
        { title: 'Response', cell: (attempt) => <Answer {...attempt} /> },
        {
          title: 'Next attempt',
          cell: ({ nextAttemptAt }) =>
            nextAttemptAt === undefined ? <span class="note">{t('none')}</span> : <When at={nextAttemptAt} />,
        },
        ...(mayResend
          ? [
              {
                title: 'Action' as const,
                cell: ({ deliveryId }: SentAttempt) => <Resend to={path} id={deliveryId} />,
              },
            ]
          : []),
      ]}
    />
  );
}

/** A test has no real payment to name. */
function nameOf({ eventId, eventType }: SentAttempt): Word {
  return eventId === undefined ? 'Test' : shownEvents(eventType);
}

/** Only one attempt is open at a time, because the bodies of all would more than double the size of the page. */
function Opened({ attempt }: { attempt: SentAttempt }): VNode {
  const { eventId, paymentRequestId, deliveryId, body } = attempt;
  return (
    <details open>
      <summary>{t(nameOf(attempt))}</summary>
      {eventId !== undefined && (
        <p>
          {t('Payment {id}', {
            id: <ShortId value={paymentRequestId} href={`/app/payments/${paymentRequestId}`} />,
          })}
        </p>
      )}
      <p>{t('webhook-id {id}', { id: <ShortId value={eventId ?? deliveryId} /> })}</p>
      <p class="code">{body}</p>
    </details>
  );
}

function Answer({ httpStatus, error, durationMs }: SentAttempt): VNode {
  return (
    <div>
      {httpStatus !== undefined && <span>{t('HTTP {status}.', { status: httpStatus })} </span>}
      {error !== undefined && <span>{t(ERRORS[error])}. </span>}
      {durationMs !== undefined && <span class="note">{t('{count} ms', { count: durationMs })}</span>}
    </div>
  );
}

function Resend({ to, id }: { to: string; id: string }): VNode {
  return (
    <form method="post" action={`${to}/deliveries/${id}/resend`}>
      <button class="button">{t('Resend')}</button>
    </form>
  );
}
