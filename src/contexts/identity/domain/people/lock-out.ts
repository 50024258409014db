/** How wrong guesses in a row are slowed down. */
export interface BackOff {
  /** Wrong ones without a wait. */
  readonly free: number;
  /** After the first one too many; doubled after each further one. */
  readonly firstWaitSeconds: number;
  /** A wait never ends later, so that guessing locks nobody out for good. */
  readonly maxWaitSeconds: number;
}

/** Passwords of one person, and of one device where it is known. */
export const GUESSES: BackOff = { free: 5, firstWaitSeconds: 30, maxWaitSeconds: 900 };
/** Wrong ones of an address, whomever they are about. */
export const GUESSES_OF_ADDRESS: BackOff = { free: 50, firstWaitSeconds: 30, maxWaitSeconds: 900 };

/** How many wrong codes there may be over time: right ones in between bring none back. */
export interface Allowance {
  readonly atOnce: number;
  /** One more after each such time. */
  readonly everySeconds: number;
}

/** Codes of one person, from all devices and addresses: 22 within a day at most. */
export const CODES_OF_PERSON: Allowance = { atOnce: 10, everySeconds: 7_200 };
/** Of a known device or a session that has shown its factor, once strangers have spent that of the person. */
export const CODES_OF_DEVICE: Allowance = { atOnce: 5, everySeconds: 3_600 };

/** @param failures in a row, this one included @returns seconds */
export function waitAfter(failures: number, { free, firstWaitSeconds, maxWaitSeconds }: BackOff): number {
  if (failures < free) return 0;
  return Math.min(maxWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures - free, 20));
}

/** What is guessed, and the way it is slowed down. */
export interface Guessed {
  /** What identifies it, such as an address or a person's id. */
  readonly parts: readonly string[];
  readonly backOff: BackOff;
}

/** A code that is counted. */
export interface CountedCode {
  readonly parts: readonly string[];
  readonly allowance: Allowance;
}

/** Counted exactly, over all processes. */
export abstract class LockOuts {
  /**
   * Counts a guess as wrong before it is looked at, so that guesses at the same time count each.
   * @throws RateLimited while there is a wait; then it does not count
   */
  abstract take(guessed: Guessed): Promise<void>;
  /** It was right: the guesses of the person begin anew, that of the address is given back. */
  abstract clear(guessed: Guessed): Promise<void>;
  abstract giveBack(guessed: Guessed): Promise<void>;
  /** Takes one of an allowance before the code is looked at; one statement. @throws RateLimited where none is left */
  abstract spend(code: CountedCode): Promise<void>;
  /** It was right: the one that was taken is given back. */
  abstract restore(code: CountedCode): Promise<void>;
}
