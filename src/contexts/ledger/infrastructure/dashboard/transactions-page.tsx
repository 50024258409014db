import type { VNode } from 'preact';
import type { Choices } from '#shared/kernel/page.js';
import {
  createMerchantAccountField,
  ALL_OPTION,
  type FormFields,
  type FormErrors,
  createStatusFilter,
  UNRENDERED_FIELD,
  createTimeZoneField,
  toOptions,
} from '#shared/web/dashboard/form-fields.js';
import { type Column, hrefWith, type ListPageData, ListPage } from '#shared/web/dashboard/list-page.js';
import { t, useTranslator, type Word } from '#shared/web/dashboard/words/text.js';
import { StatusBadge } from '#shared/web/parts/status-badge.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';
import type { TransactionView } from '../../application/transaction-view.js';
import {
  type TransactionPartyType,
  TRANSACTION_STATUSES,
  type TransactionType,
} from '../../domain/transaction.js';
import { dayRangesAt } from './ranges.js';
import type { TransactionsPageQuery } from './transactions-page.query.js';
import { NOT_TRANSLATED } from '#shared/web/parts/detail-item.js';
import { AmountText, RecordName, ShortId, TimeText } from '#shared/web/parts/values.js';

interface TransactionsProps extends ListPageData<TransactionView> {
  readonly now: Date;
  readonly query: TransactionsPageQuery;
  readonly zone: string;
  readonly accounts: Choices<NamedAccount>;
  readonly networkName: (network: string) => string;
  readonly explorerOf: (network: string) => string | undefined;
  readonly refusal?: FormErrors | undefined;
}

const PATH = '/app/transactions';

const TYPE_WORDS = {
  payment_in: 'Incoming payment',
  payment_out: 'Outgoing payment',
  deposit: 'Unexpected payment',
  withdraw: 'Withdrawal',
  refund: 'Refund',
  adjustment: 'Adjustment',
  swap: 'Swap',
  dry_run: 'Test record',
} satisfies Record<TransactionType, Word>;

const FILTER_WORDS = {
  ...TYPE_WORDS,
  deposit: 'Unexpected payment or float top-up',
} satisfies Record<TransactionType, Word>;

/** The API gives their amounts without a sign. */
const OUTFLOW_TYPES: readonly TransactionType[] = ['payment_out', 'withdraw', 'refund'];

const FILTERS = {
  from: { kind: 'date', label: 'From' },
  to: { kind: 'date', label: 'Until' },
  zone: { kind: 'choice', label: 'Time zone' },
  type: { kind: 'choice', label: 'Type', options: [ALL_OPTION, ...toOptions(FILTER_WORDS)] },
  status: createStatusFilter(TRANSACTION_STATUSES),
  account: { kind: 'choice', label: 'Account' },
  reference_id: { label: 'Your order number' },
  transaction: { ...UNRENDERED_FIELD, label: 'Transaction' },
} satisfies FormFields;

export function transactionsPage(props: TransactionsProps): VNode {
  const { now, query, zone, accounts, networkName, explorerOf, ...list } = props;
  const { page: _, ...filters } = query;
  const isFiltered = Object.entries(filters).some(([name, value]) => value && name !== 'zone');
  return (
    <ListPage
      {...list}
      place={PATH}
      zone={zone}
      download="/app/transactions.csv"
      filters={FILTERS}
      query={filters}
      known={{
        account: createMerchantAccountField(accounts, query.account, ALL_OPTION),
        zone: createTimeZoneField(list.visitor.timeZone, query.zone),
      }}
      caption="Transactions, newest first"
      isFiltered={isFiltered || list.page > 1}
      noMatch={{ title: 'No transactions match these filters.' }}
      empty={{
        title: 'No transactions yet.',
        note: 'Payments appear here when they are final.',
        action: { href: '/app/payments', label: 'Payments' },
      }}
      columns={transactionColumns(networkName, explorerOf)}
    >
      <DayRangeLinks now={now} zone={zone} query={query} />
    </ListPage>
  );
}

