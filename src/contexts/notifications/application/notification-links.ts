import { addDays } from '#shared/kernel/zoned-day.js';
import { startOfNextPeriod, type ReportPeriod } from '../domain/report-period.js';

export const MAIL_CONSENT_PATH = '/mail';

export class NotificationLinks {
  /** @param dashboard URL of the dashboard's first page */
  constructor(
    private readonly origin: string,
    private readonly dashboard: string,
  ) {}

  mailConsentUrl(token: string): string {
    return `${this.origin}${MAIL_CONSENT_PATH}/${token}`;
  }

  /** The page requires sign-in. @param path path with a leading slash */
  dashboardPageUrl(path: string): string {
    return this.dashboard + path;
  }

  transactions(
    what: 'list' | 'csv',
    accountId: string,
    period: ReportPeriod,
    startsOn: string,
    zone: string,
  ): string {
    const to = addDays(startOfNextPeriod(period, startsOn), -1);
    const query = new URLSearchParams({ account: accountId, from: startsOn, to, zone });
    return `${this.dashboard}/transactions${what === 'csv' ? '.csv' : ''}?${query.toString()}`;
  }
}
