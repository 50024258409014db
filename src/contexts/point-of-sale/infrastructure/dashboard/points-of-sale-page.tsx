import type { VNode } from 'preact';
import { type ListedPage, ListPage } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { Count, Name, When } from '#shared/web/parts/values.js';
import type { PointOfSaleView } from '../persistence/points-of-sale-records.js';
import { TYPE_LABELS } from './point-of-sale-form.js';

const CREATE_LINK = { path: '/app/points-of-sale/new', label: 'Create point of sale' } as const;

export function pointsOfSalePage(list: ListedPage<PointOfSaleView>): VNode {
  return (
    <ListPage
      {...list}
      place="/app/points-of-sale"
      create={CREATE_LINK}
      caption="Points of sale, oldest first"
      empty={{
        title: 'No points of sale yet.',
        note: 'A point of sale collects payments, for example a website, a till or a branch.',
      }}
      columns={[
        {
          title: 'Name',
          wide: true,
          cell: ({ id, name }) => <Name name={name} id={id} href={`/app/points-of-sale/${id}`} />,
        },
        { title: 'Type', cell: ({ type }) => t(TYPE_LABELS[type]) },
        {
          title: 'Account',
          cell: ({ accountId: id, accountName }) => (
            <Name name={accountName} id={id} href={`/app/accounts/${id}`} />
          ),
        },
        { title: 'Merchant', cell: ({ merchant }) => <bdi>{merchant.name}</bdi> },
        {
          title: 'Assets',
          numeric: true,
          cell: ({ paymentOptions }) => <Count of={paymentOptions.length} />,
        },
        { title: 'Updated', cell: ({ updatedAt }) => <When at={updatedAt} /> },
      ]}
    />
  );
}
