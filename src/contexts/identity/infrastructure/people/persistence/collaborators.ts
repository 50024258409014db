import { Injectable } from '@nestjs/common';
import { notFound, stateConflict } from '#shared/kernel/domain-error.js';
import type { CollaboratorId, OrganizationId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { Database } from '#shared/platform/database/database.js';
import { buildInsertSql } from '#shared/platform/database/insert.js';
import { pageFrom, type PageRow } from '#shared/platform/database/rows.js';
import type { Collaborator } from '#contexts/identity/domain/people/collaborator.js';

export const COLLABORATOR_COLUMNS =
  'c.id, c.organization_id, c.email, c.name, c.role, c.enabled, c.last_signed_in_at, c.created_at, c.updated_at';

@Injectable()
export class Collaborators {
  constructor(private readonly database: Database) {}

  /** @throws state_conflict if the e-mail address is already used */
  async add(collaborator: Collaborator, passwordHash: string): Promise<void> {
    const added = await this.database.queryInTransaction(
      ...buildInsertSql(
        'identity.collaborators',
        { ...collaborator, passwordHash },
        'ON CONFLICT (email) DO NOTHING RETURNING 1',
      ),
    );
    if (added.length === 0)
      throw stateConflict(
        'This e-mail address already belongs to a collaborator. Sign in, or use another address.',
      );
  }

  /** @throws not_found, also for a person of another organization */
  async lockCollaboratorRow(owner: OrganizationId, id: CollaboratorId): Promise<Collaborator> {
    const [row] = await this.database.queryInTransaction<Collaborator>(
      `SELECT ${COLLABORATOR_COLUMNS} FROM identity.collaborators c WHERE c.organization_id = $1 AND c.id = $2 FOR UPDATE`,
      [owner, id],
    );
    if (row === undefined) throw notFound('collaborator');
    return row;
  }

  async countOtherOwners(owner: OrganizationId, id: CollaboratorId | null): Promise<number> {
    const [row] = await this.database.query<{ owners: number }>(
      `SELECT count(*)::integer AS owners FROM identity.collaborators
       WHERE organization_id = $1 AND id IS DISTINCT FROM $2 AND role = 'owner' AND enabled`,
      [owner, id],
    );
    return row!.owners;
  }

  async save({ id, name, role, enabled, updatedAt }: Collaborator): Promise<void> {
    await this.database.queryInTransaction(
      'UPDATE identity.collaborators SET name = $2, role = $3, enabled = $4, updated_at = $5 WHERE id = $1',
      [id, name, role, enabled, updatedAt],
    );
  }

  async list(owner: OrganizationId, { page, pageSize }: PageRequest): Promise<Page<Collaborator>> {
    const rows = await this.database.query<PageRow<Collaborator>>(
      `SELECT t.total, p.* FROM (SELECT count(*)::integer AS total FROM identity.collaborators WHERE organization_id = $1) AS t
       LEFT JOIN (SELECT ${COLLABORATOR_COLUMNS} FROM identity.collaborators c WHERE c.organization_id = $1
         ORDER BY c.id LIMIT $2 OFFSET $3) AS p ON true ORDER BY p.id`,
      [owner, pageSize, (page - 1) * pageSize],
    );
    return pageFrom(rows);
  }

  /** Searches all organizations. */
  async findByEmail(email: string): Promise<{ collaborator: Collaborator; passwordHash: string } | null> {
    const [row] = await this.database.query<Collaborator & { passwordHash: string }>(
      `SELECT ${COLLABORATOR_COLUMNS}, c.password_hash FROM identity.collaborators c WHERE c.email = $1`,
      [email],
    );
    if (row === undefined) return null;
    const { passwordHash, ...collaborator } = row;
    return { collaborator, passwordHash };
  }

  async changePassword(id: CollaboratorId, passwordHash: string, at: Date): Promise<void> {
    await this.database.queryInTransaction(
      'UPDATE identity.collaborators SET password_hash = $2, updated_at = $3 WHERE id = $1',
      [id, passwordHash, at],
    );
  }

  async recordSignIn(id: CollaboratorId, at: Date): Promise<void> {
    await this.database.query('UPDATE identity.collaborators SET last_signed_in_at = $2 WHERE id = $1', [
      id,
      at,
    ]);
  }
}
