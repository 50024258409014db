import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { InvitationId, OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { insertOrUpdate } from '#shared/platform/database/insert.js';
import { Invitations, type Invitation } from '#contexts/identity/application/people/invitations.js';

const COLUMNS = 'i.id, i.organization_id, i.email, i.role, i.invited_by, i.expires_at, i.created_at';

@Injectable()
export class PostgresInvitations extends Invitations {
  constructor(private readonly database: Database) {
    super();
  }

  async put({ organizationId, email, ...invitation }: Invitation, tokenDigest: Buffer): Promise<void> {
    const key = { organizationId, email };
    await this.database.queryInTransaction(
      ...insertOrUpdate('identity.invitations', key, { ...invitation, tokenDigest }),
    );
  }

  async findFor(owner: OrganizationId, email: string): Promise<Invitation | null> {
    const [row] = await this.database.query<Invitation>(
      `SELECT ${COLUMNS} FROM identity.invitations i
       WHERE i.organization_id = $1 AND i.email = $2 AND i.expires_at > platform.now()`,
      [owner, email],
    );
    return row ?? null;
  }

  async find(tokenDigest: Buffer): Promise<(Invitation & { organizationName: string }) | null> {
    const [row] = await this.database.query<Invitation & { organizationName: string }>(
      `SELECT ${COLUMNS}, o.name AS organization_name
       FROM identity.invitations i JOIN identity.organizations o ON o.id = i.organization_id
       WHERE i.token_digest = $1 AND i.expires_at > platform.now()`,
      [tokenDigest],
    );
    return row ?? null;
  }

  async take(tokenDigest: Buffer): Promise<Invitation | null> {
    const [row] = await this.database.queryInTransaction<Invitation>(
      `DELETE FROM identity.invitations i WHERE i.token_digest = $1 AND i.expires_at > platform.now() RETURNING ${COLUMNS}`,
      [tokenDigest],
    );
    return row ?? null;
  }

  async withdraw(owner: OrganizationId, id: InvitationId): Promise<Invitation> {
    const [row] = await this.database.queryInTransaction<Invitation>(
      `DELETE FROM identity.invitations i WHERE i.organization_id = $1 AND i.id = $2 RETURNING ${COLUMNS}`,
      [owner, id],
    );
    if (row === undefined) throw notFound('invitation');
    return row;
  }

  async list(owner: OrganizationId): Promise<Invitation[]> {
    return this.database.query<Invitation>(
      `SELECT ${COLUMNS} FROM identity.invitations i
       WHERE i.organization_id = $1 AND i.expires_at > platform.now() ORDER BY i.id LIMIT 100`,
      [owner],
    );
  }
}
