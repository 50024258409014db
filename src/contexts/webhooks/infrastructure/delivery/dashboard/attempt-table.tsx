import type { VNode } from 'preact';
import { ListTable, StateMark, Time } from '#shared/web/dashboard/list-parts.js';
import type { SentAttempt } from '#contexts/webhooks/application/delivery/logged-attempts.js';
import type { AttemptError } from '#contexts/webhooks/domain/delivery/attempt.js';
import { shownEvents } from '#contexts/webhooks/infrastructure/registration/dashboard/webhook-parts.js';

interface AttemptTableProps {
  readonly items: readonly SentAttempt[];
  /** The path of the webhook's page. */
  readonly path: string;
  readonly mayResend: boolean;
  readonly empty: string;
}

const ERRORS: Record<AttemptError, string> = {
  webhook_inactive: 'Not sent: the webhook was inactive',
  secret_unavailable: 'Not sent: its secret could not be opened',
  unresolvable: 'The host name leads nowhere',
  address_not_allowed: 'The host is not on the public internet',
  connection_refused: 'Connection refused',
  connection_failed: 'The connection broke',
  tls_failed: 'TLS failed: check the certificate',
  timeout: 'No complete answer within 2 seconds',
  response_too_large: 'The answer was larger than 20 kB',
  invalid_response: 'The answer was not HTTP',
  http_status: 'Only HTTP 200 acknowledges',
};

/** One row per attempt: what was sent, what came of it, and what follows. */
export function AttemptTable({ items, path, mayResend, empty }: AttemptTableProps): VNode {
  return (
    <ListTable
      caption="Attempts, newest first"
      items={items}
      empty={empty}
      columns={[
        { title: 'When', cell: ({ startedAt }) => <Time at={startedAt} /> },
        { title: 'Sent', cell: (attempt) => <Sent attempt={attempt} /> },
        { title: 'Attempt', numeric: true, cell: ({ number }) => number },
        { title: 'Delivery', cell: ({ status }) => <DeliveryState status={status} /> },
        { title: 'Answer', cell: (attempt) => <Answer {...attempt} /> },
        {
          title: 'Next attempt',
          cell: ({ nextAttemptAt }) => (nextAttemptAt === undefined ? 'None' : <Time at={nextAttemptAt} />),
        },
        ...(mayResend
          ? [{ title: 'Again', cell: ({ deliveryId }: SentAttempt) => <Resend to={path} id={deliveryId} /> }]
          : []),
      ]}
    />
  );
}

function DeliveryState({ status }: Pick<SentAttempt, 'status'>): VNode {
  if (status === 'delivered') return <StateMark tone="good">Delivered</StateMark>;
  return status === 'failed' ? (
    <StateMark tone="bad">Failed</StateMark>
  ) : (
    <StateMark tone="care">To be tried again</StateMark>
  );
}

/** A test is of a payment that does not exist. */
function Sent({ attempt }: { attempt: SentAttempt }): VNode {
  const { eventId, eventType, paymentRequestId, deliveryId, body } = attempt;
  return (
    <details>
      <summary>{eventId === undefined ? 'Test' : shownEvents(eventType)}</summary>
      {eventId !== undefined && (
        <p>
          Payment <code>{paymentRequestId}</code>
        </p>
      )}
      <p>
        webhook-id <code>{eventId ?? deliveryId}</code>
      </p>
      <p class="code">{body}</p>
    </details>
  );
}

function Answer({ httpStatus, error, durationMs }: SentAttempt): VNode {
  return (
    <div>
      {httpStatus !== undefined && <span>HTTP {httpStatus}. </span>}
      {error !== undefined && <span>{ERRORS[error]}. </span>}
      {durationMs !== undefined && <span class="note">{durationMs.toLocaleString('en')} ms</span>}
    </div>
  );
}

function Resend({ to, id }: { to: string; id: string }): VNode {
  return (
    <form method="post" action={`${to}/deliveries/${id}/resend`}>
      <button class="button">Resend</button>
    </form>
  );
}
