/** How wrong guesses in a row are slowed down. */
export interface BackOff {
  /** Wrong ones without a wait. */
  readonly free: number;
  /** After the first one too many; doubled after each further one. */
  readonly firstWaitSeconds: number;
  /** A wait never ends later, so that guessing locks nobody out for good. */
  readonly longestWaitSeconds: number;
}

/** Passwords of one person, and of one device where it is known. */
export const GUESSES: BackOff = { free: 5, firstWaitSeconds: 30, longestWaitSeconds: 900 };
/** Wrong ones of an address, whomever they are about. */
export const GUESSES_OF_ADDRESS: BackOff = { free: 50, firstWaitSeconds: 30, longestWaitSeconds: 900 };

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
export function waitAfter(failures: number, { free, firstWaitSeconds, longestWaitSeconds }: BackOff): number {
  if (failures < free) return 0;
  return Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures - free, 20));
}
