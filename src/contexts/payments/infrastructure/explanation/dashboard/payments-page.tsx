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
  type FormErrors,
  createStatusFilter,
  type SubmittedFields,
} from '#shared/web/dashboard/form-fields.js';
import { type Column, hrefWith, type ListPageData, ListPage } from '#shared/web/dashboard/list-page.js';
import { LANGUAGE_CONTEXT, t } from '#shared/web/dashboard/words/text.js';
import { readableAmount } from '#shared/web/formatting/shown-amounts.js';
import { StatusBadge, PaymentBadge } from '#shared/web/parts/status-badge.js';
import { AmountText, RecordName, TimeText } from '#shared/web/parts/values.js';
import type { NamedPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { ListedPaymentRequest } from '#contexts/payments/application/requests/payment-request-view.js';
import { isEnded, OPEN_STATUSES, type HistoryStatus } from '#contexts/payments/domain/requests/status.js';
import type { SettlementAndRefunds } from '#contexts/payments/contract/settlement-and-refund-records.js';
import {
  PAYMENT_REQUEST_STATUSES,
  type PaymentRequestStatus,
} from '#contexts/payments/contract/payment-request-events.js';
import {
  DashboardPageQuery,
  IsDayOrEmpty,
  IsEnteredText,
} from '#shared/platform/http/dashboard/dashboard-query.js';
import { IsOneOf } from '#shared/platform/http/validation/field-rules.js';
import {
  MAX_COUNTED_REQUESTS,
  type FoundPaymentRequests,
} from '../../requests/persistence/views/payment-request-list-queries.js';
import type { SavedFilter } from '../persistence/saved-filters.js';
import { SavedFilterForms } from './saved-filter-forms.js';

export class PaymentsQuery extends DashboardPageQuery {
  @IsEnteredText() pos?: string;
  @IsOneOf(['', 'open', ...PAYMENT_REQUEST_STATUSES], { optional: true })
  status?: '' | 'open' | PaymentRequestStatus;
  @IsEnteredText() reference?: string;
  /** Days in UTC. Both are inclusive. */
  @IsDayOrEmpty() from?: string;
  @IsDayOrEmpty() to?: string;
}

interface PaymentsProps extends ListPageData<ListedPaymentRequest> {
  readonly points: Choices<NamedPointOfSale>;
  readonly deliveries: ReadonlyMap<PaymentRequestId, SettlementAndRefunds>;
  readonly query: PaymentsQuery;
  /** Absent if the filters are refused. */
  readonly counts: FoundPaymentRequests['counts'] | undefined;
  readonly saved: readonly SavedFilter[];
  readonly refusal?: FormErrors | undefined;
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
          cell: ({ id, referenceId }) => (
            <RecordName name={referenceId} id={id} href={`/app/payments/${id}`} />
          ),
        },
        { title: 'Amount', numeric: true, brief: true, cell: (request) => <PaymentAmount {...request} /> },
        {
          title: 'Status',
          brief: true,
          cell: (request) => (
            <PaymentStatusBadges {...request} refundState={deliveries.get(request.id)?.refundState} />
          ),
        },
        ...(points.total > 1 && !query.pos ? [POINT_OF_SALE_COLUMN] : []),
        { title: 'Created', brief: true, cell: ({ createdAt }) => <TimeText at={createdAt} /> },
        { title: 'Expires', cell: (request) => <RequestExpiry {...request} /> },
      ]}
    />
  );
}

/** Returns the filters in a fixed order, so that equal filters have equal URLs. */
export function filtersOf({ pos, status, reference, from, to }: SubmittedFields<typeof FILTERS>) {
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
    <RecordName name={pointOfSaleName} id={id} href={`/app/points-of-sale/${id}`} />
  ),
};

export function RequestedAmount(request: Pick<ListedPaymentRequest, 'asked' | 'checkout'>): VNode {
  const { asked, checkout } = request;
  if (asked !== undefined)
    return <AmountText amount={asked.amount} decimals={asked.decimals} symbol={asked.currency} />;
  return checkout === undefined ? <>–</> : <AmountText amount={checkout.amount} symbol={checkout.coinCode} />;
}

function PaymentAmount(request: ListedPaymentRequest): VNode {
  const language = useContext(LANGUAGE_CONTEXT);
  const { asked, receivedAmount } = request;
  const amount = <RequestedAmount {...request} />;
  if (asked === undefined || receivedAmount === 0n || receivedAmount === asked.amount) return amount;
  const received = readableAmount(formatAmount(receivedAmount, asked.decimals), asked.currency, language);
  return t('{received} of {amount}', { received, amount });
}

/** An ended request can no longer expire. */
function RequestExpiry({ status, expiresAt }: ListedPaymentRequest): VNode {
  return isEnded(status) ? <>–</> : <TimeText at={expiresAt} />;
}

interface PaymentStatusProps extends Pick<SettlementAndRefunds, 'refundState'> {
  readonly status: HistoryStatus;
  readonly fulfilled?: boolean;
}

export function PaymentStatusBadges({ status, fulfilled, refundState }: PaymentStatusProps): VNode {
  return (
    <>
      <PaymentBadge status={status} /> {refundState && <StatusBadge status={refundState} />}
      {status === 'underpaid' && fulfilled === true && <span class="note"> {t('accepted')}</span>}
    </>
  );
}
