import type { Caller } from '#shared/kernel/rate-limits.js';

/** A lock-out after wrong guesses in a row. */
export interface BackOff {
  /** The number of wrong guesses without a wait. */
  readonly free: number;
  /** The wait after the first guess too many; it doubles after each further one. */
  readonly firstWaitSeconds: number;
  /** No wait is longer, so that guessing locks nobody out for good. */
  readonly maxWaitSeconds: number;
}

/** Passwords of one person, and of one device where it is known. */
export const GUESSES: BackOff = { free: 5, firstWaitSeconds: 30, maxWaitSeconds: 900 };
/** Wrong guesses from one address, whomever they are about. */
export const GUESSES_OF_ADDRESS: BackOff = { free: 50, firstWaitSeconds: 30, maxWaitSeconds: 900 };

/** The number of wrong codes over time; right codes in between restore none. */
export interface Allowance {
  readonly atOnce: number;
  /** One more code is allowed after each such time. */
  readonly everySeconds: number;
}

/** Codes of one person, from all devices and addresses: 22 within a day at most. */
export const CODES_OF_PERSON: Allowance = { atOnce: 10, everySeconds: 7_200 };
/** Codes of a known device or a proven session, counted once strangers have spent the allowance of the person. */
export const CODES_OF_DEVICE: Allowance = { atOnce: 5, everySeconds: 3_600 };

/** @param failures in a row, this one included @returns seconds */
export function waitAfter(failures: number, { free, firstWaitSeconds, maxWaitSeconds }: BackOff): number {
  if (failures < free) return 0;
  return Math.min(maxWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures - free, 20));
}

/** The subject of guesses, and the waits after wrong ones. */
export interface Guessed {
  /** The parts that identify the subject, such as an address or a person's id. */
  readonly parts: readonly string[];
  readonly backOff: BackOff;
}

export interface CountedCode {
  readonly parts: readonly string[];
  readonly allowance: Allowance;
}

/** Counts guesses exactly over all processes, and locks out for a time. */
export abstract class LockOuts {
  /**
   * Counts a guess as wrong before it is looked at, so that guesses at the same time count each.
   * @throws RateLimited while there is a wait; then it does not count
   */
  abstract take(guessed: Guessed): Promise<void>;
  /** Call it after a right guess: the count of the subject starts again from zero. */
  abstract clear(guessed: Guessed): Promise<void>;
  /**
   * Counts a guess of a caller, whomever it is about. Refuses from memory for up to a second.
   * @param act the kind of guess
   * @throws RateLimited while there is a wait for one of the caller's ranges
   */
  abstract takeOf(caller: Caller, act: string): Promise<void>;
  /** Call it after a right guess: only this guess is taken off the caller's count. */
  abstract giveBackOf(caller: Caller, act: string): Promise<void>;
  /** Counts a code before it is looked at; one statement. @throws RateLimited where the allowance is used up */
  abstract spend(code: CountedCode): Promise<void>;
  /** Call it after a right code: the allowance is as before. */
  abstract restore(code: CountedCode): Promise<void>;
}
