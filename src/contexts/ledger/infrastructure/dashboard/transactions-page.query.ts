import { invalidField } from '#shared/kernel/domain-error.js';
import { isUuid } from '#shared/kernel/ids.js';
import { requireTimeZone, isIsoDate, isTimeZone, addDays, startOfDay } from '#shared/kernel/zoned-day.js';
import { DashboardPageQuery, IsEnteredText } from '#shared/platform/http/dashboard/dashboard-query.js';
import { validateForm } from '#shared/platform/http/dashboard/form-body.js';
import type { TransactionFilter } from '../../application/transaction-view.js';
import type { TransactionStatus, TransactionType } from '../../domain/transaction.js';
import { toTransactionFilter, TransactionFilterQuery } from '../http/transaction.dto.js';

/** Validated later, so that the page can display errors beside the fields. */
export class TransactionsPageQuery extends DashboardPageQuery {
  @IsEnteredText() account?: string;
  /** Id of one transaction. */
  @IsEnteredText() transaction?: string;
  @IsEnteredText() type?: string;
  @IsEnteredText() status?: string;
  @IsEnteredText() reference_id?: string;
  @IsEnteredText() from?: string;
  @IsEnteredText() to?: string;
  /** IANA time zone. Default: the organization's time zone. */
  @IsEnteredText() zone?: string;
}

export function timeZoneOf({ zone }: TransactionsPageQuery, own: string): string {
  return zone && isTimeZone(zone) ? zone : own;
}

export async function readTransactionFilter(
  query: TransactionsPageQuery,
  own: string,
): Promise<TransactionFilter> {
  const { transaction, type, status, reference_id, from, to } = query;
  if (transaction && !isUuid(transaction)) throw invalidField('transaction', 'uuid', 'must be a UUID.');
  const zone = requireTimeZone('zone', query.zone || own);
  const first = startOf('from', from, zone);
  const last = startOf('to', to, zone);
  if (first && last && first > last)
    throw invalidField('to', 'time_order', 'must not be before the first day.');
  const end = to && last && startOfDay(addDays(to, 1), zone);
  const filter = await validateForm(TransactionFilterQuery, {
    ...(type && { type: type as TransactionType }),
    ...(status && { status: status as TransactionStatus }),
    ...(reference_id && { reference_id }),
    ...(first && { created_from: first.toISOString() }),
    ...(end && { created_to: end.toISOString() }),
  });
  return { ...toTransactionFilter(filter), ...(transaction && { id: transaction }) };
}

function startOf(field: string, day: string | undefined, zone: string): Date | undefined {
  if (!day) return undefined;
  if (!isIsoDate(day))
    throw invalidField(field, 'day', 'must be a day such as 2030-01-31, in the years 2000 to 2999.');
  return startOfDay(day, zone);
}
