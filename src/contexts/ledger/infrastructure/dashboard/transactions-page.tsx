import type { VNode } from 'preact';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { RefusalNotice, type ShownRefusal } from '#shared/web/dashboard/form-parts.js';
import { hrefWith, Pager } from '#shared/web/dashboard/list-parts.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';
import type { TransactionView } from '../../application/transaction-view.js';
import { periodsAt } from './periods.js';
import type { TransactionsPageQuery } from './transactions-page.query.js';
import { FILTER_FIELDS, TransactionFilters } from './transaction-filters.js';
import { TransactionTable } from './transaction-table.js';

interface TransactionsProps extends PageRequest, Page<TransactionView> {
  readonly visitor: PageVisitor;
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

export function transactionsPage(props: TransactionsProps): VNode {
  const { visitor, now, query, zone, accounts, networkName, explorerOf, refusal, items, ...paging } = props;
  const { page: _, ...filters } = query;
  const isFiltered = Object.entries(filters).some(([name, value]) => value && name !== 'zone');
  return (
    <DashboardPage
      visitor={visitor}
      title="Transactions"
      place={PATH}
      actions={
        <a class="button primary" href={hrefWith('/app/transactions.csv', filters)} download>
          Download CSV
        </a>
      }
    >
      <RefusalNotice refusal={refusal} fields={FILTER_FIELDS} />
      <Periods now={now} zone={zone} query={query} />
      <TransactionFilters query={query} zone={zone} accounts={accounts} refusal={refusal} />
      <TransactionTable
        items={items}
        zone={zone}
        networkName={networkName}
        explorerOf={explorerOf}
        empty={
          isFiltered || paging.page > 1
            ? 'No transaction matches these filters.'
            : 'Nothing has been booked yet. What payers send stands here once it is final.'
        }
      />
      <Pager path={PATH} query={filters} {...paging} />
    </DashboardPage>
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
