import { invalidField, stateConflict } from '#shared/kernel/domain-error.js';
import { COLLABORATOR_ROLES, hasPermission, type CollaboratorRole } from '#shared/kernel/dashboard-access.js';
import type { CollaboratorId, OrganizationId } from '#shared/kernel/ids.js';

export interface Collaborator {
  readonly id: CollaboratorId;
  readonly organizationId: OrganizationId;
  /** Lower case. Unique in the installation. */
  readonly email: string;
  readonly name: string;
  readonly role: CollaboratorRole;
  readonly enabled: boolean;
  readonly lastSignedInAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function auditableCollaborator({ email, name, role, enabled }: Collaborator): object {
  return { email, name, role, enabled };
}

export const MAX_PERSON_NAME_LENGTH = 200;

export function roleFrom(word: string): CollaboratorRole {
  const role = COLLABORATOR_ROLES.find((known) => known === word);
  if (role === undefined)
    throw invalidField('role', 'role', `must be one of: ${COLLABORATOR_ROLES.join(', ')}.`);
  return role;
}

export type ManagerRole = CollaboratorRole | 'operator';

/** @throws DomainError on `role` */
export function requireMayManage(manager: ManagerRole, ...managed: CollaboratorRole[]): void {
  if (manager === 'owner' || manager === 'operator' || !managed.includes('owner')) return;
  throw invalidField(
    'role',
    'owner_required',
    'can be granted or removed only by an Owner. Ask an Owner of the organization.',
  );
}

export function mayStillGrant(
  { role, enabled }: Pick<Collaborator, 'role' | 'enabled'>,
  granted: CollaboratorRole,
): boolean {
  return enabled && hasPermission(role, 'manage') && (role === 'owner' || granted !== 'owner');
}

/** @param enabledOwners other than this person */
export function requireRemainingOwner(
  before: Collaborator,
  after: Pick<Collaborator, 'role' | 'enabled'>,
  enabledOwners: number,
): void {
  const wasOwner = before.role === 'owner' && before.enabled;
  const isOwner = after.role === 'owner' && after.enabled;
  if (wasOwner && !isOwner && enabledOwners === 0)
    throw stateConflict('This is the last Owner of the organization. Make another person an Owner first.');
}
