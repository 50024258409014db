import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import {
  RefusalNotice,
  SelectField,
  TextField,
  type ShownRefusal,
} from '#shared/web/dashboard/form-parts.js';
import { ListTable, Pager, Time } from '#shared/web/dashboard/list-parts.js';
import { REFUND_STATUSES, type RefundState } from '#contexts/settlement/domain/refunds/refund.js';
import type { RefundsPageQuery } from '../refund.form.js';
import { AssetAmount, PaymentLink, RefundMark, shownRefundStatus } from './refund-parts.js';

interface RefundsProps extends PageRequest, Page<RefundState> {
  readonly visitor: PageVisitor;
  readonly query: RefundsPageQuery;
  readonly networkName: (network: string) => string;
  readonly refusal?: ShownRefusal | undefined;
}

const PATH = '/app/refunds';

export function refundsPage({ visitor, query, networkName, refusal, items, ...paging }: RefundsProps): VNode {
  const { status, payment_request_id } = query;
  const create = may(visitor.role, 'manage') && (
    <a class="button primary" href="/app/refunds/new">
      Refund a payment
    </a>
  );
  return (
    <DashboardPage visitor={visitor} title="Refunds" place={PATH} actions={create}>
      <RefusalNotice refusal={refusal} fields={['status', 'payment_request_id']} />
      <form method="get" class="filters">
        <SelectField
          name="status"
          label="Status"
          value={status}
          refusal={refusal}
          options={[
            { value: '', label: 'All' },
            ...REFUND_STATUSES.map((word) => ({ value: word, label: shownRefundStatus(word) })),
          ]}
        />
        <TextField
          name="payment_request_id"
          label="Payment id"
          value={payment_request_id}
          refusal={refusal}
        />
        <button class="button">Filter</button>
      </form>
      <ListTable
        caption="Refunds, newest first"
        items={items}
        empty={
          status || payment_request_id ? 'No refund matches these filters.' : 'Nothing has been refunded yet.'
        }
        columns={[
          {
            title: 'Refund',
            cell: ({ id, createdAt }) => (
              <a href={`${PATH}/${id}`}>
                <Time at={createdAt} />
              </a>
            ),
          },
          { title: 'Status', cell: (refund) => <RefundMark {...refund} /> },
          { title: 'Amount', numeric: true, cell: (refund) => <AssetAmount {...refund} /> },
          { title: 'Network', cell: ({ asset }) => networkName(asset.network) },
          {
            title: 'Payment',
            cell: ({ paymentRequestId, referenceId }) => (
              <PaymentLink id={paymentRequestId} reference={referenceId} />
            ),
          },
          { title: 'Reason', cell: ({ reason }) => (reason === undefined ? 'None' : <bdi>{reason}</bdi>) },
        ]}
      />
      <Pager path={PATH} query={{ status, payment_request_id }} {...paging} />
    </DashboardPage>
  );
}
