import type { VNode } from 'preact';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { EmptyState, ListTable } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { StatusBadge, isDashboardStatus, PaymentBadge } from '#shared/web/parts/status-badge.js';
import { RecordName, ShortId, TimeText } from '#shared/web/parts/values.js';
import type { SearchHit } from './hit.js';

interface SearchProps {
  readonly visitor: PageUser;
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
            cell: ({ id, href, reference }) => <RecordName name={reference} id={id} href={href} />,
          },
          { title: 'Type', cell: ({ what }) => t(what) },
          { title: 'Id', cell: ({ id, href }) => <ShortId value={id} href={href} /> },
          { title: 'Status', cell: (hit) => <HitStatus {...hit} /> },
          {
            title: 'Created',
            cell: ({ createdAt }) => (createdAt === null ? '–' : <TimeText at={createdAt} />),
          },
        ]}
      />
    </DashboardPage>
  );
}

function HitStatus({ what, status }: Pick<SearchHit, 'what' | 'status'>): VNode {
  if (status === null) return <>–</>;
  if (!isDashboardStatus(status)) return <>{status}</>;
  return what === 'Payment request' ? <PaymentBadge status={status} /> : <StatusBadge status={status} />;
}
