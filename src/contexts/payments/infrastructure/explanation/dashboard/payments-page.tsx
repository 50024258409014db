import type { VNode } from 'preact';
import { formatAmount } from '#shared/kernel/amount.js';
import {
  ALL,
  type FormFields,
  POINT_OF_SALE,
  pointOfSaleOptions,
} from '#shared/web/dashboard/form-fields.js';
import { ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { StateMark, Time, type Tone } from '#shared/web/dashboard/list-parts.js';
import { shownAsset, shownCoin } from '#shared/web/formatting/shown-amounts.js';
import type { NamedPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { ListedPaymentRequest } from '#contexts/payments/application/requests/payment-request-view.js';
import { STATUSES, type PaymentsQuery } from './payments.query.js';
import type { HistoryStatus } from '#contexts/payments/domain/requests/status.js';

interface PaymentsProps extends Listed<ListedPaymentRequest> {
  readonly pointsOfSale: readonly NamedPointOfSale[];
  readonly query: PaymentsQuery;
}

const FILTERS = {
  pos: POINT_OF_SALE,
  status: {
    kind: 'choice',
    label: 'Status',
    options: [ALL, ...STATUSES.map((value) => ({ value, label: value }))],
  },
  reference: { label: 'Reference', maxlength: 400 },
  from: { kind: 'date', label: 'From (UTC)' },
  to: { kind: 'date', label: 'To (UTC)' },
} satisfies FormFields;

export function paymentsPage({ pointsOfSale, query, ...list }: PaymentsProps): VNode {
  const { pos, status, reference, from, to } = query;
  return (
    <ListPage
      {...list}
      place="/app/payments"
      filters={FILTERS}
      query={{ pos, status, reference, from, to }}
      known={{ pos: { options: pointOfSaleOptions(pointsOfSale) } }}
      caption="Payment requests, newest first"
      empty={
        <p>No payment request matches. Requests are created by the API, by checkouts and by payment links.</p>
      }
      columns={[
        {
          title: 'Payment request',
          cell: ({ id, referenceId }) => (
            <a href={`/app/payments/${id}`}>{referenceId ?? <code>{id}</code>}</a>
          ),
        },
        { title: 'Status', cell: (request) => <PaymentStatus {...request} /> },
        { title: 'Amount', numeric: true, cell: (request) => askedText(request) },
        { title: 'Received', numeric: true, cell: (request) => receivedText(request) },
        { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}

function askedText({ asked, checkout }: ListedPaymentRequest): string {
  if (asked !== undefined) return shownAsset(formatAmount(asked.amount, asked.decimals), asked.currency);
  return checkout === undefined ? '–' : shownCoin(checkout.amount, checkout.coinCode, 'en');
}

function receivedText({ asked, receivedAmount }: ListedPaymentRequest): string {
  return asked === undefined ? '–' : shownAsset(formatAmount(receivedAmount, asked.decimals), asked.currency);
}

const TONES: Record<HistoryStatus, Tone> = {
  pending: 'plain',
  created: 'plain',
  processing: 'care',
  confirmed: 'good',
  completed: 'good',
  underpaid: 'bad',
  overpaid: 'care',
  expired: 'plain',
  failed: 'bad',
};

/** @param fulfilled only a request has it, not a step of its history */
export function PaymentStatus({ status, fulfilled }: { status: HistoryStatus; fulfilled?: boolean }): VNode {
  if (status === 'underpaid' && fulfilled === true)
    return <StateMark tone="care">underpaid, accepted</StateMark>;
  return <StateMark tone={TONES[status]}>{status}</StateMark>;
}
