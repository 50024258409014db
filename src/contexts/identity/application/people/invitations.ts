import type { CollaboratorRole } from '#shared/kernel/dashboard-access.js';
import type { InvitationId, OrganizationId } from '#shared/kernel/ids.js';

export interface Invitation {
  readonly id: InvitationId;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly role: CollaboratorRole;
  /** The inviter's name in the audit log: an e-mail address, or the operator's command. */
  readonly invitedBy: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export function auditableInvitation({ email, role, expiresAt }: Invitation): object {
  return { email, role, expires_at: expiresAt };
}

/** An expired invitation counts as not found. */
export abstract class Invitations {
  /** Replaces an earlier invitation to the same address. Requires a unit of work. */
  abstract put(invitation: Invitation, tokenDigest: Buffer): Promise<void>;
  abstract findFor(owner: OrganizationId, email: string): Promise<Invitation | null>;
  abstract find(tokenDigest: Buffer): Promise<(Invitation & { organizationName: string }) | null>;
  /** Consumes the invitation. Requires a unit of work. @returns null if it is not valid */
  abstract take(tokenDigest: Buffer): Promise<Invitation | null>;
  /** Requires a unit of work. @throws not_found, also if it belongs to another organization */
  abstract withdraw(owner: OrganizationId, id: InvitationId): Promise<Invitation>;
  /** Oldest first, at most 100. */
  abstract list(owner: OrganizationId): Promise<Invitation[]>;
}
