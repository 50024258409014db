import type { CollaboratorRole } from '#shared/kernel/dashboard-access.js';
import type { InvitationId, OrganizationId } from '#shared/kernel/ids.js';

export interface Invitation {
  readonly id: InvitationId;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly role: CollaboratorRole;
  /** The inviter, as the audit log names them. */
  readonly invitedBy: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** The audit log keeps these values of an invitation. */
export function auditableInvitation({ email, role, expiresAt }: Invitation): object {
  return { email, role, expires_at: expiresAt };
}

/** An expired invitation is none. */
export abstract class Invitations {
  /** Stores an invitation in place of an earlier one of that address. Refuses to run outside a unit of work. */
  abstract put(invitation: Invitation, tokenDigest: Buffer): Promise<void>;
  /** The open invitation of an address. */
  abstract findFor(owner: OrganizationId, email: string): Promise<Invitation | null>;
  abstract find(tokenDigest: Buffer): Promise<(Invitation & { organizationName: string }) | null>;
  /** Removes and returns an invitation, so that it is used once. Refuses to run outside a unit of work. @returns null where it is gone */
  abstract take(tokenDigest: Buffer): Promise<Invitation | null>;
  /** Refuses to run outside a unit of work. @throws not_found, also for another organization's */
  abstract withdraw(owner: OrganizationId, id: InvitationId): Promise<Invitation>;
  /** Oldest first, at most 100. */
  abstract list(owner: OrganizationId): Promise<Invitation[]>;
}
