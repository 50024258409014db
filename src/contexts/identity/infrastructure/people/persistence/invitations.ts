import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { CollaboratorRole } from '#shared/kernel/dashboard-access.js';
import type { InvitationId, OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { buildUpsertSql } from '#shared/platform/database/insert.js';

export interface Invitation {
  readonly id: InvitationId;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly role: CollaboratorRole;
  readonly invitedBy: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

const INVITATION_COLUMNS =
  'i.id, i.organization_id, i.email, i.role, i.invited_by, i.expires_at, i.created_at';

@Injectable()
export class Invitations {
  constructor(private readonly database: Database) {}

  /** Replaces an earlier invitation to the same address. */
  async addOrReplace(
    { organizationId, email, ...invitation }: Invitation,
    tokenDigest: Buffer,
  ): Promise<void> {
    const key = { organizationId, email };
    await this.database.queryInTransaction(
      ...buildUpsertSql('identity.invitations', key, { ...invitation, tokenDigest }),
    );
  }

  async findByEmail(owner: OrganizationId, email: string): Promise<Invitation | null> {
    const [row] = await this.database.query<Invitation>(
      `SELECT ${INVITATION_COLUMNS} FROM identity.invitations i
       WHERE i.organization_id = $1 AND i.email = $2 AND i.expires_at > platform.now()`,
      [owner, email],
    );
    return row ?? null;
  }

  async find(tokenDigest: Buffer): Promise<(Invitation & { organizationName: string }) | null> {
    const [row] = await this.database.query<Invitation & { organizationName: string }>(
      `SELECT ${INVITATION_COLUMNS}, o.name AS organization_name
       FROM identity.invitations i JOIN identity.organizations o ON o.id = i.organization_id
       WHERE i.token_digest = $1 AND i.expires_at > platform.now()`,
      [tokenDigest],
    );
    return row ?? null;
  }

  /** @returns null if the link is not valid */
  async consume(tokenDigest: Buffer): Promise<Invitation | null> {
    const [row] = await this.database.queryInTransaction<Invitation>(
      `DELETE FROM identity.invitations i WHERE i.token_digest = $1 AND i.expires_at > platform.now() RETURNING ${INVITATION_COLUMNS}`,
      [tokenDigest],
    );
    return row ?? null;
  }

  /** @throws not_found, also if the invitation belongs to another organization */
  async withdraw(owner: OrganizationId, id: InvitationId): Promise<Invitation> {
    const [row] = await this.database.queryInTransaction<Invitation>(
      `DELETE FROM identity.invitations i WHERE i.organization_id = $1 AND i.id = $2 RETURNING ${INVITATION_COLUMNS}`,
      [owner, id],
    );
    if (row === undefined) throw notFound('invitation');
    return row;
  }

  async list(owner: OrganizationId): Promise<Invitation[]> {
    return this.database.query<Invitation>(
      `SELECT ${INVITATION_COLUMNS} FROM identity.invitations i
       WHERE i.organization_id = $1 AND i.expires_at > platform.now() ORDER BY i.id LIMIT 100`,
      [owner],
    );
  }
}
