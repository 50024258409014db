import type { VNode } from 'preact';
import { NOT_TRANSLATED } from '#shared/web/parts/detail-item.js';
import type { DashboardSessionId } from '#shared/kernel/ids.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import type { FormActionOutcome, FormFields } from '#shared/web/dashboard/form-fields.js';
import { FormCard } from '#shared/web/dashboard/form-parts.js';
import {
  ActionButton,
  Card,
  CompletedActionNotice,
  DetailList,
  LanguageLinks,
  LinkButton,
} from '#shared/web/dashboard/page-parts.js';
import { ListTable } from '#shared/web/dashboard/list-page.js';
import { type TranslatedPhrase, t, type Word } from '#shared/web/dashboard/words/text.js';
import { describeBrowser } from '#shared/web/formatting/shown-browser.js';
import { TimeText } from '#shared/web/parts/values.js';
import { describeIpNetwork } from '#contexts/identity/domain/people/describe-ip-network.js';
import type { RecordedAuditEntry } from '../persistence/audit-log-queries.js';
import type { ListedSession } from '#contexts/identity/application/people/dashboard-sessions.js';
import type { EnrolledFactors } from '#contexts/identity/domain/people/second-factors.js';

interface OwnAccountProps extends FormActionOutcome {
  readonly visitor: PageUser & { readonly sessionId: DashboardSessionId; readonly address: string };
  readonly factors: EnrolledFactors;
  readonly sessions: readonly ListedSession[];
  /** The person's latest sign-ins, newest first. */
  readonly signIns: readonly RecordedAuditEntry[];
}

export const NEW_PASSWORD_FIELDS = {
  current_password: {
    kind: 'password',
    label: 'Current password',
    autocomplete: 'current-password',
    required: true,
  },
  password: { kind: 'password', label: 'New password', autocomplete: 'new-password', required: true },
} satisfies FormFields;

const SUCCESS_MESSAGES = {
  password: 'Password changed. Your other sessions have ended.',
  factor: 'Second factor set up.',
  removed: 'Second factor removed.',
  session: 'Session ended.',
  shown: 'Your recovery codes have already been displayed. If you lost them, create new ones.',
} satisfies Record<string, Word>;

export function profilePage(props: OwnAccountProps): VNode {
  const { visitor, factors, sessions, signIns, done, sent } = props;
  return (
    <DashboardPage visitor={visitor} title="Your profile">
      <CompletedActionNotice done={done} notices={SUCCESS_MESSAGES} />
      <section class="card">
        <h2>{visitor.email}</h2>
        <Factors factors={factors} />
        <LanguageLinks path={sent && '/app/account'} />
      </section>
      <FormCard
        title="Password"
        fields={NEW_PASSWORD_FIELDS}
        sent={sent}
        action="/app/account/password"
        button="Change password"
      />
      <Card title="Sessions">
        <Sessions sessions={sessions} visitor={visitor} />
        <ActionButton action="/app/account/sessions/end-all" label="Sign out everywhere" look="danger" />
      </Card>
      <Card title="Sign-ins">
        <SignIns entries={signIns} present={visitor.address} />
      </Card>
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
      <DetailList
        facts={{
          'Authenticator app': authenticatorSince === null ? t('none') : <TimeText at={authenticatorSince} />,
          'Recovery codes left': String(recoveryCodesLeft),
          Passkeys: passkeys.length === 0 && t('none'),
        }}
      />
      {passkeys.length > 0 && (
        <Passkeys passkeys={passkeys} isOnly={passkeys.length === 1 && authenticatorSince === null} />
      )}
      <div class="actions">
        <LinkButton href="/app/second-factor/enrol" label="Add or replace a second factor" />
        <ActionButton action="/app/account/recovery-codes" label="Create new recovery codes" />
        {authenticatorSince !== null && passkeys.length > 0 && (
          <ActionButton action="/app/account/authenticator/remove" label="Remove app" look="danger" />
        )}
      </div>
    </>
  );
}

