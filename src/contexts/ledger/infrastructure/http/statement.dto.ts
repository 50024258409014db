import { formatAmount } from '#shared/kernel/amount.js';
import { answerFromView, AnswerField, UuidField } from '#shared/platform/http/answers/answer.js';
import { PageQuery } from '#shared/platform/http/answers/pagination.dto.js';
import { customRule } from '#shared/platform/http/validation/field-rules.js';
import { IsMerchantAccountFilter } from '#shared/platform/http/validation/shared-fields.js';
import type { CsvCell } from '#shared/platform/http/answers/csv.js';
import { IntersectionType } from '@nestjs/swagger';
import { isPeriod, PERIOD_PATTERN, PERIOD_FORMAT_MESSAGE, type Period } from '../../domain/periods/period.js';
import { STATEMENT_AMOUNT_NAMES } from '../persistence/journal-parts.sql.js';
import type { StatementView } from '../persistence/statements.js';

export class MonthQuery {
  @customRule(
    'month',
    PERIOD_FORMAT_MESSAGE,
    (value) => typeof value === 'string' && isPeriod(value),
    { type: String, pattern: PERIOD_PATTERN },
    { description: 'Month in UTC, as `YYYY-MM`.', example: '2026-01' },
  )
  month!: Period;

  @IsMerchantAccountFilter('records', '0193b2f4-1c2d-7e3f-8a4b-5c6d7e8f9a0b')
  accountID?: string;
}

export class StatementsQuery extends IntersectionType(PageQuery, MonthQuery) {}

const SIGNED_AMOUNT_DESCRIPTION = 'In whole units of the asset, with a minus sign if it reduces the balance.';

export class StatementDto {
  @AnswerField('Month in UTC, as `YYYY-MM`.', { example: '2026-01' })
  month!: string;

  @UuidField('Id of the account that the statement is for.')
  account_id!: string;

  @AnswerField({
    example: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    description: 'Unique id of the asset on its network.',
  })
  unique_asset_id!: string;

  @AnswerField({ example: 'USDC', description: 'Symbol of the asset.' })
  currency!: string;

  @AnswerField({
    example: '0',
    description:
      'Balance that the service held for the account at the start of the month, equal to `closing` of the ' +
      'month before, in whole units of the asset.',
  })
  opening!: string;

  @AnswerField({
    example: '25',
    description: `Amount received from payers, less reversed transfers. ${SIGNED_AMOUNT_DESCRIPTION}`,
  })
  collected!: string;

  @AnswerField({
    example: '-0.25',
    description: `Service fees charged on the collected amount. ${SIGNED_AMOUNT_DESCRIPTION}`,
  })
  fees!: string;

  @AnswerField({ example: '0', description: `Amount refunded. ${SIGNED_AMOUNT_DESCRIPTION}` })
  refunds!: string;

  @AnswerField({
    example: '-24.75',
    description: `Amount delivered to settlement addresses. ${SIGNED_AMOUNT_DESCRIPTION}`,
  })
  settled!: string;

  @AnswerField({
    example: '0',
    description: `Top-ups and withdrawals of refund floats, their gas, and rounding. ${SIGNED_AMOUNT_DESCRIPTION}`,
  })
  other!: string;

  @AnswerField({
    example: '0',
    description:
      'Balance that the service holds for the account at the end of the month: the sum of the other amounts, in ' +
      'whole units of the asset.',
  })
  closing!: string;
}

export const STATEMENT_EXAMPLE: StatementDto = {
  month: '2026-01',
  account_id: '0193b2f4-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
  unique_asset_id: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  currency: 'USDC',
  opening: '0',
  collected: '25',
  fees: '-0.25',
  refunds: '0',
  settled: '-24.75',
  other: '0',
  closing: '0',
};

export function presentStatement(month: Period, view: StatementView): StatementDto {
  const amounts = Object.fromEntries(
    STATEMENT_AMOUNT_NAMES.map((name) => [name, formatAmount(view[name], view.decimals)]),
  ) as Record<(typeof STATEMENT_AMOUNT_NAMES)[number], string>;
  return answerFromView(StatementDto, view as never, { month, ...amounts } as never);
}

/** The order never changes; new columns are appended. */
export const STATEMENT_CSV_COLUMNS = [
  'month',
  'account_id',
  'unique_asset_id',
  'currency',
  ...STATEMENT_AMOUNT_NAMES,
] as const;

export function toStatementCsvRow(statement: StatementDto): CsvCell[] {
  return STATEMENT_CSV_COLUMNS.map((column) =>
    (STATEMENT_AMOUNT_NAMES as readonly string[]).includes(column)
      ? { number: statement[column] }
      : statement[column],
  );
}
