import type { VNode } from 'preact';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { ListTable, Pager, StateMark, Time } from '#shared/web/dashboard/list-parts.js';
import type { Credential } from '#contexts/identity/domain/credentials/credential.js';

interface ApiKeysProps extends PageRequest, Page<Credential> {
  readonly visitor: PageVisitor;
}

export function apiKeysPage({ visitor, items, ...paging }: ApiKeysProps): VNode {
  return (
    <DashboardPage
      visitor={visitor}
      title="API keys"
      place="/app/api-keys"
      actions={
        <a class="button primary" href="/app/api-keys/new">
          Create a key
        </a>
      }
    >
      <ListTable
        caption="API keys, oldest first"
        items={items}
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
      <Pager path="/app/api-keys" {...paging} />
    </DashboardPage>
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
