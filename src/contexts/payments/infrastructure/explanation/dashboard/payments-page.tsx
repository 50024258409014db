import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { formatAmount } from '#shared/kernel/amount.js';
import type { Choices } from '#shared/kernel/page.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import {
  ALL_OPTION,
  type FormFields,
  createPointOfSaleField,
  HIDDEN_FIELD,
  type ShownRefusal,
  createStatusFilter,
  type TypedFields,
} from '#shared/web/dashboard/form-fields.js';
import { type Column, hrefWith, type ListedPage, ListPage } from '#shared/web/dashboard/list-page.js';
import { LANGUAGE, t } from '#shared/web/dashboard/words/text.js';
import { readableAmount } from '#shared/web/formatting/shown-amounts.js';
import { Badge, PaymentBadge } from '#shared/web/parts/badge.js';
import { Money, Name, When } from '#shared/web/parts/values.js';
import type { NamedPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { ListedPaymentRequest } from '#contexts/payments/application/requests/payment-request-view.js';
import { isEnded, OPEN_STATUSES, type HistoryStatus } from '#contexts/payments/domain/requests/status.js';
import type { DeliveryRecord } from '#contexts/payments/contract/delivery-records.js';
import {
  PAYMENT_REQUEST_STATUSES,
  type PaymentRequestStatus,
} from '#contexts/payments/contract/payment-request-events.js';
import {
  DashboardPageQuery,
  DayOrEmpty,
  TypedText,
} from '#shared/platform/http/dashboard/dashboard-query.js';
import { OneOf } from '#shared/platform/http/validation/field-rules.js';
import {
  MAX_COUNTED_REQUESTS,
  type FoundPaymentRequests,
} from '../../requests/persistence/views/listed-payment-requests.js';
import type { SavedFilter } from '../persistence/saved-filters.js';
import { SavedFilterForms } from './saved-filter-forms.js';

export class PaymentsQuery extends DashboardPageQuery {
  @TypedText() pos?: string;
  @OneOf(['', 'open', ...PAYMENT_REQUEST_STATUSES], { optional: true })
  status?: '' | 'open' | PaymentRequestStatus;
  @TypedText() reference?: string;
  /** Days in UTC. Both are inclusive. */
  @DayOrEmpty() from?: string;
  @DayOrEmpty() to?: string;
}

interface PaymentsProps extends ListedPage<ListedPaymentRequest> {
  readonly points: Choices<NamedPointOfSale>;
  readonly deliveries: ReadonlyMap<PaymentRequestId, DeliveryRecord>;
  readonly query: PaymentsQuery;
  /** Absent if the filters are refused. */
  readonly counts: FoundPaymentRequests['counts'] | undefined;
  readonly saved: readonly SavedFilter[];
  readonly refusal?: ShownRefusal | undefined;
}

const FILTERS = {
  pos: { kind: 'choice', label: 'Point of sale' },
  status: HIDDEN_FIELD,
  reference: { label: 'Order number begins with', maxlength: 400, exact: true },
  from: { kind: 'date', label: 'From (UTC)' },
  to: { kind: 'date', label: 'To (UTC)' },
} satisfies FormFields;

const TABS = {
  field: 'status',
  options: createStatusFilter(['open', 'completed', 'underpaid', 'overpaid', 'expired', 'failed']).options,
} as const;

export function paymentsPage({ points, deliveries, query, counts, saved, ...list }: PaymentsProps): VNode {
  const filters = filtersOf(query);
  const links = saved.map(({ name, query: of }) => ({ name, href: `/app/payments?${of}` }));
  const current = links.find(({ href }) => href === hrefWith('/app/payments', filters));
  return (
    <ListPage
      {...list}
      most={MAX_COUNTED_REQUESTS}
      place="/app/payments"
      create={{ path: '/app/links/new', label: 'Create payment link' }}
      filters={FILTERS}
      tabs={{ ...TABS, links, ...(counts && { counts: toTabCounts(counts) }) }}
      filterActions={<SavedFilterForms name={current?.name} query={filters} />}
      download="/app/payments.csv"
      query={filters}
      known={{ pos: createPointOfSaleField(points, query.pos, ALL_OPTION) }}
      caption="Payment requests, newest first"
      noMatch={{
        title: 'No payment requests match.',
        note: 'References are found by their beginning. Days are in UTC.',
      }}
      empty={{
        title: 'No payment requests yet.',
        note: 'Payment requests are created by the API, a checkout or a payment link.',
      }}
      columns={[
        {
          title: 'Payment',
          wide: true,
          brief: true,
          cell: ({ id, referenceId }) => <Name name={referenceId} id={id} href={`/app/payments/${id}`} />,
        },
        { title: 'Amount', numeric: true, brief: true, cell: (request) => <PaymentAmount {...request} /> },
        {
          title: 'Status',
          brief: true,
          cell: (request) => (
            <PaymentStatus {...request} refundState={deliveries.get(request.id)?.refundState} />
          ),
        },
        ...(points.total > 1 && !query.pos ? [POINT_OF_SALE_COLUMN] : []),
        { title: 'Created', brief: true, cell: ({ createdAt }) => <When at={createdAt} /> },
        { title: 'Expires', cell: (request) => <RequestExpiry {...request} /> },
      ]}
    />
  );
}

/** Returns the filters in a fixed order, so that equal filters have equal URLs. */
export function filtersOf({ pos, status, reference, from, to }: TypedFields<typeof FILTERS>) {
  return { pos, status, reference, from, to };
}

function toTabCounts(counts: FoundPaymentRequests['counts']) {
  const countOf = (statuses: readonly PaymentRequestStatus[]) =>
    statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  return { ...counts, '': countOf(PAYMENT_REQUEST_STATUSES), open: countOf(OPEN_STATUSES) };
}

const POINT_OF_SALE_COLUMN: Column<ListedPaymentRequest> = {
  title: 'Point of sale',
  cell: ({ pointOfSaleId: id, pointOfSaleName }) => (
    <Name name={pointOfSaleName} id={id} href={`/app/points-of-sale/${id}`} />
  ),
};

export function RequestedAmount(request: Pick<ListedPaymentRequest, 'asked' | 'checkout'>): VNode {
  const { asked, checkout } = request;
  if (asked !== undefined)
    return <Money amount={asked.amount} decimals={asked.decimals} symbol={asked.currency} />;
  return checkout === undefined ? <>–</> : <Money amount={checkout.amount} symbol={checkout.coinCode} />;
}

function PaymentAmount(request: ListedPaymentRequest): VNode {
  const language = useContext(LANGUAGE);
  const { asked, receivedAmount } = request;
  const amount = <RequestedAmount {...request} />;
  if (asked === undefined || receivedAmount === 0n || receivedAmount === asked.amount) return amount;
  const received = readableAmount(formatAmount(receivedAmount, asked.decimals), asked.currency, language);
  return t('{received} of {amount}', { received, amount });
}

/** An ended request can no longer expire. */
function RequestExpiry({ status, expiresAt }: ListedPaymentRequest): VNode {
  return isEnded(status) ? <>–</> : <When at={expiresAt} />;
}

interface PaymentStatusProps extends Pick<DeliveryRecord, 'refundState'> {
  readonly status: HistoryStatus;
  readonly fulfilled?: boolean;
}

export function PaymentStatus({ status, fulfilled, refundState }: PaymentStatusProps): VNode {
  return (
    <>
      <PaymentBadge status={status} /> {refundState && <Badge status={refundState} />}
      {status === 'underpaid' && fulfilled === true && <span class="note"> {t('accepted')}</span>}
    </>
  );
}
