import type { VNode } from 'preact';
import { NOT_TRANSLATED } from '#shared/web/parts/facts.js';
import { may } from '#shared/kernel/dashboard-access.js';
import { type ActOutcome, type FormFields, TIME_ZONE } from '#shared/web/dashboard/form-fields.js';
import { FieldsForm } from '#shared/web/dashboard/form-parts.js';
import { CreateLink, type ListedPage, ListPage } from '#shared/web/dashboard/list-page.js';
import { CompletedActionNotice, LinkButton } from '#shared/web/dashboard/page-parts.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { Name, When } from '#shared/web/parts/values.js';
import type { Account } from '#contexts/identity/domain/accounts/account.js';

interface AccountsProps extends ListedPage<Account>, ActOutcome {}

const SUCCESS_MESSAGES = {
  deleted: 'Account deleted. Its history stays available.',
  zone: 'Time zone updated for everyone in the organization.',
} satisfies Record<string, Word>;

export const TIME_ZONE_FIELDS = {
  time_zone: {
    ...TIME_ZONE,
    hint: 'The dashboard shows times in this zone to everyone in the organization. The books and the analytics use UTC.',
    required: true,
  },
} satisfies FormFields;

const CREATE_LINK = { path: '/app/accounts/new', label: 'Create account' } as const;

export function accountsPage({ done, sent, ...list }: AccountsProps): VNode {
  return (
    <ListPage
      {...list}
      place="/app/accounts"
      create={CREATE_LINK}
      actions={
        <p class="actions">
          <LinkButton href="/app/branding" label="Branding for all accounts" />
          {list.total > 0 && <CreateLink visitor={list.visitor} {...CREATE_LINK} />}
        </p>
      }
      caption="Accounts, oldest first"
      empty={{
        title: 'No accounts.',
        note: 'An account is a part of your organization with its own balance.',
      }}
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
      <CompletedActionNotice done={done} notices={SUCCESS_MESSAGES} />
      {may(list.visitor.role, 'manage') && (
        <details open={sent !== undefined}>
          <summary>{t('Time zone')}</summary>
          <FieldsForm
            fields={TIME_ZONE_FIELDS}
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
  return id === null ? <span class="note">{t('none')}</span> : <code {...NOT_TRANSLATED}>{id}</code>;
}
