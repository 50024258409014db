import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { CredentialId, PointOfSaleId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { IDENTITY_LOG_EVENTS } from '../../log-events.js';
import type { Credential } from '#contexts/identity/domain/credentials/credential.js';

const USES_WRITTEN_EVERY_MS = 30_000;

export const READ_CREDENTIAL = `
SELECT clock.now, c.id, c.key_id, c.secret_digest, c.roles, c.enabled,
  c.organization_id, c.account_id, c.allowed_addresses, c.point_of_sale_id
FROM (SELECT platform.now() AS now) clock
LEFT JOIN identity.credentials c ON c.key_id = $1`;

export type CredentialWithSecretDigest = Pick<
  Credential,
  'id' | 'keyId' | 'organizationId' | 'accountId' | 'roles' | 'allowedAddresses' | 'enabled'
> & {
  readonly secretDigest: Buffer;
  readonly pointOfSaleId: PointOfSaleId | null;
};

export interface CredentialLookupResult {
  readonly now: Date;
  readonly credential: CredentialWithSecretDigest | null;
}

/** Batches every 30 seconds, because writing each use would cost more than verifying the request. */
@Injectable()
export class CredentialLookup implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new OperatorLogWriter('credential use', IDENTITY_LOG_EVENTS);
  private used = new Map<CredentialId, Date>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly database: Database) {}

  /** No cache, so that every replica sees a change on the next request. */
  async read(keyId: string): Promise<CredentialLookupResult> {
    const [row] = await this.database.query<{ now: Date } & (CredentialWithSecretDigest | { id: null })>(
      READ_CREDENTIAL,
      [keyId],
    );
    const { now, id } = row!;
    return { now, credential: id === null ? null : (row as CredentialWithSecretDigest) };
  }

  /** The use is stored within a minute; a crash loses it. */
  recordUse(id: CredentialId, at: Date): void {
    this.used.set(id, at);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.writing = this.writeUses();
    }, USES_WRITTEN_EVERY_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    await this.writeUses();
  }

  /** Never throws: uses that could not be stored remain for the next batch. */
  async writeUses(): Promise<void> {
    if (this.used.size === 0) return;
    const used = this.used;
    this.used = new Map();
    try {
      // A fixed order, so that two replicas cannot deadlock.
      await this.database.query(
        `WITH used AS (SELECT * FROM UNNEST($1::uuid[], $2::timestamptz[]) AS u (id, at)),
         locked AS (SELECT c.id FROM identity.credentials c JOIN used USING (id) ORDER BY c.id FOR UPDATE OF c)
         UPDATE identity.credentials c SET last_used_at = greatest(c.last_used_at, used.at)
         FROM used JOIN locked USING (id) WHERE c.id = used.id`,
        [[...used.keys()], [...used.values()]],
      );
    } catch (error) {
      this.used = new Map([...used, ...this.used]);
      this.log.write('credentials.use_not_stored', { credentials: used.size, reason: String(error) });
    }
  }
}
