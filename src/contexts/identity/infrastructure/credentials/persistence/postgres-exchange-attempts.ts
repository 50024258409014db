import { createHash } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { RatePolicy } from '#shared/kernel/rate-limits.js';
import { Database } from '#shared/platform/database/database.js';
import {
  ExchangeAttempts,
  type AttemptsLeft,
} from '#contexts/identity/application/credentials/exchange-token.js';
import { IdentitySettings } from '../../identity-settings.js';

const PRUNED_EVERY_MS = 30_000;
/** Attempts within this time are counted together; an older row is of no use. */
export const ATTEMPTS_KEPT_MINUTES = 1;
/** Rows of one step; a pass has as many steps as it takes. */
export const PRUNED_AT_ONCE = 1_000;

/** $1: how many, the oldest first. */
export const PRUNE_EXCHANGE_ATTEMPTS = `
DELETE FROM identity.exchange_attempts WHERE subject = ANY (ARRAY(
  SELECT subject FROM identity.exchange_attempts WHERE began_at <= platform.now() - interval '${ATTEMPTS_KEPT_MINUTES} minutes'
  ORDER BY began_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING 1`;

/** Updated only while one is left or its minute is over: no row is returned for what is refused. */
const TAKE = `
INSERT INTO identity.exchange_attempts AS a (subject, began_at, taken) VALUES ($1, platform.now(), 1)
ON CONFLICT (subject) DO UPDATE SET
  began_at = CASE WHEN a.began_at > excluded.began_at - interval '1 minute' THEN a.began_at ELSE excluded.began_at END,
  taken = CASE WHEN a.began_at > excluded.began_at - interval '1 minute' THEN a.taken + 1 ELSE 1 END
WHERE a.taken < $2 OR a.began_at <= excluded.began_at - interval '1 minute'
RETURNING taken, ceil(extract(epoch FROM a.began_at + interval '1 minute' - platform.now()))::integer AS seconds`;

/** A row counts at least one attempt. */
const GIVE_BACK = `
WITH gone AS (DELETE FROM identity.exchange_attempts WHERE subject = $1 AND taken = 1)
UPDATE identity.exchange_attempts SET taken = taken - 1 WHERE subject = $1 AND taken > 1`;

const WAIT = `
SELECT ceil(extract(epoch FROM began_at + interval '1 minute' - platform.now()))::integer AS seconds
FROM identity.exchange_attempts
WHERE subject = $1 AND taken >= $2 AND began_at > platform.now() - interval '1 minute'`;

@Injectable()
export class PostgresExchangeAttempts
  extends ExchangeAttempts
  implements OnApplicationBootstrap, OnApplicationShutdown
{
  private readonly log = new Logger('token exchanges');
  private readonly all: RatePolicy;
  private readonly failed: RatePolicy;
  private readonly pairings: RatePolicy;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    { exchanges, failedExchanges, failedPairings }: IdentitySettings,
  ) {
    super();
    this.all = exchanges;
    this.failed = failedExchanges;
    this.pairings = failedPairings;
  }

  take(address: string): Promise<AttemptsLeft> {
    return this.takeOf(subjectOf('all', address), this.all);
  }

  async demandFailureLeft(keyId: string, address: string): Promise<void> {
    const subject = subjectOf('failed', keyId, address);
    const wait = await this.waitFor(subject, this.failed.quota);
    if (wait !== undefined) throw new RateLimited(wait, this.failed);
  }

  async takeFailure(keyId: string, address: string): Promise<void> {
    await this.takeOf(subjectOf('failed', keyId, address), this.failed);
  }

  async takePairing(address: string): Promise<void> {
    await this.takeOf(subjectOf('pairing', address), this.pairings);
  }

  async givePairingBack(address: string): Promise<void> {
    try {
      await this.database.query(GIVE_BACK, [subjectOf('pairing', address)]);
    } catch (error) {
      this.log.warn(`A successful pairing counts as a failed one for a minute: ${String(error)}`);
    }
  }

  private async takeOf(subject: Buffer, policy: RatePolicy): Promise<AttemptsLeft> {
    const { quota } = policy;
    const [row] = await this.database.query<{ taken: number; seconds: number }>(TAKE, [subject, quota]);
    if (row === undefined) throw new RateLimited((await this.waitFor(subject, quota)) ?? 1, policy);
    return { left: quota - row.taken, seconds: row.seconds };
  }

  private async waitFor(subject: Buffer, most: number): Promise<number | undefined> {
    const [row] = await this.database.query<{ seconds: number }>(WAIT, [subject, most]);
    return row && Math.max(1, row.seconds);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.prune().catch((error: unknown) => this.log.warn(`Old attempts are not removed: ${String(error)}`));
    }, PRUNED_EVERY_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Removes counts whose minute is over, step by step, so that the table holds the counts of half a minute. */
  async prune(): Promise<void> {
    let gone: object[];
    do gone = await this.database.query(PRUNE_EXCHANGE_ATTEMPTS, [PRUNED_AT_ONCE]);
    while (gone.length === PRUNED_AT_ONCE);
  }
}

/** A subject has one length, however long the caller's key is. */
function subjectOf(...parts: string[]): Buffer {
  return createHash('sha256').update(parts.join('\0')).digest();
}
