import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import type { FormFields, ShownRefusal } from '#shared/web/dashboard/form-fields.js';
import { Fields, RefusalNotice } from '#shared/web/dashboard/form-parts.js';
import { EmptyState, ListTable } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { PaymentBadge } from '#shared/web/parts/badge.js';
import { Name, When } from '#shared/web/parts/values.js';
import type { FoundPayment } from '#contexts/payments/contract/payment-finder.js';

export const ORDER_NUMBER = { label: 'Order number begins with', maxlength: 400, exact: true } as const;

const FIELDS = {
  payment: {
    ...ORDER_NUMBER,
    label: 'Order number, payment number or transaction hash',
    hint: 'You can also choose Refund on the page of the payment.',
    required: true,
  },
} satisfies FormFields;

interface ChoosePaymentProps {
  readonly visitor: PageVisitor;
  readonly typed: string;
  /** Absent before the person has searched. */
  readonly found?: readonly FoundPayment[];
  readonly refusal?: ShownRefusal | undefined;
}

/** Asks which payment to refund, and lists the payments found. */
export function choosePaymentPage({ visitor, typed, found, refusal }: ChoosePaymentProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Refund a payment" place="/app/refunds">
      <RefusalNotice refusal={refusal} />
      <section class="card">
        <form method="get" action="/app/refunds/new" class="stack">
          <Fields fields={FIELDS} values={{ payment: typed }} />
          <div class="actions">
            <button class="button primary">{t('Continue')}</button>
          </div>
        </form>
      </section>
      {found !== undefined && (
        <ListTable
          caption="Choose the payment to refund"
          items={found}
          empty={
            <EmptyState
              title="No payment requests match."
              action={{ href: '/app/payments', label: 'View payments' }}
            />
          }
          columns={[
            {
              title: 'Payment',
              brief: true,
              cell: ({ id, referenceId }) => (
                <Name name={referenceId} id={id} href={`/app/refunds/new?payment_request_id=${id}`} />
              ),
            },
            { title: 'Created', brief: true, cell: ({ createdAt }) => <When at={createdAt} /> },
            { title: 'Status', brief: true, cell: ({ status }) => <PaymentBadge status={status} /> },
          ]}
        />
      )}
    </DashboardPage>
  );
}
