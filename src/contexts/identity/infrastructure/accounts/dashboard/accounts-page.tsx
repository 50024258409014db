import type { VNode } from 'preact';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { Done, Time } from '#shared/web/dashboard/list-parts.js';
import type { Account } from '#contexts/identity/domain/accounts/account.js';

interface AccountsProps extends Listed<Account> {
  readonly done: string | undefined;
}

const DONE = { deleted: 'The account is deleted. Its history stays readable.' };

export function accountsPage({ done, ...list }: AccountsProps): VNode {
  return (
    <ListPage
      {...list}
      place="/app/accounts"
      actions={<CreateLink visitor={list.visitor} path="/app/accounts/new" label="Create an account" />}
      caption="Accounts, oldest first"
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
    >
      <Done done={done} notices={DONE} />
    </ListPage>
  );
}

export function ExternalId({ id }: { id: string | null }): VNode {
  return id === null ? <span class="note">none</span> : <code>{id}</code>;
}
