import type { VNode } from 'preact';
import type { Choices } from '#shared/kernel/page.js';
import {
  accountChoice,
  ALL,
  TIME_ZONE,
  type FormFields,
  type ShownRefusal,
  wordOptions,
} from '#shared/web/dashboard/form-fields.js';
import { ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { hrefWith } from '#shared/web/dashboard/list-parts.js';
import { t, useWords } from '#shared/web/dashboard/words/text.js';
import { statusWord } from '#shared/web/parts/badge.js';
import { EmptyState } from '#shared/web/parts/empty-state.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';
import type { TransactionView } from '../../application/transaction-view.js';
import { TRANSACTION_STATUSES } from '../../domain/transaction.js';
import { rangesAt } from './ranges.js';
import { transactionColumns, TYPE_WORDS } from './transaction-columns.js';
import type { TransactionsPageQuery } from './transactions-page.query.js';

interface TransactionsProps extends Listed<TransactionView> {
  readonly now: Date;
  readonly query: TransactionsPageQuery;
  /** Time zone of the filters and of displayed times. */
  readonly zone: string;
  readonly accounts: Choices<NamedAccount>;
  readonly networkName: (network: string) => string;
  readonly explorerOf: (network: string) => string | undefined;
  readonly refusal?: ShownRefusal | undefined;
}

const PATH = '/app/transactions';

const FILTERS = {
  from: { kind: 'date', label: 'From' },
  to: { kind: 'date', label: 'Until' },
  zone: TIME_ZONE,
  type: { kind: 'choice', label: 'Type', options: [ALL, ...wordOptions(TYPE_WORDS)] },
  status: {
    kind: 'choice',
    label: 'Status',
    options: [ALL, ...TRANSACTION_STATUSES.map((word) => ({ value: word, label: statusWord(word) }))],
  },
  account: { kind: 'choice', label: 'Account' },
  reference_id: { label: 'Your order number' },
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
      actions={
        <a class="button primary" href={hrefWith('/app/transactions.csv', filters)} download>
          {t('Download CSV')}
        </a>
      }
      filters={FILTERS}
      query={filters}
      known={{ account: accountChoice(accounts, query.account, ALL) }}
      caption="Transactions, newest first"
      empty={<NoTransactions isFiltered={isFiltered || list.page > 1} />}
      columns={transactionColumns(networkName, explorerOf)}
    >
      <Ranges now={now} zone={zone} query={query} />
    </ListPage>
  );
}

function NoTransactions({ isFiltered }: { isFiltered: boolean }): VNode {
  if (isFiltered)
    return (
      <EmptyState title="No transactions match these filters." action={{ href: PATH, label: 'Show all' }} />
    );
  return (
    <EmptyState title="No transactions yet." action={{ href: '/app/payments', label: 'Payments' }}>
      {t('Payments appear here when they are final.')}
    </EmptyState>
  );
}

function Ranges({ now, zone, query }: Pick<TransactionsProps, 'now' | 'zone' | 'query'>): VNode {
  const words = useWords();
  const { page: _, ...filters } = query;
  return (
    <nav class="actions" aria-label={words('Date ranges')}>
      {rangesAt(now, zone).map(({ label, from, to }) => (
        <a
          class="button"
          href={hrefWith(PATH, { ...filters, from, to })}
          {...(from === query.from && to === query.to ? { 'aria-current': 'true' as const } : {})}
        >
          {t(label)}
        </a>
      ))}
      <a class="button" href={hrefWith(PATH, { ...filters, from: undefined, to: undefined })}>
        {t('All time')}
      </a>
    </nav>
  );
}
