import type { VNode } from 'preact';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { StateMark, Time } from '#shared/web/dashboard/list-parts.js';
import type { Credential } from '#contexts/identity/domain/credentials/credential.js';

export function apiKeysPage(list: Listed<Credential>): VNode {
  return (
    <ListPage
      {...list}
      place="/app/api-keys"
      actions={
        <CreateLink
          visitor={list.visitor}
          path="/app/api-keys/new"
          action="manage_keys"
          label="Create a key"
        />
      }
      caption="API keys, oldest first"
      empty={<p>No key yet. Create one to call the API.</p>}
      columns={[
        { title: 'Name', cell: ({ id, name }) => <a href={`/app/api-keys/${id}`}>{name}</a> },
        { title: 'Key id', cell: ({ keyId }) => <code>{keyId}</code> },
        { title: 'Roles', cell: ({ roles }) => roles.join(', ') },
        { title: 'Scope', cell: ({ accountId }) => <Scope accountId={accountId} /> },
        {
          title: 'Allowed addresses',
          cell: ({ allowedAddresses }) =>
            allowedAddresses.length === 0 ? 'any' : allowedAddresses.join(', '),
        },
        { title: 'State', cell: ({ enabled }) => <KeyState enabled={enabled} /> },
        { title: 'Last use', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
      ]}
    />
  );
}

export function Scope({ accountId }: { accountId: string | null }): VNode {
  return accountId === null ? (
    <>organization</>
  ) : (
    <>
      account <code>{accountId}</code>
    </>
  );
}

export function KeyState({ enabled }: { enabled: boolean }): VNode {
  return <StateMark tone={enabled ? 'good' : 'bad'}>{enabled ? 'Enabled' : 'Disabled'}</StateMark>;
}
