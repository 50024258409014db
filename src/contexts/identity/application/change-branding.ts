import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '../contract/audit-log.js';
import { MerchantAccounts } from '../infrastructure/accounts/persistence/merchant-accounts.js';
import { Organizations } from '../infrastructure/accounts/persistence/organizations.js';
import { Brandings } from '../infrastructure/persistence/brandings.js';
import { auditableBranding, type OwnBranding } from '../domain/branding/branding.js';
import {
  validateBrandingTexts,
  supportContactRequiredError,
  type BrandingInput,
} from '../domain/branding/branding-texts.js';
import { cleanUploadedLogo } from '../domain/branding/logo-file.js';

export interface ChangeBrandingInput extends Actor {
  readonly owner: TenantScope;
  readonly texts?: BrandingInput;
  /** Null removes the logo. If absent, the logo does not change. */
  readonly logo?: Uint8Array | null;
}

/** Does not change existing payment tokens or the names stored in payment requests. */
@Injectable()
export class ChangeBranding {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
    private readonly accounts: MerchantAccounts,
    private readonly brandings: Brandings,
    private readonly auditLog: AuditLog,
  ) {}

  /** @throws validation_failed, also if an approved organization would lose its support contact */
  async change({ owner, texts: input, logo: file, actor, address }: ChangeBrandingInput): Promise<void> {
    const texts = input && validateBrandingTexts(input);
    const logo = file && cleanUploadedLogo(file);
    const { organizationId, accountId } = owner;
    await this.unitOfWork.run(async () => {
      const { approvedAt } = await this.organizations.lockOrganizationRow(organizationId);
      if (accountId !== null) await this.accounts.lockMerchantAccountRow({ organizationId, accountId });
      const at = await this.clock.now();
      const before = await this.brandings.readOwnBranding(owner);
      const after: OwnBranding = { ...before, ...texts };
      const isSupportRemoved = before.support !== null && after.support === null;
      if (isSupportRemoved && accountId === null && approvedAt !== null) throw supportContactRequiredError();
      if (texts !== undefined) await this.brandings.saveTexts(owner, texts, at);
      const stored = logo === undefined ? before.logo : await this.brandings.saveLogo(owner, logo, at);
      await this.auditLog.record({
        actor,
        address,
        at,
        action: 'branding.changed',
        organizationId,
        subjectId: accountId ?? organizationId,
        before: auditableBranding(before),
        after: auditableBranding({ ...after, logo: stored }),
      });
    });
  }
}
