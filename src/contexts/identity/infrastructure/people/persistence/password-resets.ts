import { Injectable } from '@nestjs/common';
import type { CollaboratorId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { Collaborator } from '#contexts/identity/domain/people/collaborator.js';
import { COLLABORATOR_COLUMNS } from './collaborators.js';

export const RESET_VALID_MINUTES = 30;
/** Per person, including used links. The earlier mails remain in the mailbox. */
const MAX_RESET_LINKS = 3;

/** Used links, and links from before a password change, count as not found. */
@Injectable()
export class PasswordResets {
  constructor(private readonly database: Database) {}

  /** Earlier links stay valid. @returns false if the person has too many unexpired links */
  async add(person: CollaboratorId, tokenDigest: Buffer): Promise<boolean> {
    // Each concurrent request counts the links of the others.
    await this.database.queryInTransaction('SELECT FROM identity.collaborators WHERE id = $1 FOR UPDATE', [
      person,
    ]);
    const rows = await this.database.queryInTransaction(
      `INSERT INTO identity.reset_links (collaborator_id, token_digest, created_at, expires_at)
       SELECT $1, $2, now, now + interval '${RESET_VALID_MINUTES} minutes'
       FROM platform.now() AS now, LATERAL (
         SELECT count(*) AS links, max(created_at) AS newest FROM identity.reset_links
         WHERE collaborator_id = $1 AND expires_at > now) lately
       WHERE links < ${MAX_RESET_LINKS} AND (newest IS NULL OR newest <= now - interval '1 minute')
       RETURNING 1`,
      [person, tokenDigest],
    );
    return rows.length > 0;
  }

  /** Returns null for a disabled person. */
  async find(tokenDigest: Buffer): Promise<(Collaborator & { organizationName: string }) | null> {
    const [row] = await this.database.query<Collaborator & { organizationName: string }>(
      `SELECT ${COLLABORATOR_COLUMNS}, o.name AS organization_name FROM identity.reset_links r
       JOIN identity.collaborators c ON c.id = r.collaborator_id AND c.enabled
       JOIN identity.organizations o ON o.id = c.organization_id
       WHERE r.token_digest = $1 AND r.is_open AND r.expires_at > platform.now()`,
      [tokenDigest],
    );
    return row ?? null;
  }

  async endAll(person: CollaboratorId): Promise<void> {
    await this.database.queryInTransaction(
      'UPDATE identity.reset_links SET is_open = false WHERE collaborator_id = $1 AND is_open',
      [person],
    );
  }
}
