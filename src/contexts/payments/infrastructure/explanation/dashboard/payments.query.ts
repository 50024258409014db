import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { DashboardPageQuery, TypedText } from '#shared/platform/http/dashboard/dashboard-query.js';
import { TRANSITIONS } from '#contexts/payments/domain/requests/status.js';

export const STATUSES = Object.keys(TRANSITIONS) as PaymentRequestStatus[];

/** Filters of the list, as they stand in the URL; what cannot be read does not narrow. */
export class PaymentsQuery extends DashboardPageQuery {
  @TypedText() pos?: string;
  @TypedText() status?: string;
  @TypedText() reference?: string;
  /** UTC days, `YYYY-MM-DD`, both included. */
  @TypedText() from?: string;
  @TypedText() to?: string;
}

const DAY_MS = 86_400_000;

export function createdOf({ from, to }: PaymentsQuery): { from?: Date; before?: Date } {
  const [first, last] = [dayOf(from), dayOf(to)];
  return { ...(first && { from: first }), ...(last && { before: new Date(last.getTime() + DAY_MS) }) };
}

function dayOf(text: string | undefined): Date | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? undefined : day;
}
