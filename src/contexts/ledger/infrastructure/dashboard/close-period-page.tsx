import type { VNode } from 'preact';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { FormCard } from '#shared/web/dashboard/form-parts.js';
import { EmptyState, ListTable } from '#shared/web/dashboard/list-page.js';
import { DetailList } from '#shared/web/dashboard/page-parts.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { CountText, AmountText } from '#shared/web/parts/values.js';
import type { PeriodFundsInFlight } from '../persistence/period-queries.js';
import type { StatementView } from '../persistence/statements.js';
import { PERIOD_FIELDS } from './periods-page.js';
import { COLUMNS_NOTE, PAGE_SIZE, statementColumns } from './statements-page.js';

interface ClosePeriodProps {
  readonly visitor: PageUser;
  /** The month to close, YYYY-MM. */
  readonly period: string;
  /** Statements of the month, by account and asset. */
  readonly statements: readonly StatementView[];
  /** Names of the accounts in the statements. */
  readonly names: ReadonlyMap<string, string | null>;
  readonly inFlight: PeriodFundsInFlight;
  readonly nameOf: (uniqueAssetId: string) => {
    readonly symbol: string;
    readonly decimals: number;
    readonly network?: string;
  };
}

/** Shows the statements that become final, and asks for confirmation. */
export function closePeriodPage(props: ClosePeriodProps): VNode {
  const { visitor, period, statements, names } = props;
  const title = t('Close {month}', { month: period });
  return (
    <DashboardPage visitor={visitor} title={title} place="/app/periods">
      <ListTable
        caption={t('Statements for {month}', { month: period })}
        items={statements.slice(0, PAGE_SIZE)}
        columns={statementColumns(names)}
        empty={<EmptyState title="No transactions up to this month." />}
      />
      <p class="note">{t(COLUMNS_NOTE)}</p>
      {statements.length > PAGE_SIZE && (
        <a href={`/app/statements?month=${period}`}>{t('Statements for {month}', { month: period })}</a>
      )}
      <FundsInFlight {...props} />
      <FormCard
        title={title}
        note="A closed month does not change. Later corrections are recorded in the first open month and marked."
        action="/app/periods/close"
        fields={PERIOD_FIELDS}
        values={{ period }}
        button={title}
        look="primary"
        cancel="/app/periods"
      />
    </DashboardPage>
  );
}

/** Displays funds in flight. They do not prevent closing a month; they remain in its closing balance. */
function FundsInFlight({ inFlight: { settling, sending, arriving }, nameOf }: ClosePeriodProps): VNode {
  const amounts = settling.map(({ uniqueAssetId, amount }) => {
    const { symbol, decimals, network } = nameOf(uniqueAssetId);
    return (
      <div>
        <AmountText amount={amount} decimals={decimals} symbol={symbol} />
        {network !== undefined && <span class="note"> {t('on {network}', { network })}</span>}
      </div>
    );
  });
  return (
    <section class="card" aria-labelledby="in-flight">
      <h2 id="in-flight">{t('In progress')}</h2>
      <DetailList
        facts={{
          'Received, not recorded yet': t('{count} transfer|{count} transfers', { count: arriving }),
          'Being settled': amounts.length === 0 ? t('none') : amounts,
          'Refunds and withdrawals in progress': <CountText of={sending} />,
        }}
      />
      <p class="note">
        {t(
          'You can close a month while transfers are in progress. They stay in the closing balance and are recorded in the month in which they complete.',
        )}
      </p>
    </section>
  );
}
