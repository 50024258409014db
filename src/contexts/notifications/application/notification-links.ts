import { laterDay } from '#shared/kernel/zoned-day.js';
import { nextPeriod, type ReportPeriod } from '../domain/report-period.js';

export const MAIL_PATH = '/mail';

/** Addresses that mails lead to. */
export class NotificationLinks {
  /** @param origin of the dashboard, without a path @param dashboard the URL of its first page */
  constructor(
    private readonly origin: string,
    private readonly dashboard: string,
  ) {}

  /** Anybody who has it can confirm and unsubscribe the recipient. */
  recipient(token: string): string {
    return `${this.origin}${MAIL_PATH}/${token}`;
  }

  /** A page of the dashboard, behind sign-in. @param path with its slash */
  page(path: string): string {
    return this.dashboard + path;
  }

  /** The transactions of a period: the list, or the file with all of them. Both are behind sign-in. */
  transactions(
    what: 'list' | 'csv',
    accountId: string,
    period: ReportPeriod,
    startsOn: string,
    zone: string,
  ): string {
    const to = laterDay(nextPeriod(period, startsOn), -1);
    const query = new URLSearchParams({ account: accountId, from: startsOn, to, zone });
    return `${this.dashboard}/transactions${what === 'csv' ? '.csv' : ''}?${query.toString()}`;
  }
}