interface PasskeysProps extends Pick<EnrolledFactors, 'passkeys'> {
  /** True if the person has only one second factor, which cannot be removed. */
  readonly isOnly: boolean;
}

function Passkeys({ passkeys, isOnly }: PasskeysProps): VNode {
  return (
    <ListTable
      caption="Passkeys"
      items={passkeys}
      columns={[
        { title: 'Passkey', wide: true, cell: ({ name }) => name },
        { title: 'Last used', cell: ({ lastUsedAt }) => <TimeText at={lastUsedAt} /> },
        {
          title: 'Action',
          cell: ({ id, name }) =>
            isOnly ? (
              <span class="note">{t('Your only second factor. Add another one before you remove it.')}</span>
            ) : (
              <ActionButton
                action={`/app/account/passkeys/${id}/remove`}
                label="Remove"
                fullLabel={t('Remove {name}', { name })}
                look="danger"
              />
            ),
        },
      ]}
    />
  );
}

function LocationText({ address, present }: { address: string | null; present: string }): VNode {
  const { words, network = '' } = describeIpNetwork(address ?? '', present);
  return (
    <div>
      {t(words, { network })}
      {address !== null && (
        <div class="note">
          <code {...NOT_TRANSLATED}>{address}</code>
        </div>
      )}
    </div>
  );
}

interface SignInsProps {
  readonly entries: readonly RecordedAuditEntry[];
  readonly present: string;
}

/** English words in audit log entries that pages translate. */
const RECORDED_WORDS: readonly Word[] = [
  'passkey',
  'authenticator app',
  'recovery code',
  'wrong password',
  'wrong code',
  'too many tries',
];

function translateRecorded(text = ''): TranslatedPhrase | string {
  const word = RECORDED_WORDS.find((each) => each === text);
  return word === undefined ? text : t(word);
}

function SignIns({ entries, present }: SignInsProps): VNode {
  const values = ({ after }: RecordedAuditEntry) => (after ?? {}) as Partial<Record<string, string>>;
  return (
    <ListTable
      caption="Recent sign-ins and failed attempts"
      items={entries}
      empty="No sign-ins yet."
      columns={[
        { title: 'Date', cell: ({ at }) => <TimeText at={at} /> },
        { title: 'Browser', wide: true, cell: (entry) => describeBrowser(values(entry)['browser'] ?? '') },
        { title: 'Location', cell: ({ address }) => <LocationText address={address} present={present} /> },
        {
          title: 'Outcome',
          cell: (entry) => {
            const { reason, factor, device } = values(entry);
            if (reason !== undefined) return t('Failed: {reason}', { reason: translateRecorded(reason) });
            const used = { factor: translateRecorded(factor) };
            return device === 'known' ? t('{factor}, known device', used) : t('{factor}, new device', used);
          },
        },
      ]}
    />
  );
}

function Sessions({ sessions, visitor }: Pick<OwnAccountProps, 'visitor' | 'sessions'>): VNode {
  const endOf = (agent: string) => t('End session of {browser}', { browser: describeBrowser(agent) });
  return (
    <ListTable
      caption="Sessions"
      items={sessions}
      empty="No sessions."
      columns={[
        {
          title: 'Browser',
          wide: true,
          cell: ({ userAgent }) => <span title={userAgent}>{describeBrowser(userAgent)}</span>,
        },
        {
          title: 'Location',
          cell: ({ address }) => <LocationText address={address} present={visitor.address} />,
        },
        { title: 'Started', cell: ({ createdAt }) => <TimeText at={createdAt} /> },
        { title: 'Last active', cell: ({ lastSeenAt }) => <TimeText at={lastSeenAt} /> },
        {
          title: 'Action',
          cell: ({ id, userAgent }) =>
            id === visitor.sessionId ? (
              t('This session')
            ) : (
              <ActionButton
                action={`/app/account/sessions/${id}/end`}
                label="End session"
                fullLabel={endOf(userAgent)}
              />
            ),
        },
      ]}
    />
  );
}
