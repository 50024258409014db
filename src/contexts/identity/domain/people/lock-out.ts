import type { Caller } from '#shared/kernel/rate-limits.js';

export interface BackOff {
  /** Number of wrong guesses before the first wait. */
  readonly free: number;
  /** First wait; it doubles after each further wrong guess. */
  readonly firstWaitSeconds: number;
  /** Longest wait, so that guessing never locks a person out permanently. */
  readonly maxWaitSeconds: number;
}

/** Applies to the passwords of one person, counted separately for each known device. */
export const GUESSES: BackOff = { free: 5, firstWaitSeconds: 30, maxWaitSeconds: 900 };
/** Applies to wrong guesses from one network address, for any person. */
export const GUESSES_OF_ADDRESS: BackOff = { free: 50, firstWaitSeconds: 30, maxWaitSeconds: 900 };

/** A limit of wrong codes over time. A right code restores nothing. */
export interface Allowance {
  readonly atOnce: number;
  /** One more code is allowed each time this interval passes. */
  readonly everySeconds: number;
}

/** Applies to the codes of one person from all devices and addresses: at most 22 per day. */
export const CODES_OF_PERSON: Allowance = { atOnce: 10, everySeconds: 7_200 };
/** Applies to a known device or verified session, after strangers have used up the person's allowance. */
export const CODES_OF_DEVICE: Allowance = { atOnce: 5, everySeconds: 3_600 };

/** @param failures consecutive failures, including this one @returns seconds */
export function waitAfter(failures: number, { free, firstWaitSeconds, maxWaitSeconds }: BackOff): number {
  if (failures < free) return 0;
  return Math.min(maxWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures - free, 20));
}

export interface Guessed {
  readonly parts: readonly string[];
  readonly backOff: BackOff;
}

export interface CountedCode {
  readonly parts: readonly string[];
  readonly allowance: Allowance;
}

/** Counts exactly across all processes. */
export abstract class LockOuts {
  /**
   * Counts a guess as wrong before it is verified, so that concurrent guesses are all counted.
   * @throws RateLimited during a wait; the guess is then not counted
   */
  abstract take(guessed: Guessed): Promise<void>;
  /** Call it after a right guess. Resets the subject's count to zero. */
  abstract clear(guessed: Guessed): Promise<void>;
  /**
   * Counts a guess by a caller, for any subject. Refusals are cached in memory for up to a second.
   * @param act the kind of guess
   * @throws RateLimited during a wait for any of the caller's address ranges
   */
  abstract takeOf(caller: Caller, act: string): Promise<void>;
  /** Call it after a right guess. Removes only that guess from the caller's count. */
  abstract giveBackOf(caller: Caller, act: string): Promise<void>;
  /** Counts a code before it is verified, in one statement. @throws RateLimited if the allowance is used up */
  abstract spend(code: CountedCode): Promise<void>;
  /** Call it after a right code. Undoes `spend`. */
  abstract restore(code: CountedCode): Promise<void>;
}
