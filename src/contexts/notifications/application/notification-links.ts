import { addDays } from '#shared/kernel/zoned-day.js';
import { nextPeriod, type ReportPeriod } from '../domain/report-period.js';

export const MAIL_PATH = '/mail';

export class NotificationLinks {
  /** @param origin of the dashboard, without a path @param dashboard URL of the dashboard's first page */
  constructor(
    private readonly origin: string,
    private readonly dashboard: string,
  ) {}

  /** Anyone with this link can confirm and unsubscribe the recipient. */
  recipient(token: string): string {
    return `${this.origin}${MAIL_PATH}/${token}`;
  }

  /** A dashboard page, which requires sign-in. @param path with leading slash */
  page(path: string): string {
    return this.dashboard + path;
  }

  /** The transactions of a period as a list or as CSV. Both require sign-in. */
  transactions(
    what: 'list' | 'csv',
    accountId: string,
    period: ReportPeriod,
    startsOn: string,
    zone: string,
  ): string {
    const to = addDays(nextPeriod(period, startsOn), -1);
    const query = new URLSearchParams({ account: accountId, from: startsOn, to, zone });
    return `${this.dashboard}/transactions${what === 'csv' ? '.csv' : ''}?${query.toString()}`;
  }
}
