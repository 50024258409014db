import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { refuseClosing, refuseReopening } from '../domain/periods/closing-rule.js';
import { Periods } from '../infrastructure/persistence/periods.js';
import { requirePeriodText, type Period } from '../domain/periods/period.js';

export interface ChangePeriodInput extends Actor {
  readonly organizationId: OrganizationId;
  readonly period: string | undefined;
}

@Injectable()
export class ClosePeriod {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly periods: Periods,
    private readonly auditLog: AuditLog,
  ) {}

  /** Funds in flight stay in the closing balance of the month. @throws validation_failed, state_conflict */
  async close(act: ChangePeriodInput): Promise<Period> {
    const period = await this.changePeriod(act, 'closed', async (books, named, at) => {
      refuseClosing(books, named);
      await this.periods.close(act.organizationId, named, act.actor, at);
    });
    // After the commit, because summing a month takes too long to block postings.
    await this.periods.storeStatements(act.organizationId);
    return period;
  }

  /** Entries that were booked in a later month stay there. @throws validation_failed, state_conflict */
  reopen(act: ChangePeriodInput): Promise<Period> {
    return this.changePeriod(act, 'reopened', async (books, named) => {
      refuseReopening(books, named);
      await this.periods.reopen(act.organizationId, named);
    });
  }

  private changePeriod(
    { organizationId, actor, address, ...act }: ChangePeriodInput,
    done: 'closed' | 'reopened',
    write: (
      books: NonNullable<Awaited<ReturnType<Periods['lockBooksRow']>>>,
      period: Period,
      at: Date,
    ) => Promise<void>,
  ): Promise<Period> {
    const period = requirePeriodText('period', act.period);
    return this.unitOfWork.run(async () => {
      const books = await this.periods.lockBooksRow(organizationId);
      if (books === null) throw stateConflict('There are no entries yet, so there is no month to close.');
      const at = await this.clock.now();
      await write(books, period, at);
      const states = { closed: { period, is_closed: true }, reopened: { period, is_closed: false } };
      await this.auditLog.record({
        ...{ actor, address, at, organizationId },
        action: `period.${done}`,
        subjectId: organizationId,
        before: states[done === 'closed' ? 'reopened' : 'closed'],
        after: states[done],
      });
      return period;
    });
  }
}
