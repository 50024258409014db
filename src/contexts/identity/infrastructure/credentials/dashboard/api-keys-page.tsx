import type { VNode } from 'preact';
import { type ListPageData, ListPage } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { StatusBadge } from '#shared/web/parts/status-badge.js';
import { RecordName, ShortId, TimeText } from '#shared/web/parts/values.js';
import type { AccountId } from '#shared/kernel/ids.js';
import type { Credential } from '#contexts/identity/domain/credentials/credential.js';

export type AccountNamesById = ReadonlyMap<AccountId, string | null>;

const CREATE_LINK = { path: '/app/api-keys/new', label: 'Create key', action: 'manage_keys' } as const;

interface ApiKeysProps extends ListPageData<Credential> {
  readonly names: AccountNamesById;
}

export function apiKeysPage({ names, ...list }: ApiKeysProps): VNode {
  return (
    <ListPage
      {...list}
      place="/app/api-keys"
      create={CREATE_LINK}
      caption="API keys, oldest first"
      empty={{
        title: 'No API keys yet.',
        note: 'Your software calls the API with a key and its secret.',
      }}
      columns={[
        {
          title: 'Name',
          wide: true,
          cell: ({ id, name }) => <RecordName name={name} id={id} href={`/app/api-keys/${id}`} />,
        },
        { title: 'Key id', cell: ({ keyId }) => <ShortId value={keyId} /> },
        { title: 'Roles', cell: ({ roles }) => roles.join(', ') },
        { title: 'Scope', cell: ({ accountId }) => <ApiKeyScopeLabel accountId={accountId} names={names} /> },
        {
          title: 'Allowed IP addresses',
          cell: ({ allowedAddresses }) =>
            allowedAddresses.length === 0 ? t('any') : allowedAddresses.join(', '),
        },
        { title: 'Status', cell: ({ enabled }) => <ApiKeyStatusBadge enabled={enabled} /> },
        { title: 'Last used', cell: ({ lastUsedAt }) => <TimeText at={lastUsedAt} /> },
      ]}
    />
  );
}

interface KeyScopeProps {
  readonly accountId: AccountId | null;
  readonly names: AccountNamesById;
}

export function ApiKeyScopeLabel({ accountId, names }: KeyScopeProps): VNode {
  return accountId === null ? (
    t('The whole organization')
  ) : (
    <RecordName name={names.get(accountId)} id={accountId} href={`/app/accounts/${accountId}`} />
  );
}

export function ApiKeyStatusBadge({ enabled }: { enabled: boolean }): VNode {
  return <StatusBadge status={enabled ? 'enabled' : 'disabled'} />;
}
