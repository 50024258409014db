import type { CollaboratorRole } from '#shared/kernel/dashboard-access.js';
import type { CollaboratorId, OrganizationId } from '#shared/kernel/ids.js';
import type { Collaborator } from '#contexts/identity/domain/people/collaborator.js';

export interface CollaboratorRow {
  id: CollaboratorId;
  organizationId: OrganizationId;
  email: string;
  name: string;
  role: CollaboratorRole;
  enabled: boolean;
  lastSignedInAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Of the table aliased `c`. */
export const COLLABORATOR_COLUMNS =
  'c.id, c.organization_id, c.email, c.name, c.role, c.enabled, c.last_signed_in_at, c.created_at, c.updated_at';

export function collaboratorFromRow(row: CollaboratorRow): Collaborator {
  return {
    id: row.id,
    organizationId: row.organizationId,
    email: row.email,
    name: row.name,
    role: row.role,
    enabled: row.enabled,
    lastSignedInAt: row.lastSignedInAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
