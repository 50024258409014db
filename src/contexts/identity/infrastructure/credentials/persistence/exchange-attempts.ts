import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { Caller, RatePolicy } from '#shared/kernel/rate-limits.js';
import { Database } from '#shared/platform/database/database.js';
import { RecentRefusals } from '#shared/platform/http/callers/recent-refusals.js';
import { IdentitySettings } from '../../identity-settings.js';
import { EventLogger } from '#shared/platform/logging/event-logger.js';
import { IDENTITY_LOG_EVENTS } from '../../log-events.js';

export interface AttemptsLeft {
  readonly policy: RatePolicy;
  readonly left: number;
  /** Whole seconds until the limit resets. */
  readonly seconds: number;
}

const PRUNED_EVERY_MS = 30_000;
/** Length of the counting window. Older rows have no effect. */
export const ATTEMPTS_KEPT_MINUTES = 1;
/** Rows per batch. Batches repeat until none are left. */
export const PRUNED_AT_ONCE = 1_000;

/** $1: maximum number of rows, oldest first. */
export const PRUNE_EXCHANGE_ATTEMPTS = `
DELETE FROM identity.exchange_attempts WHERE subject = ANY (ARRAY(
  SELECT subject FROM identity.exchange_attempts WHERE began_at <= platform.now() - interval '${ATTEMPTS_KEPT_MINUTES} minutes'
  ORDER BY began_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING 1`;

/** Updates the row only if an attempt is left or the minute is over. Returns no row for a refused attempt. */
const TAKE = `
INSERT INTO identity.exchange_attempts AS a (subject, began_at, taken) VALUES ($1, platform.now(), 1)
ON CONFLICT (subject) DO UPDATE SET
  began_at = CASE WHEN a.began_at > excluded.began_at - interval '1 minute' THEN a.began_at ELSE excluded.began_at END,
  taken = CASE WHEN a.began_at > excluded.began_at - interval '1 minute' THEN a.taken + 1 ELSE 1 END
WHERE a.taken < $2 OR a.began_at <= excluded.began_at - interval '1 minute'
RETURNING taken, ceil(extract(epoch FROM a.began_at + interval '1 minute' - platform.now()))::integer AS seconds`;

/** Deletes the row at a count of one, because a row counts at least one attempt. */
const GIVE_BACK = `
WITH gone AS (DELETE FROM identity.exchange_attempts WHERE subject = $1 AND taken = 1)
UPDATE identity.exchange_attempts SET taken = taken - 1 WHERE subject = $1 AND taken > 1`;

const WAIT = `
SELECT ceil(extract(epoch FROM began_at + interval '1 minute' - platform.now()))::integer AS seconds
FROM identity.exchange_attempts
WHERE subject = $1 AND taken >= $2 AND began_at > platform.now() - interval '1 minute'`;

/** One count shared by all callers. */
const ALL_CALLERS: Caller = [{ name: 'everybody', share: 1 }];

/** Counts token exchanges and pairings exactly across all replicas. A one-minute window begins with its first attempt. */
@Injectable()
export class ExchangeAttempts implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new EventLogger('token exchanges', IDENTITY_LOG_EVENTS);
  private readonly refusals = new RecentRefusals();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly settings: IdentitySettings,
  ) {}

  /** @throws RateLimited; the refused exchange is not counted */
  takeToken(keyId: string, caller: Caller): Promise<AttemptsLeft> {
    return this.takeOf(caller, ['token', keyId], this.settings.exchanges);
  }

  /** Counts a wrong secret for the key and caller together, and for the caller. @throws RateLimited above either limit */
  async takeFailure(keyId: string, caller: Caller): Promise<AttemptsLeft> {
    // Must come first: above this limit, no rows are stored for made-up keys.
    await this.takeOf(caller, ['failed'], this.settings.allFailedExchanges);
    return this.takeOf(caller, ['failed', keyId], this.settings.failedExchanges);
  }

  /** @throws RateLimited; the refused attempt is not counted */
  async takePairing(caller: Caller): Promise<void> {
    await this.takeOf(caller, ['pairing'], this.settings.failedPairings);
  }

  /** Counts an attempt above the caller's limit against the limit shared by all callers. @throws RateLimited */
  async takePairingBeyond(): Promise<void> {
    await this.takeOf(ALL_CALLERS, ['pairing'], this.settings.pairingsBeyond);
  }

  /** Removes a successful attempt from the count. Never throws: the caller is about to return a secret that cannot be returned again. */
  async givePairingBack(caller: Caller): Promise<void> {
    try {
      for (const { name } of caller) await this.database.query(GIVE_BACK, [subjectOf('pairing', name)]);
    } catch (error) {
      this.log.write('pairings.count_not_restored', { reason: String(error) });
    }
  }

  /** Counts an attempt in each address range of the caller. @returns the remaining attempts of the narrowest range */
  private async takeOf(caller: Caller, parts: readonly string[], policy: RatePolicy): Promise<AttemptsLeft> {
    let narrowest: AttemptsLeft | undefined;
    for (const { name, share } of caller) {
      const subject = subjectOf(...parts, name);
      const left = await this.refusals.runUnlessRefused(subject.toString('latin1'), () =>
        this.takeOne(subject, { ...policy, quota: policy.quota * share }),
      );
      narrowest ??= left;
    }
    return narrowest!;
  }

  private async takeOne(subject: Buffer, policy: RatePolicy): Promise<AttemptsLeft> {
    const { quota } = policy;
    const [row] = await this.database.query<{ taken: number; seconds: number }>(TAKE, [subject, quota]);
    if (row !== undefined) return { policy, left: quota - row.taken, seconds: row.seconds };
    const [{ seconds } = { seconds: 1 }] = await this.database.query<{ seconds: number }>(WAIT, [
      subject,
      quota,
    ]);
    throw new RateLimited(Math.max(1, seconds), policy);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.prune().catch((error) => this.log.write('exchanges.not_pruned', { reason: String(error) }));
    }, PRUNED_EVERY_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Removes expired counts in batches. */
  async prune(): Promise<void> {
    let gone: object[];
    do gone = await this.database.query(PRUNE_EXCHANGE_ATTEMPTS, [PRUNED_AT_ONCE]);
    while (gone.length === PRUNED_AT_ONCE);
  }
}

/** Hashes the subject, so that its length does not depend on the caller's key. */
function subjectOf(...parts: string[]): Buffer {
  return createHash('sha256').update(parts.join('\0')).digest();
}
