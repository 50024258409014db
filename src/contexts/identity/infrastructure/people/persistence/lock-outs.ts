import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { RateLimitRejectionCache } from '#shared/platform/http/callers/rate-limit-rejection-cache.js';
import type { CallerAddressRanges } from '#shared/kernel/rate-limits.js';
import { Database } from '#shared/platform/database/database.js';
import {
  IP_ADDRESS_BACK_OFF,
  type CodeCounterKey,
  type GuessCounterKey,
  waitSecondsAfter,
  type BackOff,
} from '#contexts/identity/domain/people/lock-out.js';

const GUESSES_FORGOTTEN_AFTER = "interval '1 day'";

/** No row during a wait. `$2`: seconds to wait after the first, second, … guess. */
const COUNT_GUESS = `
INSERT INTO identity.sign_in_failures AS f (subject, failures, locked_until)
VALUES ($1, 1, platform.now() + make_interval(secs => ($2::integer[])[1]))
ON CONFLICT (subject) DO UPDATE SET
  failures = CASE WHEN f.locked_until < platform.now() - ${GUESSES_FORGOTTEN_AFTER} THEN 1 ELSE f.failures + 1 END,
  locked_until = platform.now() + make_interval(secs => ($2::integer[])[
    CASE WHEN f.locked_until < platform.now() - ${GUESSES_FORGOTTEN_AFTER} THEN 1
      ELSE least(f.failures + 1, array_length($2::integer[], 1)) END])
WHERE f.locked_until <= platform.now()
RETURNING 1`;

/**
 * No row if the limit is used up. `$2`: codes in succession, `$3`: seconds per further code. `locked_until` is at
 * most `($2 - 1) * $3` seconds in the past, which represents an unused limit.
 */
const COUNT_CODE = `
INSERT INTO identity.sign_in_failures AS f (subject, failures, locked_until)
VALUES ($1, 1, platform.now() - make_interval(secs => ($2::integer - 2) * $3::integer))
ON CONFLICT (subject) DO UPDATE SET
  failures = f.failures + 1,
  locked_until = greatest(f.locked_until, platform.now() - make_interval(secs => ($2::integer - 1) * $3::integer))
    + make_interval(secs => $3::integer)
WHERE f.locked_until <= platform.now()
RETURNING 1`;

/** Counted exactly across all processes. */
@Injectable()
export class LockOuts {
  private readonly refusals = new RateLimitRejectionCache();

  constructor(private readonly database: Database) {}

  /** Counts before verification, so that concurrent guesses are all counted. @throws RateLimited */
  async countGuess({ parts, backOff }: GuessCounterKey): Promise<void> {
    await this.countSubjectGuess(hashSubject(parts), backOff);
  }

  /** Refusals are cached for up to a second. @param act the kind of guess @throws RateLimited */
  async countCallerGuess(caller: CallerAddressRanges, act: string): Promise<void> {
    for (const { name, share } of caller) {
      const subject = hashSubject([act, name]);
      const backOff = { ...IP_ADDRESS_BACK_OFF, free: IP_ADDRESS_BACK_OFF.free * share };
      await this.refusals.runUnlessRefused(subject.toString('latin1'), () =>
        this.countSubjectGuess(subject, backOff),
      );
    }
  }

  private async countSubjectGuess(subject: Buffer, backOff: BackOff): Promise<void> {
    const taken = await this.database.query(COUNT_GUESS, [subject, waitSecondsOf(backOff)]);
    if (taken.length === 0) await this.throwRateLimited(subject);
  }

  /** Counts before verification. @throws RateLimited */
  async countSecondFactorAttempt({
    parts,
    allowance: { atOnce, everySeconds },
  }: CodeCounterKey): Promise<void> {
    const subject = hashSubject(parts);
    const taken = await this.database.query(COUNT_CODE, [subject, atOnce, everySeconds]);
    if (taken.length === 0) await this.throwRateLimited(subject);
  }

  private async throwRateLimited(subject: Buffer): Promise<never> {
    const [row] = await this.database.query<{ seconds: number }>(
      `SELECT ceil(extract(epoch FROM locked_until - platform.now()))::integer AS seconds
       FROM identity.sign_in_failures WHERE subject = $1`,
      [subject],
    );
    throw new RateLimited(Math.max(1, row?.seconds ?? 1), undefined, 'Too many failed attempts.');
  }

  async clearGuesses({ parts }: GuessCounterKey): Promise<void> {
    await this.database.query('DELETE FROM identity.sign_in_failures WHERE subject = $1', [
      hashSubject(parts),
    ]);
  }

  async uncountCallerGuess(caller: CallerAddressRanges, act: string): Promise<void> {
    const subjects = caller.map(({ name }) => hashSubject([act, name]));
    await this.database.query(
      `UPDATE identity.sign_in_failures SET failures = greatest(failures - 1, 0), locked_until = platform.now()
       WHERE subject = ANY ($1)`,
      [subjects],
    );
  }

  async uncountSecondFactorAttempt({ parts, allowance }: CodeCounterKey): Promise<void> {
    await this.database.query(
      `UPDATE identity.sign_in_failures
       SET failures = greatest(failures - 1, 0), locked_until = locked_until - make_interval(secs => $2) WHERE subject = $1`,
      [hashSubject(parts), allowance.everySeconds],
    );
  }
}

/** The last value applies to all further guesses. */
function waitSecondsOf(backOff: BackOff): number[] {
  const waits: number[] = [];
  while (waits.at(-1) !== backOff.maxWaitSeconds) waits.push(waitSecondsAfter(waits.length + 1, backOff));
  return waits;
}

function hashSubject(parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\0')).digest();
}
