import type { VNode } from 'preact';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { type FormActionOutcome, HIDDEN_FIELD } from '#shared/web/dashboard/form-fields.js';
import { FormWithErrors, FormErrorNotice } from '#shared/web/dashboard/form-parts.js';
import { CompletedActionNotice, LinkButton } from '#shared/web/dashboard/page-parts.js';
import { EmptyState, ListTable } from '#shared/web/dashboard/list-page.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { StatusBadge } from '#shared/web/parts/status-badge.js';
import { TimeText } from '#shared/web/parts/values.js';
import { type BooksState, nextToClose } from '../../domain/periods/closing-rule.js';
import { addMonths, type Period, periodOf } from '../../domain/periods/period.js';
import type { ClosedPeriod } from '../persistence/period-queries.js';

export const PERIOD_FIELDS = { period: HIDDEN_FIELD } as const;

interface PeriodsProps extends FormActionOutcome {
  readonly visitor: PageUser;
  /** State of the books. Null if nothing was booked yet. */
  readonly books: BooksState | null;
  readonly closed: readonly ClosedPeriod[];
}

const PATH = '/app/periods';
const NOTICES = {
  closed: 'Month closed.',
  reopened: 'Month reopened.',
} satisfies Record<string, Word>;

export function periodsPage(props: PeriodsProps): VNode {
  const { visitor, books, done, sent } = props;
  return (
    <DashboardPage visitor={visitor} title="Periods" place={PATH}>
      <CompletedActionNotice done={done} notices={NOTICES} />
      <FormErrorNotice refusal={sent?.refusal} />
      <p class="note">
        {t('A month can be closed when it has ended and has transactions.')}{' '}
        {t('Owners close months in order and can reopen the last closed month.')}{' '}
        {t(
          'A closed month does not change. Later corrections are recorded in the first open month and marked.',
        )}
      </p>
      <ListTable
        caption="Months, newest first"
        items={books === null ? [] : monthsOf(books)}
        empty={
          <EmptyState
            title="No transactions yet."
            action={{ href: '/app/payments', label: 'View payments' }}
          />
        }
        columns={[
          {
            title: 'Month (UTC)',
            cell: (period) => <a href={`/app/statements?month=${period}`}>{period}</a>,
          },
          { title: 'Status', cell: (period) => <MonthStatus {...props} period={period} /> },
          { title: 'Closed', cell: (period) => <ClosedByPerson {...props} period={period} /> },
          { title: 'Action', cell: (period) => <CloseOrReopenForm {...props} period={period} /> },
        ]}
      />
    </DashboardPage>
  );
}

/** Lists the months since the first entry, newest first, including the current month. */
function monthsOf({ now, first }: BooksState): Period[] {
  const months: Period[] = [];
  for (let month = periodOf(now); month >= first && months.length < 1_200; month = addMonths(month, -1))
    months.push(month);
  return months;
}

type MonthProps = PeriodsProps & { readonly period: Period };

function MonthStatus({ closed, period }: MonthProps): VNode {
  return <StatusBadge status={closed.some((each) => each.period === period) ? 'closed' : 'open'} />;
}

function ClosedByPerson({ closed, period }: MonthProps): VNode {
  const act = closed.find((each) => each.period === period);
  if (act === undefined) return <span class="note">–</span>;
  return t('{time} by {person}', {
    time: <TimeText at={act.closedAt} />,
    person: <bdi>{act.closedBy}</bdi>,
  });
}

function CloseOrReopenForm({ visitor, books, period }: MonthProps): VNode {
  const isNext = books !== null && nextToClose(books) === period;
  const isLast = books?.lastClosed === period;
  if (!hasPermission(visitor.role, 'manage_books') || !(isNext || isLast)) return <span class="note">–</span>;
  if (isNext)
    return (
      <LinkButton href={`${PATH}/close?period=${period}`} label={t('Close {month}', { month: period })} />
    );
  return (
    <FormWithErrors action={`${PATH}/reopen`} fields={PERIOD_FIELDS} values={{ period }}>
      <button class="button">{t('Reopen {month}', { month: period })}</button>
    </FormWithErrors>
  );
}
