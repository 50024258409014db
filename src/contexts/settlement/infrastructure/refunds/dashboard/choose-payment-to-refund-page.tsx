import type { VNode } from 'preact';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import type { FormFields, FormErrors } from '#shared/web/dashboard/form-fields.js';
import { FormInputs, FormErrorNotice } from '#shared/web/dashboard/form-parts.js';
import { EmptyState, ListTable } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { PaymentBadge } from '#shared/web/parts/status-badge.js';
import { RecordName, TimeText } from '#shared/web/parts/values.js';
import type { FoundPayment } from '#contexts/payments/contract/payment-finder.js';

export const ORDER_NUMBER_FIELD = { label: 'Order number begins with', maxlength: 400, exact: true } as const;

const FIELDS = {
  payment: {
    ...ORDER_NUMBER_FIELD,
    label: 'Order number, payment number or transaction hash',
    hint: 'You can also choose Refund on the page of the payment.',
    required: true,
  },
} satisfies FormFields;

interface ChoosePaymentProps {
  readonly visitor: PageUser;
  readonly typed: string;
  /** Absent before the person has searched. */
  readonly found?: readonly FoundPayment[];
  readonly refusal?: FormErrors | undefined;
}

/** Asks which payment to refund, and lists the payments found. */
export function choosePaymentToRefundPage({ visitor, typed, found, refusal }: ChoosePaymentProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Refund a payment" place="/app/refunds">
      <FormErrorNotice refusal={refusal} />
      <section class="card">
        <form method="get" action="/app/refunds/new" class="stack">
          <FormInputs fields={FIELDS} values={{ payment: typed }} />
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
                <RecordName name={referenceId} id={id} href={`/app/refunds/new?payment_request_id=${id}`} />
              ),
            },
            { title: 'Created', brief: true, cell: ({ createdAt }) => <TimeText at={createdAt} /> },
            { title: 'Status', brief: true, cell: ({ status }) => <PaymentBadge status={status} /> },
          ]}
        />
      )}
    </DashboardPage>
  );
}
