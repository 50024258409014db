export interface BackOff {
  /** Number of wrong guesses that cause no wait. */
  readonly free: number;
  /** Length of the first wait. Each further wrong guess doubles it. */
  readonly firstWaitSeconds: number;
  /** Length of the longest wait. It is limited so that an attacker cannot lock a person out permanently. */
  readonly maxWaitSeconds: number;
}

/** Limits wrong passwords of one person, counted separately for each known device. */
export const PASSWORD_BACK_OFF: BackOff = { free: 5, firstWaitSeconds: 30, maxWaitSeconds: 900 };
/** Limits wrong passwords from one IP address, across all people. */
export const IP_ADDRESS_BACK_OFF: BackOff = { free: 50, firstWaitSeconds: 30, maxWaitSeconds: 900 };

/** Limits wrong codes over time. A correct code does not reset the count. */
export interface CodeAllowance {
  readonly atOnce: number;
  /** Interval after which one more code is allowed. */
  readonly everySeconds: number;
}

/** Limits wrong codes of one person, across all devices and IP addresses: at most 22 per day. */
export const CODE_ALLOWANCE_OF_PERSON: CodeAllowance = { atOnce: 10, everySeconds: 7_200 };
/**
 * Limits wrong codes from a known device or verified session. Applies after strangers have used up the person's limit.
 */
export const CODE_ALLOWANCE_OF_DEVICE: CodeAllowance = { atOnce: 5, everySeconds: 3_600 };

/** @param failures consecutive wrong guesses, including the latest @returns seconds until the next guess is allowed */
export function waitSecondsAfter(
  failures: number,
  { free, firstWaitSeconds, maxWaitSeconds }: BackOff,
): number {
  if (failures < free) return 0;
  return Math.min(maxWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures - free, 20));
}

export interface CountedGuess {
  readonly parts: readonly string[];
  readonly backOff: BackOff;
}

export interface CountedCode {
  readonly parts: readonly string[];
  readonly allowance: CodeAllowance;
}
