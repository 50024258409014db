import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { EmptyState, ListTable } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { Badge, isStatus, PaymentBadge } from '#shared/web/parts/badge.js';
import { Name, ShortId, When } from '#shared/web/parts/values.js';
import type { SearchHit } from './hit.js';

interface SearchProps {
  readonly visitor: PageVisitor;
  readonly typed: string;
  readonly hits: readonly SearchHit[];
}

export function searchPage({ visitor, typed, hits }: SearchProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Search" searched={typed}>
      <ListTable
        caption="Search results"
        items={hits}
        empty={
          <EmptyState
            title="No results."
            note="Enter the beginning of a payment’s order number, or exactly an id, address, transaction hash, the code of a link or subscription, or the name of an account or point of sale."
            action={{ href: '/app/payments', label: 'All payments' }}
          />
        }
        columns={[
          {
            title: 'Result',
            wide: true,
            cell: ({ id, href, reference }) => <Name name={reference} id={id} href={href} />,
          },
          { title: 'Type', cell: ({ what }) => t(what) },
          { title: 'Id', cell: ({ id, href }) => <ShortId value={id} href={href} /> },
          { title: 'Status', cell: (hit) => <HitStatus {...hit} /> },
          {
            title: 'Created',
            cell: ({ createdAt }) => (createdAt === null ? '–' : <When at={createdAt} />),
          },
        ]}
      />
    </DashboardPage>
  );
}

function HitStatus({ what, status }: Pick<SearchHit, 'what' | 'status'>): VNode {
  if (status === null) return <>–</>;
  if (!isStatus(status)) return <>{status}</>;
  return what === 'Payment request' ? <PaymentBadge status={status} /> : <Badge status={status} />;
}
