import type { VNode } from 'preact';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { Time } from '#shared/web/dashboard/list-parts.js';
import type { PointOfSaleView } from '#contexts/point-of-sale/application/points-of-sale-records.js';

export function pointsOfSalePage(list: Listed<PointOfSaleView>): VNode {
  return (
    <ListPage
      {...list}
      place="/app/points-of-sale"
      actions={
        <CreateLink visitor={list.visitor} path="/app/points-of-sale/new" label="Create a point of sale" />
      }
      caption="Points of sale, oldest first"
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
  );
}
