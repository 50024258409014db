import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { Done } from '#shared/web/dashboard/list-parts.js';
import { EmptyState } from '#shared/web/parts/empty-state.js';
import { Name } from '#shared/web/parts/name.js';
import { When } from '#shared/web/parts/when.js';
import type { Account } from '#contexts/identity/domain/accounts/account.js';

interface AccountsProps extends Listed<Account> {
  readonly done: string | undefined;
}

const DONE = { deleted: 'The account is deleted. Its history stays readable.' };

const CREATE = { path: '/app/accounts/new', label: 'Create an account' };

export function accountsPage({ done, ...list }: AccountsProps): VNode {
  return (
    <ListPage
      {...list}
      place="/app/accounts"
      actions={
        <p class="actions">
          <a class="button" href="/app/branding">
            Branding of all accounts
          </a>
          {list.total > 0 && <CreateLink visitor={list.visitor} {...CREATE} />}
        </p>
      }
      caption="Accounts, oldest first"
      empty={
        <EmptyState
          title="No account here."
          action={may(list.visitor.role, 'manage') ? { href: CREATE.path, label: CREATE.label } : undefined}
        >
          An account is a part of the organization whose money is kept apart.
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
    </ListPage>
  );
}

export function ExternalId({ id }: { id: string | null }): VNode {
  return id === null ? <span class="note">none</span> : <code>{id}</code>;
}
