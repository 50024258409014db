import type { VNode } from 'preact';
import type { Choices } from '#shared/kernel/page.js';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import { DashboardPage } from '#shared/web/dashboard/dashboard-page.js';
import {
  createMerchantAccountField,
  ALL_OPTION,
  type FormFields,
  type FormErrors,
} from '#shared/web/dashboard/form-fields.js';
import { FilterForm } from '#shared/web/dashboard/form-parts.js';
import {
  type Column,
  EmptyState,
  hrefWith,
  type ListPageData,
  ListTable,
  Pager,
} from '#shared/web/dashboard/list-page.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { AmountText, RecordName } from '#shared/web/parts/values.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';
import { DashboardPageQuery, IsEnteredText } from '#shared/platform/http/dashboard/dashboard-query.js';
import { STATEMENT_AMOUNT_NAMES } from '../persistence/journal-parts.sql.js';
import type { StatementView } from '../persistence/statements.js';

/** The controller validates the filters, so that the page can display errors beside the fields. */
export class StatementsPageQuery extends DashboardPageQuery {
  @IsEnteredText() month?: string;
  @IsEnteredText() account?: string;
}

interface StatementsProps extends ListPageData<StatementView> {
  readonly query: Omit<StatementsPageQuery, 'page'>;
  readonly accounts: Choices<NamedAccount>;
  readonly names: ReadonlyMap<string, string | null>;
  readonly refusal?: FormErrors | undefined;
}

const PATH = '/app/statements';
/** Keeps the page below 30 kB: each row has seven amounts. */
export const PAGE_SIZE = 10;
const FILTERS = {
  month: { kind: 'month', label: 'Month (UTC)', maxlength: 7 },
  account: { kind: 'choice', label: 'Account' },
} satisfies FormFields;
type AmountName = (typeof STATEMENT_AMOUNT_NAMES)[number];
const AMOUNT_TITLES: Record<AmountName, Word> = {
  opening: 'Opening',
  collected: 'Collected',
  fees: 'Fees',
  refunds: 'Refunds',
  settled: 'Settled',
  other: 'Other',
  closing: 'Closing',
};

export function statementsPage(props: StatementsProps): VNode {
  const { visitor, query, accounts, names, refusal, items, ...paging } = props;
  const caption = t('Statements for {month}', { month: query.month ?? '' });
  return (
    <DashboardPage
      {...{ visitor, actions: <DownloadLinks query={query} /> }}
      title="Statements"
      heading={caption}
      place={PATH}
    >
      <FilterForm
        fields={FILTERS}
        values={query}
        refusal={refusal}
        known={{ account: createMerchantAccountField(accounts, query.account, ALL_OPTION) }}
      />
      {refusal === undefined && (
        <ListTable
          caption={caption}
          items={items}
          columns={statementColumns(names)}
          empty={<NoStatements />}
        />
      )}
      <Pager path={PATH} query={{ ...query }} {...paging} />
      <p class="note">
        {t(COLUMNS_NOTE)} <a href="/app/periods">{t('Close months')}</a>
        {hasPermission(visitor.role, 'manage') && (
          <>
            {' · '}
            <a href={`${PATH}/currency`}>{t('Accounting currency')}</a>
          </>
        )}
      </p>
    </DashboardPage>
  );
}

function NoStatements(): VNode {
  return (
    <EmptyState
      title="No transactions up to this month."
      action={{ href: '/app/transactions', label: 'View all transactions' }}
    />
  );
}

export const COLUMNS_NOTE: Word =
  'The closing balance is the sum of the other columns. Other: top-ups of refund floats, withdrawals from them, their gas, and rounding.';

export function statementColumns(names: ReadonlyMap<string, string | null>): Column<StatementView>[] {
  const amountColumn = (name: AmountName): Column<StatementView> => ({
    title: AMOUNT_TITLES[name],
    numeric: true,
    cell: (view) => (
      <AmountText isShort amount={view[name]} decimals={view.decimals} symbol={view.currency} />
    ),
  });
  return [
    {
      title: 'Account',
      cell: ({ accountId }) => <RecordName name={names.get(accountId)} id={accountId} />,
    },
    { title: 'Asset', cell: ({ currency, uniqueAssetId }) => <span title={uniqueAssetId}>{currency}</span> },
    ...STATEMENT_AMOUNT_NAMES.map(amountColumn),
  ];
}

function DownloadLinks({ query }: { query: Readonly<Record<string, string | undefined>> }): VNode {
  const downloadLink = (path: string, label: Word) => (
    <a class="button" href={hrefWith(path, query)} download>
      {t(label)}
    </a>
  );
  return (
    <div class="actions">
      {downloadLink('/app/statements.csv', 'Statements (CSV)')}
      {downloadLink('/app/journal.csv', 'Journal (CSV)')}
      {downloadLink('/app/journal-xero.csv', 'Journal (Xero)')}
    </div>
  );
}
