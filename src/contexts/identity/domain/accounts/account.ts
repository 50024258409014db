import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { optionalText, requireText } from '#shared/kernel/text.js';
import type { UnderpaymentTolerance } from '#shared/kernel/underpayment-tolerance.js';
import { validateUnderpaymentTolerance, type ToleranceInput } from './underpayment-tolerance-rule.js';

export interface Organization {
  readonly id: OrganizationId;
  readonly name: string;
  readonly approvedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Account {
  readonly id: AccountId;
  readonly organizationId: OrganizationId;
  readonly externalId: string | null;
  readonly name: string;
  readonly underpaymentTolerance: UnderpaymentTolerance | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const MAX_NAME_LENGTH = 200;
export const MAX_EXTERNAL_ID_LENGTH = 128;

export interface AccountInput {
  readonly name: string;
  readonly externalId?: string | undefined;
  readonly underpaymentTolerance?: ToleranceInput | undefined;
}

export function accountFields(input: AccountInput) {
  return {
    name: requireText('name', input.name, MAX_NAME_LENGTH),
    externalId: optionalText('external_id', input.externalId, MAX_EXTERNAL_ID_LENGTH) ?? null,
    underpaymentTolerance: validateUnderpaymentTolerance(input.underpaymentTolerance),
  };
}

export function auditableAccount({ name, externalId, underpaymentTolerance }: Account): object {
  return { name, external_id: externalId, underpayment_tolerance: underpaymentTolerance };
}
