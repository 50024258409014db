import type { VNode } from 'preact';
import {
  accountOptions,
  ALL,
  type FormFields,
  type ShownRefusal,
} from '#shared/web/dashboard/form-fields.js';
import { ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { hrefWith } from '#shared/web/dashboard/list-parts.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';
import type { TransactionView } from '../../application/transaction-view.js';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../domain/transaction.js';
import { periodsAt } from './periods.js';
import { shownWord, transactionColumns } from './transaction-columns.js';
import type { TransactionsPageQuery } from './transactions-page.query.js';

interface TransactionsProps extends Listed<TransactionView> {
  readonly now: Date;
  readonly query: TransactionsPageQuery;
  /** The filters' days and the shown times are in this zone. */
  readonly zone: string;
  readonly accounts: readonly NamedAccount[];
  readonly networkName: (network: string) => string;
  readonly explorerOf: (network: string) => string | undefined;
  readonly refusal?: ShownRefusal | undefined;
}

const PATH = '/app/transactions';
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];

const FILTERS = {
  from: { kind: 'date', label: 'From' },
  to: { kind: 'date', label: 'To' },
  zone: { kind: 'choice', label: 'Time zone' },
  type: { kind: 'choice', label: 'Type', options: orAny(TRANSACTION_TYPES) },
  status: { kind: 'choice', label: 'Status', options: orAny(TRANSACTION_STATUSES) },
  account: { kind: 'choice', label: 'Account' },
  reference_id: { label: 'Your order id' },
} satisfies FormFields;

export function transactionsPage(props: TransactionsProps): VNode {
  const { now, query, zone, accounts, networkName, explorerOf, ...list } = props;
  const { page: _, ...filters } = query;
  const isFiltered = Object.entries(filters).some(([name, value]) => value && name !== 'zone');
  const zones = ZONES.includes(zone) ? ZONES : [zone, ...ZONES];
  return (
    <ListPage
      {...list}
      place={PATH}
      actions={
        <a class="button primary" href={hrefWith('/app/transactions.csv', filters)} download>
          Download CSV
        </a>
      }
      filters={FILTERS}
      query={filters}
      known={{
        zone: { options: zones.map((name) => ({ value: name, label: name })) },
        account: { options: [ALL, ...accountOptions(accounts)] },
      }}
      caption="Transactions, newest first"
      empty={
        isFiltered || list.page > 1
          ? 'No transaction matches these filters.'
          : 'Nothing has been booked yet. What payers send stands here once it is final.'
      }
      columns={transactionColumns(zone, networkName, explorerOf)}
    >
      <Periods now={now} zone={zone} query={query} />
    </ListPage>
  );
}

/** The filters stay as they are but for the days. */
function Periods({ now, zone, query }: Pick<TransactionsProps, 'now' | 'zone' | 'query'>): VNode {
  const { page: _, ...filters } = query;
  return (
    <nav class="actions" aria-label="Periods">
      {periodsAt(now, zone).map(({ label, from, to }) => (
        <a
          class="button"
          href={hrefWith(PATH, { ...filters, from, to })}
          {...(from === query.from && to === query.to ? { 'aria-current': 'true' as const } : {})}
        >
          {label}
        </a>
      ))}
      <a class="button" href={hrefWith(PATH, { ...filters, from: undefined, to: undefined })}>
        All times
      </a>
    </nav>
  );
}

function orAny(words: readonly string[]) {
  return [ALL, ...words.map((word) => ({ value: word, label: shownWord(word) }))];
}
