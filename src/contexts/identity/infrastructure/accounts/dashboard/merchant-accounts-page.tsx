import type { VNode } from 'preact';
import { NOT_TRANSLATED } from '#shared/web/parts/detail-item.js';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import {
  type FormActionOutcome,
  type FormFields,
  TIME_ZONE_FIELD,
} from '#shared/web/dashboard/form-fields.js';
import { FormWithErrors } from '#shared/web/dashboard/form-parts.js';
import { CreateLink, type ListPageData, ListPage } from '#shared/web/dashboard/list-page.js';
import { CompletedActionNotice, LinkButton } from '#shared/web/dashboard/page-parts.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { RecordName, TimeText } from '#shared/web/parts/values.js';
import type { Account } from '#contexts/identity/domain/accounts/account.js';

interface AccountsProps extends ListPageData<Account>, FormActionOutcome {}

const SUCCESS_MESSAGES = {
  deleted: 'Account deleted. Its history stays available.',
  zone: 'Time zone updated for everyone in the organization.',
} satisfies Record<string, Word>;

export const TIME_ZONE_FIELDS = {
  time_zone: {
    ...TIME_ZONE_FIELD,
    hint: 'The dashboard shows times in this zone to everyone in the organization. The books and the analytics use UTC.',
    required: true,
  },
} satisfies FormFields;

const CREATE_LINK = { path: '/app/accounts/new', label: 'Create account' } as const;

export function merchantAccountsPage({ done, sent, ...list }: AccountsProps): VNode {
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
          cell: ({ id, name }) => <RecordName name={name} id={id} href={`/app/accounts/${id}`} />,
        },
        { title: 'External id', cell: ({ externalId }) => <ExternalId id={externalId} /> },
        { title: 'Created', cell: ({ createdAt }) => <TimeText at={createdAt} /> },
      ]}
    >
      <CompletedActionNotice done={done} notices={SUCCESS_MESSAGES} />
      {hasPermission(list.visitor.role, 'manage') && (
        <details open={sent !== undefined}>
          <summary>{t('Time zone')}</summary>
          <FormWithErrors
            fields={TIME_ZONE_FIELDS}
            sent={sent}
            values={{ time_zone: list.visitor.timeZone }}
            action="/app/accounts/time-zone"
          >
            <button class="button">{t('Save')}</button>
          </FormWithErrors>
        </details>
      )}
    </ListPage>
  );
}

export function ExternalId({ id }: { id: string | null }): VNode {
  return id === null ? <span class="note">{t('none')}</span> : <code {...NOT_TRANSLATED}>{id}</code>;
}