function DayRangeLinks({ now, zone, query }: Pick<TransactionsProps, 'now' | 'zone' | 'query'>): VNode {
  const words = useTranslator();
  const { page: _, ...filters } = query;
  return (
    <nav class="actions" aria-label={words('Date ranges')}>
      {dayRangesAt(now, zone).map(({ label, from, to }) => (
        <a
          class="button"
          href={hrefWith(PATH, { ...filters, from, to })}
          {...(from === query.from && to === query.to ? { 'aria-current': 'true' as const } : {})}
        >
          {t(label)}
        </a>
      ))}
      <a
        class="button"
        href={hrefWith(PATH, { ...filters, from: undefined, to: undefined })}
        {...(!query.from && !query.to ? { 'aria-current': 'true' as const } : {})}
      >
        {t('All time')}
      </a>
    </nav>
  );
}

export function transactionColumns(
  networkName: (network: string) => string,
  explorerOf: (network: string) => string | undefined,
): Column<TransactionView>[] {
  return [
    { title: 'Type', brief: true, cell: (view) => <TransactionDetails view={view} /> },
    {
      title: 'Gross',
      numeric: true,
      brief: true,
      cell: (view) => <TransactionAmount view={view} amount={view.grossAmount} />,
    },
    {
      title: 'Fee',
      numeric: true,
      roomy: true,
      cell: (view) => <ServiceFee view={view} />,
    },
    {
      title: 'Net',
      numeric: true,
      cell: (view) => <TransactionAmount view={view} amount={view.netAmount} />,
    },
    { title: 'Status', brief: true, cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Payment', wide: true, cell: (view) => <PaymentReference view={view} /> },
    { title: 'Network', cell: ({ network }) => (network === null ? <>–</> : networkName(network)) },
    {
      title: 'Transaction',
      cell: ({ transactionHash, network }) => (
        <TransactionHash
          value={transactionHash}
          explorer={network === null ? undefined : explorerOf(network)}
        />
      ),
    },
    { title: 'Recorded', brief: true, cell: ({ createdAt }) => <TimeText at={createdAt} exact /> },
  ];
}

const ENDPOINT_WORDS = {
  wallet: 'wallet',
  vault: 'vault',
  settlement_address: 'settlement address',
} satisfies Record<TransactionPartyType, Word>;

function TransactionAmount({ view, amount }: { view: TransactionView; amount: bigint }): VNode {
  const signed = OUTFLOW_TYPES.includes(view.type) ? -amount : amount;
  return <AmountText amount={signed} decimals={view.decimals} symbol={view.currency} />;
}

/** The fee of a payment is charged when the payment is booked. Its settlement does not repeat the fee. */
function ServiceFee({ view }: { view: TransactionView }): VNode {
  const { type, grossAmount, netAmount, decimals, currency } = view;
  if (OUTFLOW_TYPES.includes(type) || grossAmount === netAmount) return <>–</>;
  return <AmountText amount={grossAmount - netAmount} decimals={decimals} symbol={currency} isBare />;
}

function TransactionHash({ value, explorer }: { value: string | null; explorer: string | undefined }): VNode {
  return value === null ? <>–</> : <ShortId kind="tx" value={value} explorer={explorer} />;
}

/** Withdrawals without a settlement are from a refund float, deposits without a payment request are to one. */
function nameOf({ type, settlementId, paymentRequestId }: TransactionView): Word {
  if (type === 'withdraw' && settlementId !== null) return 'Settlement';
  if (type === 'deposit' && paymentRequestId === null) return 'Float top-up';
  return TYPE_WORDS[type];
}

function TransactionDetails({ view }: { view: TransactionView }): VNode {
  return (
    <details>
      <summary>
        {t(nameOf(view))}
        {view.bookedFor !== null && <span class="note"> {t('for {month}', { month: view.bookedFor })}</span>}
      </summary>
      <p>
        {t('From: {place} {address}', {
          place: t(ENDPOINT_WORDS[view.fromType]),
          address: <code {...NOT_TRANSLATED}>{view.from}</code>,
        })}
      </p>
      <p>
        {t('To: {place} {address}', {
          place: t(ENDPOINT_WORDS[view.toType]),
          address: <code {...NOT_TRANSLATED}>{view.to}</code>,
        })}
      </p>
      {view.settlementId !== null && (
        <p>
          <a href={`/app/search?q=${view.settlementId}`}>{t('Settlement')}</a>
        </p>
      )}
    </details>
  );
}

function PaymentReference({ view: { paymentRequestId: id, referenceId } }: { view: TransactionView }): VNode {
  return id === null ? <>–</> : <RecordName name={referenceId} id={id} href={`/app/payments/${id}`} />;
}
