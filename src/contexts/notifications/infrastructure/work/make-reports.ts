import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { OutgoingMails } from '#contexts/identity/contract/outgoing-mails.js';
import { NotificationLinks } from '../../application/notification-links.js';
import { startOfNextPeriod, rangeOfPeriod } from '../../domain/report-period.js';
import { buildReportMail } from '../mail/report-mail.js';
import { PendingNotifications } from '../persistence/pending-notifications.js';
import {
  NotificationReports,
  type DueReport,
  type ReportTotal,
} from '../persistence/notification-reports.js';

/** A failed report is retried after the claim, and does not delay others. */
const REPORT_CLAIM_SECONDS = 60;

/**
 * One transaction stores the report, queues its emails and advances the schedule, so each period has exactly one
 * report. Totals are computed before it, because a long transaction would delay all readers of the event log.
 */
@Injectable()
export class MakeReports {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: NotificationReports,
    private readonly pending: PendingNotifications,
    private readonly mails: OutgoingMails,
    private readonly links: NotificationLinks,
  ) {}

  async make(): Promise<boolean> {
    const due = await this.reports.claimDueReport(REPORT_CLAIM_SECONDS);
    if (due === null) return false;
    const { period, startsOn, timeZone } = due;
    const { from, until } = rangeOfPeriod(period, startsOn, timeZone);
    const figures = await this.reports.sumTransactions(due, from, until);
    await this.unitOfWork.run(() => this.makeReport(due, figures));
    return true;
  }

  private async makeReport(due: DueReport, figures: readonly ReportTotal[]): Promise<void> {
    const next = startOfNextPeriod(due.period, due.startsOn);
    if (!(await this.reports.advanceSchedule(due, next, rangeOfPeriod(due.period, next, due.timeZone).dueAt)))
      return;
    const addressees = await this.pending.addressees(due.ruleId);
    if (!(await this.reports.add(due, next, figures, addressees.length))) return;
    for (const addressee of addressees)
      await this.mails.queue(buildReportMail({ ...due, figures }, addressee, this.links), due.organizationId);
  }
}
