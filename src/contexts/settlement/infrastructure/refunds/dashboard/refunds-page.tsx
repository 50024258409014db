import type { VNode } from 'preact';
import { ALL, type FormFields, type ShownRefusal } from '#shared/web/dashboard/form-fields.js';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { statusWord } from '#shared/web/parts/badge.js';
import { EmptyState } from '#shared/web/parts/empty-state.js';
import { When } from '#shared/web/parts/when.js';
import { REFUND_STATUSES, type RefundState } from '#contexts/settlement/domain/refunds/refund.js';
import { AssetAmount, PaymentLink, RefundMark } from './refund-parts.js';

interface RefundsProps extends Listed<RefundState> {
  readonly query: { readonly status?: string; readonly payment_request_id?: string };
  readonly networkName: (network: string) => string;
  readonly refusal?: ShownRefusal | undefined;
}

const FILTERS = {
  status: {
    kind: 'choice',
    label: 'Status',
    options: [ALL, ...REFUND_STATUSES.map((word) => ({ value: word, label: statusWord(word) }))],
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
      empty={<NoRefunds isFiltered={Boolean(status || payment_request_id)} />}
      columns={[
        {
          title: 'Refund',
          cell: ({ id, ...refund }) => (
            <a href={`/app/refunds/${id}`}>
              <AssetAmount {...refund} />
            </a>
          ),
        },
        { title: 'Status', cell: (refund) => <RefundMark {...refund} /> },
        { title: 'Network', cell: ({ asset }) => networkName(asset.network) },
        {
          title: 'Payment',
          cell: ({ paymentRequestId, referenceId }) => (
            <PaymentLink id={paymentRequestId} reference={referenceId} />
          ),
        },
        {
          title: 'Reason',
          wide: true,
          cell: ({ reason }) => (reason === undefined ? <>–</> : <bdi>{reason}</bdi>),
        },
        { title: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
    />
  );
}

function NoRefunds({ isFiltered }: { isFiltered: boolean }): VNode {
  if (isFiltered)
    return (
      <EmptyState
        title="No refunds match these filters."
        action={{ href: '/app/refunds', label: 'Show all' }}
      />
    );
  return (
    <EmptyState title="No refunds yet." action={{ href: '/app/payments', label: 'Payments' }}>
      {t('Refund an ended payment from its page or with the API.')}
    </EmptyState>
  );
}
