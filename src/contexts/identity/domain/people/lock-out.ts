export interface BackOff {
  readonly free: number;
  readonly firstWaitSeconds: number;
  /** Limited, so that an attacker cannot lock a person out permanently. */
  readonly maxWaitSeconds: number;
}

export const PASSWORD_BACK_OFF: BackOff = { free: 5, firstWaitSeconds: 30, maxWaitSeconds: 900 };
export const IP_ADDRESS_BACK_OFF: BackOff = { free: 50, firstWaitSeconds: 30, maxWaitSeconds: 900 };

/** A correct code does not reset the count. */
export interface CodeRateLimit {
  readonly atOnce: number;
  readonly everySeconds: number;
}

/** At most 22 wrong codes per day, across all devices and IP addresses. */
export const PERSON_CODE_RATE_LIMIT: CodeRateLimit = { atOnce: 10, everySeconds: 7_200 };
/** Applies after strangers have used up the person's limit. */
export const KNOWN_BROWSER_FACTOR_RATE_LIMIT: CodeRateLimit = { atOnce: 5, everySeconds: 3_600 };

/** @param failures consecutive wrong guesses */
export function waitSecondsAfter(
  failures: number,
  { free, firstWaitSeconds, maxWaitSeconds }: BackOff,
): number {
  if (failures < free) return 0;
  return Math.min(maxWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures - free, 20));
}

export interface GuessCounterKey {
  readonly parts: readonly string[];
  readonly backOff: BackOff;
}

export interface CodeCounterKey {
  readonly parts: readonly string[];
  readonly allowance: CodeRateLimit;
}
