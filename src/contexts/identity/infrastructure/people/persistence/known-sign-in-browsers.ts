import { Injectable } from '@nestjs/common';
import type { CollaboratorId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';

export const DEVICE_KNOWN_DAYS = 180;

/** Identified by the digest of their cookie. */
@Injectable()
export class KnownSignInBrowsers {
  constructor(private readonly database: Database) {}

  async isKnown(person: CollaboratorId, tokenDigest: Buffer): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM identity.known_devices
       WHERE token_digest = $2 AND collaborator_id = $1 AND expires_at > platform.now()`,
      [person, tokenDigest],
    );
    return rows.length > 0;
  }

  /** Takes equally long for known and unknown e-mail addresses. */
  async isKnownForEmail(email: string, tokenDigest: Buffer): Promise<boolean> {
    // Queries the person only if the device exists, because of the response time.
    const rows = await this.database.query(
      `SELECT 1 FROM identity.known_devices d WHERE d.token_digest = $2 AND d.expires_at > platform.now()
         AND (SELECT c.email FROM identity.collaborators c WHERE c.id = d.collaborator_id) = $1`,
      [email, tokenDigest],
    );
    return rows.length > 0;
  }

  async remember(person: CollaboratorId, tokenDigest: Buffer): Promise<void> {
    await this.database.query(
      `INSERT INTO identity.known_devices (collaborator_id, token_digest, expires_at)
       VALUES ($1, $2, platform.now() + interval '${DEVICE_KNOWN_DAYS} days')`,
      [person, tokenDigest],
    );
  }

  async forgetAll(person: CollaboratorId, but: Buffer | null = null): Promise<void> {
    await this.database.query(
      'DELETE FROM identity.known_devices WHERE collaborator_id = $1 AND token_digest IS DISTINCT FROM $2',
      [person, but],
    );
  }
}
