import { DomainError } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';

/** Required before an organization can collect in production. An approval is never revoked. */
export abstract class OrganizationApproval {
  /** @throws organization_not_approved in production */
  abstract require(organizationId: OrganizationId): Promise<void>;
}

export function organizationNotApprovedError(): DomainError {
  return new DomainError(
    'conflict',
    'organization_not_approved',
    'The organization is not approved for production yet. Set a support contact, then ask the operator to approve ' +
      'the organization.',
  );
}
