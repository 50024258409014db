import type { VNode } from 'preact';
import { formatAmount } from '#shared/kernel/amount.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { SelectField, TextField } from '#shared/web/dashboard/form-parts.js';
import { ListTable, Pager, Time, StateMark, type Tone } from '#shared/web/dashboard/list-parts.js';
import { shownAsset, shownCoin } from '#shared/web/formatting/shown-amounts.js';
import type { NamedPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { ListedPaymentRequest } from '#contexts/payments/application/requests/payment-request-view.js';
import { STATUSES, type PaymentsQuery } from './payments.query.js';
import type { HistoryStatus } from '#contexts/payments/domain/requests/status.js';

interface PaymentsProps extends PageRequest, Page<ListedPaymentRequest> {
  readonly visitor: PageVisitor;
  readonly pointsOfSale: readonly NamedPointOfSale[];
  readonly query: PaymentsQuery;
}

export function paymentsPage({ visitor, pointsOfSale, query, items, ...paging }: PaymentsProps): VNode {
  const { pos, status, reference, from, to } = query;
  return (
    <DashboardPage visitor={visitor} title="Payments" place="/app/payments">
      <Filters pointsOfSale={pointsOfSale} query={query} />
      <ListTable
        caption="Payment requests, newest first"
        items={items}
        empty={
          <p>
            No payment request matches. Requests are created by the API, by checkouts and by payment links.
          </p>
        }
        columns={[
          {
            title: 'Payment request',
            cell: ({ id, referenceId }) => (
              <a href={`/app/payments/${id}`}>{referenceId ?? <code>{id}</code>}</a>
            ),
          },
          { title: 'Status', cell: ({ status: is }) => <PaymentStatus status={is} /> },
          { title: 'Amount', numeric: true, cell: (request) => askedText(request) },
          { title: 'Received', numeric: true, cell: (request) => receivedText(request) },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
      <Pager path="/app/payments" query={{ pos, status, reference, from, to }} {...paging} />
    </DashboardPage>
  );
}

function Filters({ pointsOfSale, query }: Pick<PaymentsProps, 'pointsOfSale' | 'query'>): VNode {
  return (
    <form method="get" action="/app/payments" class="card filters">
      <SelectField
        name="pos"
        label="Point of sale"
        value={query.pos}
        options={pointsOfSale.map(({ id, name, accountName }) => ({
          value: id,
          label: `${name} (${accountName})`,
        }))}
      />
      <SelectField
        name="status"
        label="Status"
        value={query.status}
        options={[{ value: '', label: 'any' }, ...STATUSES.map((value) => ({ value, label: value }))]}
      />
      <TextField name="reference" label="Reference" value={query.reference} maxlength={400} />
      <TextField name="from" label="From (UTC)" type="date" value={query.from} />
      <TextField name="to" label="To (UTC)" type="date" value={query.to} />
      <button class="button">Show</button>
    </form>
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

export function PaymentStatus({ status }: { status: HistoryStatus }): VNode {
  return <StateMark tone={TONES[status]}>{status}</StateMark>;
}
