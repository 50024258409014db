import type { VNode } from 'preact';
import type { SessionId } from '#shared/kernel/ids.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import type { FormFields, SentForm } from '#shared/web/dashboard/form-fields.js';
import { FieldsForm } from '#shared/web/dashboard/form-parts.js';
import { Done, Facts, ListTable, Time } from '#shared/web/dashboard/list-parts.js';
import type { RecordedAuditEntry } from '../persistence/audit-log-queries.js';
import type { ListedSession } from '#contexts/identity/application/people/dashboard-sessions.js';
import type { EnrolledFactors } from '#contexts/identity/application/people/second-factors.js';

interface OwnAccountProps {
  readonly visitor: PageVisitor & { readonly sessionId: SessionId };
  readonly factors: EnrolledFactors;
  readonly sessions: readonly ListedSession[];
  /** Newest first. */
  readonly signIns: readonly RecordedAuditEntry[];
  readonly done?: string | undefined;
  readonly sent?: SentForm | undefined;
}

export const NEW_PASSWORD = {
  current_password: {
    kind: 'password',
    label: 'Present password',
    autocomplete: 'current-password',
    required: true,
  },
  password: { kind: 'password', label: 'New password', autocomplete: 'new-password', required: true },
} satisfies FormFields;

const DONE = {
  password: 'Your password is changed, and your other sessions have ended.',
  factor: 'Your second factor is set up.',
  removed: 'The factor is removed.',
  session: 'The session has ended.',
};

export function ownAccountPage(props: OwnAccountProps): VNode {
  const { visitor, factors, sessions, signIns, done, sent } = props;
  return (
    <DashboardPage visitor={visitor} title="Your account">
      <Done done={done} notices={DONE} />
      <section class="card">
        <h2>{visitor.email}</h2>
        <Factors factors={factors} />
      </section>
      <section class="card">
        <h2>Password</h2>
        <FieldsForm fields={NEW_PASSWORD} sent={sent} action="/app/account/password">
          <button class="button">Change the password</button>
        </FieldsForm>
      </section>
      <section class="card">
        <h2>Sessions</h2>
        <Sessions sessions={sessions} current={visitor.sessionId} />
        <form method="post" action="/app/account/sessions/end-all">
          <button class="button danger">Sign out everywhere</button>
        </form>
      </section>
      <section class="card">
        <h2>Sign-ins</h2>
        <SignIns entries={signIns} />
      </section>
    </DashboardPage>
  );
}

function Factors({
  factors: { authenticatorSince, passkeys, recoveryCodesLeft },
}: {
  factors: EnrolledFactors;
}): VNode {
  return (
    <>
      <Facts
        facts={{
          'Authenticator app': authenticatorSince === null ? 'none' : <Time at={authenticatorSince} />,
          'Recovery codes left': String(recoveryCodesLeft),
        }}
      />
      <ListTable
        caption="Passkeys"
        items={passkeys}
        empty="No passkey."
        columns={[
          { title: 'Passkey', cell: ({ name }) => name },
          { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
          {
            title: 'Change',
            cell: ({ id, name }) => (
              <form method="post" action={`/app/account/passkeys/${id}/remove`}>
                <button class="button danger" aria-label={`Remove ${name}`}>
                  Remove
                </button>
              </form>
            ),
          },
        ]}
      />
      <div class="actions">
        <a class="button" href="/app/second-factor/enrol">
          Add or replace a factor
        </a>
        <form method="post" action="/app/account/recovery-codes">
          <button class="button">New recovery codes</button>
        </form>
        {authenticatorSince !== null && passkeys.length > 0 && (
          <form method="post" action="/app/account/authenticator/remove">
            <button class="button danger">Remove the app</button>
          </form>
        )}
      </div>
    </>
  );
}

function SignIns({ entries }: { entries: readonly RecordedAuditEntry[] }): VNode {
  const values = ({ after }: RecordedAuditEntry) => (after ?? {}) as Partial<Record<string, string>>;
  return (
    <ListTable
      caption="The last sign-ins, and tries that were refused"
      items={entries}
      empty="None yet."
      columns={[
        { title: 'When', cell: ({ at }) => <Time at={at} /> },
        { title: 'From', cell: ({ address }) => <code>{address}</code> },
        { title: 'Browser', cell: (entry) => values(entry)['browser'] || 'unknown' },
        {
          title: 'Outcome',
          cell: (entry) => {
            const { reason, factor, device } = values(entry);
            return reason === undefined ? `${factor}, ${device} device` : `refused: ${reason}`;
          },
        },
      ]}
    />
  );
}

function Sessions({ sessions, current }: { sessions: readonly ListedSession[]; current: SessionId }): VNode {
  return (
    <ListTable
      caption="Sessions"
      items={sessions}
      empty="No session."
      columns={[
        { title: 'Browser', cell: ({ userAgent }) => userAgent || 'unknown' },
        { title: 'From', cell: ({ address }) => <code>{address}</code> },
        { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { title: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
        {
          title: 'Change',
          cell: ({ id }) =>
            id === current ? (
              'this one'
            ) : (
              <form method="post" action={`/app/account/sessions/${id}/end`}>
                <button class="button">End</button>
              </form>
            ),
        },
      ]}
    />
  );
}
