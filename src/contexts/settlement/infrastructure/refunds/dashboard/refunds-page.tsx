import type { VNode } from 'preact';
import { type FormFields, type FormErrors, createStatusFilter } from '#shared/web/dashboard/form-fields.js';
import { CreateLink, type ListPageData, ListPage } from '#shared/web/dashboard/list-page.js';
import { TimeText } from '#shared/web/parts/values.js';
import { REFUND_STATUSES, type RefundSnapshot } from '#contexts/settlement/domain/refunds/refund.js';
import { ORDER_NUMBER_FIELD } from './choose-payment-to-refund-page.js';
import { AssetAmount, PaymentLink, RefundStatusBadge } from './refund-parts.js';

interface RefundsProps extends ListPageData<RefundSnapshot> {
  readonly query: { readonly status?: string; readonly payment?: string };
  readonly networkName: (network: string) => string;
  readonly refusal?: FormErrors | undefined;
}

const FILTERS = {
  status: createStatusFilter(REFUND_STATUSES),
  payment: ORDER_NUMBER_FIELD,
} satisfies FormFields;

export function refundsPage({ query, networkName, ...list }: RefundsProps): VNode {
  const { status, payment } = query;
  return (
    <ListPage
      {...list}
      place="/app/refunds"
      actions={<CreateLink visitor={list.visitor} path="/app/refunds/new" label="Refund a payment" />}
      filters={FILTERS}
      query={{ status, payment }}
      caption="Refunds, newest first"
      noMatch={{ title: 'No refunds match these filters.' }}
      empty={{
        title: 'No refunds yet.',
        note: 'Refund an ended payment from its page or with the API.',
        action: { href: '/app/payments', label: 'Payments' },
      }}
      columns={[
        {
          title: 'Refund',
          brief: true,
          cell: ({ id, ...refund }) => (
            <a href={`/app/refunds/${id}`}>
              <AssetAmount {...refund} />
            </a>
          ),
        },
        {
          title: 'Payment',
          brief: true,
          cell: ({ paymentRequestId, referenceId }) => (
            <PaymentLink id={paymentRequestId} reference={referenceId} />
          ),
        },
        { title: 'Status', brief: true, cell: (refund) => <RefundStatusBadge {...refund} /> },
        { title: 'Network', cell: ({ asset }) => networkName(asset.network) },
        {
          title: 'Reason',
          wide: true,
          cell: ({ reason }) => (reason === undefined ? <>–</> : <bdi>{reason}</bdi>),
        },
        { title: 'Created', brief: true, cell: ({ createdAt }) => <TimeText at={createdAt} /> },
      ]}
    />
  );
}
