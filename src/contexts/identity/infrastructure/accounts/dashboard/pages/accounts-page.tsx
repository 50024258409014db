import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { DoneNotice, ListTable, Pager, Time } from '#shared/web/dashboard/list-parts.js';
import type { Account } from '#contexts/identity/domain/accounts/account.js';

interface AccountsProps extends PageRequest, Page<Account> {
  readonly visitor: PageVisitor;
  readonly done: string | undefined;
}

export function accountsPage({ visitor, done, items, ...paging }: AccountsProps): VNode {
  return (
    <DashboardPage
      visitor={visitor}
      title="Accounts"
      place="/app/accounts"
      actions={
        may(visitor.role, 'manage') && (
          <a class="button primary" href="/app/accounts/new">
            Create an account
          </a>
        )
      }
    >
      {done === 'deleted' && <DoneNotice>The account is deleted. Its history stays readable.</DoneNotice>}
      <ListTable
        caption="Accounts, oldest first"
        items={items}
        empty={<p>No account here. An account is a part of the organization whose money is kept apart.</p>}
        columns={[
          {
            title: 'Name',
            cell: ({ id, name }) => (
              <a href={`/app/accounts/${id}`}>
                <bdi>{name}</bdi>
              </a>
            ),
          },
          { title: 'External id', cell: ({ externalId }) => <ExternalId id={externalId} /> },
          { title: 'Id', cell: ({ id }) => <code>{id}</code> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
      <Pager path="/app/accounts" {...paging} />
    </DashboardPage>
  );
}

export function ExternalId({ id }: { id: string | null }): VNode {
  return id === null ? <span class="note">none</span> : <code>{id}</code>;
}
