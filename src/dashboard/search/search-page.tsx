import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { ListTable, Time } from '#shared/web/dashboard/list-parts.js';
import type { Hit } from './hit.js';

interface SearchProps {
  readonly visitor: PageVisitor;
  readonly typed: string;
  readonly hits: readonly Hit[];
}

export function searchPage({ visitor, typed, hits }: SearchProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Search" searched={typed}>
      <ListTable
        caption="What was found"
        items={hits}
        empty={
          <p>
            Nothing found. Search, whole, for an id of anything; your reference of a payment or subscription;
            a deposit address; a transaction’s hash; a checkout session; the code of a payment link or
            subscription; a wallet’s id; or the name of a point of sale or an account.
          </p>
        }
        columns={[
          { title: 'What', cell: ({ what }) => what },
          {
            title: 'Id',
            cell: ({ id, href }) => (
              <a href={href}>
                <code>{id}</code>
              </a>
            ),
          },
          { title: 'Reference', cell: ({ reference }) => reference ?? '–' },
          { title: 'Status', cell: ({ status }) => status ?? '–' },
          {
            title: 'Created',
            cell: ({ createdAt }) => (createdAt === null ? '–' : <Time at={createdAt} />),
          },
        ]}
      />
    </DashboardPage>
  );
}
