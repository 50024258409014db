import type { VNode } from 'preact';
import { type ListPageData, ListPage } from '#shared/web/dashboard/list-page.js';
import type { FormActionOutcome } from '#shared/web/dashboard/form-fields.js';
import { CompletedActionNotice } from '#shared/web/dashboard/page-parts.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { CountText, RecordName, TimeText } from '#shared/web/parts/values.js';
import type { PointOfSaleView } from '../persistence/points-of-sale-records.js';
import { POINT_OF_SALE_TYPE_LABELS } from './point-of-sale-form.js';

const CREATE_LINK = { path: '/app/points-of-sale/new', label: 'Create point of sale' } as const;

const DONE_NOTICES = { deleted: 'Point of sale deleted. Its payments stay available.' } satisfies Record<
  string,
  Word
>;

interface PointsOfSaleProps extends ListPageData<PointOfSaleView>, Pick<FormActionOutcome, 'done'> {}

export function pointsOfSalePage({ done, ...list }: PointsOfSaleProps): VNode {
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
          cell: ({ id, name }) => <RecordName name={name} id={id} href={`/app/points-of-sale/${id}`} />,
        },
        { title: 'Type', cell: ({ type }) => t(POINT_OF_SALE_TYPE_LABELS[type]) },
        {
          title: 'Account',
          cell: ({ accountId: id, accountName }) => (
            <RecordName name={accountName} id={id} href={`/app/accounts/${id}`} />
          ),
        },
        { title: 'Merchant', cell: ({ merchant }) => <bdi>{merchant.name}</bdi> },
        {
          title: 'Assets',
          numeric: true,
          cell: ({ paymentOptions }) => <CountText of={paymentOptions.length} />,
        },
        { title: 'Updated', cell: ({ updatedAt }) => <TimeText at={updatedAt} /> },
      ]}
    >
      <CompletedActionNotice done={done} notices={DONE_NOTICES} />
    </ListPage>
  );
}
