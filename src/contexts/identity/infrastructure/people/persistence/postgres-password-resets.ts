import { Injectable } from '@nestjs/common';
import type { CollaboratorId } from '../../../../../shared/kernel/ids.js';
import { Database } from '../../../../../shared/platform/database/database.js';
import { PasswordResets } from '../../../application/people/password-resets.js';
import type { Collaborator } from '../../../domain/people/collaborator.js';
import { COLLABORATOR_COLUMNS, collaboratorFromRow, type CollaboratorRow } from './collaborator-row.js';

/** Those of the last minute are recognised by how long they are still valid. */
export const RESET_VALID_MINUTES = 30;

@Injectable()
export class PostgresPasswordResets extends PasswordResets {
  constructor(private readonly database: Database) {
    super();
  }

  async put(person: CollaboratorId, tokenDigest: Buffer): Promise<boolean> {
    const rows = await this.database.write(
      `INSERT INTO identity.password_resets AS r (collaborator_id, token_digest, expires_at)
       VALUES ($1, $2, platform.now() + interval '${RESET_VALID_MINUTES} minutes')
       ON CONFLICT (collaborator_id) DO UPDATE SET token_digest = excluded.token_digest, expires_at = excluded.expires_at
       WHERE r.expires_at < platform.now() + interval '${RESET_VALID_MINUTES - 1} minutes'
       RETURNING 1`,
      [person, tokenDigest],
    );
    return rows.length > 0;
  }

  async find(tokenDigest: Buffer): Promise<(Collaborator & { organizationName: string }) | null> {
    const [row] = await this.database.query<CollaboratorRow & { organization_name: string }>(
      `SELECT ${COLLABORATOR_COLUMNS}, o.name AS organization_name FROM identity.password_resets r
       JOIN identity.collaborators c ON c.id = r.collaborator_id AND c.enabled
       JOIN identity.organizations o ON o.id = c.organization_id
       WHERE r.token_digest = $1 AND r.expires_at > platform.now()`,
      [tokenDigest],
    );
    return row === undefined
      ? null
      : { ...collaboratorFromRow(row), organizationName: row.organization_name };
  }

  async take(tokenDigest: Buffer): Promise<boolean> {
    const rows = await this.database.write(
      'DELETE FROM identity.password_resets WHERE token_digest = $1 AND expires_at > platform.now() RETURNING 1',
      [tokenDigest],
    );
    return rows.length > 0;
  }
}
