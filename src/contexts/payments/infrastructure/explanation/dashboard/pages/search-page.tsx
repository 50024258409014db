import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '../../../../../../shared/web/dashboard/dashboard-page.js';
import { ListTable, Time } from '../../../../../../shared/web/dashboard/list-parts.js';
import type { FoundPayment } from '../../../../application/explanation/find-payments.js';
import { PaymentStatus } from './payment-status.js';

interface SearchProps {
  readonly visitor: PageVisitor;
  readonly typed: string;
  readonly found: readonly FoundPayment[];
}

export function searchPage({ visitor, typed, found }: SearchProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Search" searched={typed}>
      <ListTable
        caption="What was found, newest first"
        items={found}
        empty={
          <p>
            Nothing found. Search for a payment request’s id, your reference, a deposit address, a
            transaction’s hash or a checkout session, whole.
          </p>
        }
        columns={[
          { title: 'Payment request', cell: ({ id }) => <a href={`/app/payments/${id}`}>{id}</a> },
          { title: 'Reference', cell: ({ referenceId }) => referenceId ?? '–' },
          { title: 'Status', cell: ({ status }) => <PaymentStatus status={status} /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </DashboardPage>
  );
}
