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
