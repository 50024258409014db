import type { Collaborator } from '../../domain/people/collaborator.js';
import type { Invitation } from './invitations.js';

/** What of a collaborator the audit log keeps. */
export function auditableCollaborator({ email, name, role, enabled }: Collaborator): object {
  return { email, name, role, enabled };
}

export function auditableInvitation({ email, role, expiresAt }: Invitation): object {
  return { email, role, expires_at: expiresAt };
}
