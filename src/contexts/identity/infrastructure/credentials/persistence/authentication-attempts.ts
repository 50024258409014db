import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { CallerAddressRanges, RateLimitPolicy } from '#shared/kernel/rate-limits.js';
import { Database } from '#shared/platform/database/database.js';
import { RateLimitRejectionCache } from '#shared/platform/http/callers/rate-limit-rejection-cache.js';
import { IdentitySettings } from '../../identity-settings.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { IDENTITY_LOG_EVENTS } from '../../log-events.js';

export interface AttemptsLeft {
  readonly policy: RateLimitPolicy;
  readonly left: number;
  readonly seconds: number;
}

const PRUNED_EVERY_MS = 30_000;
/** Older rows have no effect and are deleted. */
export const ATTEMPTS_KEPT_MINUTES = 1;
export const PRUNED_AT_ONCE = 1_000;

export const PRUNE_AUTHENTICATION_ATTEMPTS = `
DELETE FROM identity.exchange_attempts WHERE subject = ANY (ARRAY(
  SELECT subject FROM identity.exchange_attempts WHERE began_at <= platform.now() - interval '${ATTEMPTS_KEPT_MINUTES} minutes'
  ORDER BY began_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING 1`;

const COUNT_ATTEMPT = `
INSERT INTO identity.exchange_attempts AS a (subject, began_at, taken) VALUES ($1, platform.now(), 1)
ON CONFLICT (subject) DO UPDATE SET
  began_at = CASE WHEN a.began_at > excluded.began_at - interval '1 minute' THEN a.began_at ELSE excluded.began_at END,
  taken = CASE WHEN a.began_at > excluded.began_at - interval '1 minute' THEN a.taken + 1 ELSE 1 END
WHERE a.taken < $2 OR a.began_at <= excluded.began_at - interval '1 minute'
RETURNING taken, ceil(extract(epoch FROM a.began_at + interval '1 minute' - platform.now()))::integer AS seconds`;

/** A row counts at least one attempt, so a row with a single attempt is deleted. */
const UNCOUNT_ATTEMPT = `
WITH gone AS (DELETE FROM identity.exchange_attempts WHERE subject = $1 AND taken = 1)
UPDATE identity.exchange_attempts SET taken = taken - 1 WHERE subject = $1 AND taken > 1`;

const READ_WAIT_SECONDS = `
SELECT ceil(extract(epoch FROM began_at + interval '1 minute' - platform.now()))::integer AS seconds
FROM identity.exchange_attempts
WHERE subject = $1 AND taken >= $2 AND began_at > platform.now() - interval '1 minute'`;

const ALL_CALLERS: CallerAddressRanges = [{ name: 'everybody', share: 1 }];

/** Per minute, counted across all replicas. */
@Injectable()
export class AuthenticationAttempts implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new OperatorLogWriter('token exchanges', IDENTITY_LOG_EVENTS);
  private readonly refusals = new RateLimitRejectionCache();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly settings: IdentitySettings,
  ) {}

  /** A refused exchange is not counted. @throws RateLimited */
  countTokenExchange(keyId: string, caller: CallerAddressRanges): Promise<AttemptsLeft> {
    return this.countForCaller(caller, ['token', keyId], this.settings.exchanges);
  }

  /** Counts for the key from this caller, and for the caller. @throws RateLimited */
  async countFailedTokenExchange(keyId: string, caller: CallerAddressRanges): Promise<AttemptsLeft> {
    // A refused caller stores no rows for invented keys.
    await this.countForCaller(caller, ['failed'], this.settings.allFailedExchanges);
    return this.countForCaller(caller, ['failed', keyId], this.settings.failedExchanges);
  }

  /** A refused attempt is not counted. @throws RateLimited */
  async countPairing(caller: CallerAddressRanges): Promise<void> {
    await this.countForCaller(caller, ['pairing'], this.settings.failedPairings);
  }

  /** Against the limit of all callers. @throws RateLimited */
  async countPairingAgainstSharedLimit(): Promise<void> {
    await this.countForCaller(ALL_CALLERS, ['pairing'], this.settings.sharedPairings);
  }

  /** Never throws, because the caller is about to return a secret that exists only once. */
  async uncountPairing(caller: CallerAddressRanges): Promise<void> {
    try {
      for (const { name } of caller)
        await this.database.query(UNCOUNT_ATTEMPT, [hashSubject('pairing', name)]);
    } catch (error) {
      this.log.write('pairings.count_not_restored', { reason: String(error) });
    }
  }

  /** @returns the remaining attempts of the narrowest range */
  private async countForCaller(
    caller: CallerAddressRanges,
    parts: readonly string[],
    policy: RateLimitPolicy,
  ): Promise<AttemptsLeft> {
    let narrowest: AttemptsLeft | undefined;
    for (const { name, share } of caller) {
      const subject = hashSubject(...parts, name);
      const left = await this.refusals.runUnlessRefused(subject.toString('latin1'), () =>
        this.countForSubject(subject, { ...policy, quota: policy.quota * share }),
      );
      narrowest ??= left;
    }
    return narrowest!;
  }

  private async countForSubject(subject: Buffer, policy: RateLimitPolicy): Promise<AttemptsLeft> {
    const { quota } = policy;
    const [row] = await this.database.query<{ taken: number; seconds: number }>(COUNT_ATTEMPT, [
      subject,
      quota,
    ]);
    if (row !== undefined) return { policy, left: quota - row.taken, seconds: row.seconds };
    const [{ seconds } = { seconds: 1 }] = await this.database.query<{ seconds: number }>(READ_WAIT_SECONDS, [
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

  async prune(): Promise<void> {
    let gone: object[];
    do gone = await this.database.query(PRUNE_AUTHENTICATION_ATTEMPTS, [PRUNED_AT_ONCE]);
    while (gone.length === PRUNED_AT_ONCE);
  }
}

function hashSubject(...parts: string[]): Buffer {
  return createHash('sha256').update(parts.join('\0')).digest();
}
