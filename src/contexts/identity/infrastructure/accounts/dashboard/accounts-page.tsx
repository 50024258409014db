import type { VNode } from 'preact';
import { EXACT } from '#shared/web/parts/exact.js';
import { may } from '#shared/kernel/dashboard-access.js';
import { TIME_ZONE, type FormFields, type SentForm } from '#shared/web/dashboard/form-fields.js';
import { FieldsForm } from '#shared/web/dashboard/form-parts.js';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { Done } from '#shared/web/dashboard/list-parts.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { EmptyState } from '#shared/web/parts/empty-state.js';
import { Name } from '#shared/web/parts/name.js';
import { When } from '#shared/web/parts/when.js';
import type { Account } from '#contexts/identity/domain/accounts/account.js';

interface AccountsProps extends Listed<Account> {
  readonly done?: string | undefined;
  readonly sent?: SentForm | undefined;
}

const DONE = {
  deleted: 'Account deleted. Its history stays available.',
  zone: 'Time zone updated for everyone in the organization.',
} satisfies Record<string, Word>;

export const ZONE = {
  time_zone: {
    ...TIME_ZONE,
    hint: 'The dashboard shows times in this zone to everyone in the organization. The books and the analytics use UTC.',
    required: true,
  },
} satisfies FormFields;

const CREATE = { path: '/app/accounts/new', label: 'Create account' } as const;

export function accountsPage({ done, sent, ...list }: AccountsProps): VNode {
  return (
    <ListPage
      {...list}
      place="/app/accounts"
      actions={
        <p class="actions">
          <a class="button" href="/app/branding">
            {t('Branding for all accounts')}
          </a>
          {list.total > 0 && <CreateLink visitor={list.visitor} {...CREATE} />}
        </p>
      }
      caption="Accounts, oldest first"
      empty={
        <EmptyState
          title="No accounts."
          action={may(list.visitor.role, 'manage') ? { href: CREATE.path, label: CREATE.label } : undefined}
        >
          {t('An account is a part of your organization with its own balance.')}
        </EmptyState>
      }
      columns={[
        {
          title: 'Name',
          wide: true,
          cell: ({ id, name }) => <Name name={name} id={id} href={`/app/accounts/${id}`} />,
        },
        { title: 'External id', cell: ({ externalId }) => <ExternalId id={externalId} /> },
        { title: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
    >
      <Done done={done} notices={DONE} />
      {may(list.visitor.role, 'manage') && (
        <details open={sent !== undefined}>
          <summary>{t('Time zone')}</summary>
          <FieldsForm
            fields={ZONE}
            sent={sent}
            values={{ time_zone: list.visitor.timeZone }}
            action="/app/accounts/time-zone"
          >
            <button class="button">{t('Save')}</button>
          </FieldsForm>
        </details>
      )}
    </ListPage>
  );
}

export function ExternalId({ id }: { id: string | null }): VNode {
  return id === null ? <span class="note">{t('none')}</span> : <code {...EXACT}>{id}</code>;
}
