import type { VNode } from 'preact';
import { ALL, type FormFields, type ShownRefusal } from '#shared/web/dashboard/form-fields.js';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { Time } from '#shared/web/dashboard/list-parts.js';
import { REFUND_STATUSES, type RefundState } from '#contexts/settlement/domain/refunds/refund.js';
import { AssetAmount, PaymentLink, RefundMark, shownRefundStatus } from './refund-parts.js';

interface RefundsProps extends Listed<RefundState> {
  readonly query: { readonly status?: string; readonly payment_request_id?: string };
  readonly networkName: (network: string) => string;
  readonly refusal?: ShownRefusal | undefined;
}

const FILTERS = {
  status: {
    kind: 'choice',
    label: 'Status',
    options: [ALL, ...REFUND_STATUSES.map((word) => ({ value: word, label: shownRefundStatus(word) }))],
  },
  payment_request_id: { label: 'Payment id' },
} satisfies FormFields;

export function refundsPage({ query, networkName, ...list }: RefundsProps): VNode {
  const { status, payment_request_id } = query;
  return (
    <ListPage
      {...list}
      place="/app/refunds"
      actions={<CreateLink visitor={list.visitor} path="/app/refunds/new" label="Refund a payment" />}
      filters={FILTERS}
      query={{ status, payment_request_id }}
      caption="Refunds, newest first"
      empty={
        status || payment_request_id ? 'No refund matches these filters.' : 'Nothing has been refunded yet.'
      }
      columns={[
        {
          title: 'Refund',
          cell: ({ id, createdAt }) => (
            <a href={`/app/refunds/${id}`}>
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
  );
}
