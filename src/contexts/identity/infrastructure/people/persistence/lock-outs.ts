import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { RecentRefusals } from '#shared/platform/http/callers/recent-refusals.js';
import type { Caller } from '#shared/kernel/rate-limits.js';
import { Database } from '#shared/platform/database/database.js';
import {
  GUESSES_OF_ADDRESS,
  type CountedCode,
  type Guessed,
  waitAfter,
  type BackOff,
} from '#contexts/identity/domain/people/lock-out.js';

/** A subject without guesses for this long starts again from zero. */
const FORGOTTEN_AFTER = "interval '1 day'";

/** Counts a guess only if no wait is active; returns no row for a refused guess. `$2` lists the wait after the n-th failure. */
const TAKE = `
INSERT INTO identity.sign_in_failures AS f (subject, failures, locked_until)
VALUES ($1, 1, platform.now() + make_interval(secs => ($2::integer[])[1]))
ON CONFLICT (subject) DO UPDATE SET
  failures = CASE WHEN f.locked_until < platform.now() - ${FORGOTTEN_AFTER} THEN 1 ELSE f.failures + 1 END,
  locked_until = platform.now() + make_interval(secs => ($2::integer[])[
    CASE WHEN f.locked_until < platform.now() - ${FORGOTTEN_AFTER} THEN 1
      ELSE least(f.failures + 1, array_length($2::integer[], 1)) END])
WHERE f.locked_until <= platform.now()
RETURNING 1`;

/**
 * `$2`: size of the allowance. `$3`: seconds until one code is restored. `locked_until` is at most `($2 - 1) * $3` seconds in the past,
 * which represents a full allowance.
 */
const SPEND = `
INSERT INTO identity.sign_in_failures AS f (subject, failures, locked_until)
VALUES ($1, 1, platform.now() - make_interval(secs => ($2::integer - 2) * $3::integer))
ON CONFLICT (subject) DO UPDATE SET
  failures = f.failures + 1,
  locked_until = greatest(f.locked_until, platform.now() - make_interval(secs => ($2::integer - 1) * $3::integer))
    + make_interval(secs => $3::integer)
WHERE f.locked_until <= platform.now()
RETURNING 1`;

/** Counts exactly across all processes. */
@Injectable()
export class LockOuts {
  private readonly refusals = new RecentRefusals();

  constructor(private readonly database: Database) {}

  /**
   * Counts a guess as wrong before it is verified, so that concurrent guesses are all counted.
   * @throws RateLimited during a wait; the guess is then not counted
   */
  async take({ parts, backOff }: Guessed): Promise<void> {
    await this.takeBy(subjectOf(parts), backOff);
  }

  /**
   * Counts a guess by a caller, for any subject. Refusals are cached in memory for up to a second.
   * @param act the kind of guess
   * @throws RateLimited during a wait for any of the caller's address ranges
   */
  async takeOf(caller: Caller, act: string): Promise<void> {
    for (const { name, share } of caller) {
      const subject = subjectOf([act, name]);
      const backOff = { ...GUESSES_OF_ADDRESS, free: GUESSES_OF_ADDRESS.free * share };
      await this.refusals.runUnlessRefused(subject.toString('latin1'), () => this.takeBy(subject, backOff));
    }
  }

  private async takeBy(subject: Buffer, backOff: BackOff): Promise<void> {
    const taken = await this.database.query(TAKE, [subject, waitsOf(backOff)]);
    if (taken.length === 0) await this.refuse(subject);
  }

  /** Counts a code before it is verified, in one statement. @throws RateLimited if the allowance is used up */
  async spend({ parts, allowance: { atOnce, everySeconds } }: CountedCode): Promise<void> {
    const subject = subjectOf(parts);
    const taken = await this.database.query(SPEND, [subject, atOnce, everySeconds]);
    if (taken.length === 0) await this.refuse(subject);
  }

  private async refuse(subject: Buffer): Promise<never> {
    const [row] = await this.database.query<{ seconds: number }>(
      `SELECT ceil(extract(epoch FROM locked_until - platform.now()))::integer AS seconds
       FROM identity.sign_in_failures WHERE subject = $1`,
      [subject],
    );
    throw new RateLimited(Math.max(1, row?.seconds ?? 1), undefined, 'Too many failed attempts.');
  }

  /** Call it after a right guess. Resets the subject's count to zero. */
  async clear({ parts }: Guessed): Promise<void> {
    await this.database.query('DELETE FROM identity.sign_in_failures WHERE subject = $1', [subjectOf(parts)]);
  }

  /** Call it after a right guess. Removes only that guess from the caller's count. */
  async giveBackOf(caller: Caller, act: string): Promise<void> {
    const subjects = caller.map(({ name }) => subjectOf([act, name]));
    await this.database.query(
      `UPDATE identity.sign_in_failures SET failures = greatest(failures - 1, 0), locked_until = platform.now()
       WHERE subject = ANY ($1)`,
      [subjects],
    );
  }

  /** Call it after a right code. Undoes `spend`. */
  async restore({ parts, allowance }: CountedCode): Promise<void> {
    await this.database.query(
      `UPDATE identity.sign_in_failures
       SET failures = greatest(failures - 1, 0), locked_until = locked_until - make_interval(secs => $2) WHERE subject = $1`,
      [subjectOf(parts), allowance.everySeconds],
    );
  }
}

/** Waits in seconds after the first, second, … failure. The last one applies to all further failures. */
function waitsOf(backOff: BackOff): number[] {
  const waits: number[] = [];
  while (waits.at(-1) !== backOff.maxWaitSeconds) waits.push(waitAfter(waits.length + 1, backOff));
  return waits;
}

/** Hashes the subject, so that its length does not depend on the typed address. */
function subjectOf(parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\0')).digest();
}
