import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { requireCurrency } from '#shared/kernel/currency.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import type { AccountScope } from '#contexts/identity/contract/account-scope-rule.js';
import { RecordedRates } from '../infrastructure/persistence/recorded-rates.js';

export interface SetBooksCurrencyInput extends Actor {
  readonly account: AccountScope;
  /** Accounting currency as an ISO 4217 code. Empty to remove it. */
  readonly currency: string;
}

@Injectable()
export class SetBooksCurrency {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly rates: RecordedRates,
    private readonly auditLog: AuditLog,
  ) {}

  async set({ account, currency: typed, actor, address }: SetBooksCurrencyInput): Promise<void> {
    const currency = typed === '' ? null : requireCurrency('currency', typed);
    await this.unitOfWork.run(async () => {
      const before = await this.rates.setCurrency(account, currency);
      if (before === currency) return;
      await this.auditLog.record({
        ...{ actor, address, at: await this.clock.now(), organizationId: account.organizationId },
        action: 'account.books_currency_changed',
        subjectId: account.accountId,
        before: { books_currency: before },
        after: { books_currency: currency },
      });
    });
  }
}
