import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { ListTable, Pager, Time } from '#shared/web/dashboard/list-parts.js';
import type { PointOfSaleView } from '#contexts/point-of-sale/application/points-of-sale-records.js';

interface PointsOfSaleProps extends PageRequest, Page<PointOfSaleView> {
  readonly visitor: PageVisitor;
}

export function pointsOfSalePage({ visitor, items, ...paging }: PointsOfSaleProps): VNode {
  return (
    <DashboardPage
      visitor={visitor}
      title="Points of sale"
      place="/app/points-of-sale"
      actions={
        may(visitor.role, 'manage') && (
          <a class="button primary" href="/app/points-of-sale/new">
            Create a point of sale
          </a>
        )
      }
    >
      <ListTable
        caption="Points of sale, oldest first"
        items={items}
        empty={<p>No point of sale yet. Payments are collected on one.</p>}
        columns={[
          { title: 'Name', cell: ({ id, name }) => <a href={`/app/points-of-sale/${id}`}>{name}</a> },
          { title: 'Type', cell: ({ type }) => type },
          { title: 'Account', cell: ({ accountName }) => <bdi>{accountName}</bdi> },
          { title: 'Merchant', cell: ({ merchant }) => <bdi>{merchant.name}</bdi> },
          {
            title: 'Payment options',
            numeric: true,
            cell: ({ paymentOptions }) => String(paymentOptions.length),
          },
          { title: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
        ]}
      />
      <Pager path="/app/points-of-sale" {...paging} />
    </DashboardPage>
  );
}
