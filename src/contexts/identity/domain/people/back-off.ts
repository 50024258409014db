/** How wrong guesses in a row are slowed down. */
export interface BackOff {
  /** Wrong ones without a wait. */
  readonly free: number;
  /** After the first one too many; doubled after each further one. */
  readonly firstWaitSeconds: number;
  /** A wait never ends later, so that guessing locks nobody out for good. */
  readonly longestWaitSeconds: number;
}

/** Passwords and codes of one person, and of one device where it is known. */
export const GUESSES: BackOff = { free: 5, firstWaitSeconds: 30, longestWaitSeconds: 900 };
/** Wrong ones of an address, whomever they are about. */
export const GUESSES_OF_ADDRESS: BackOff = { free: 50, firstWaitSeconds: 30, longestWaitSeconds: 900 };

/** @param failures in a row, this one included @returns seconds */
export function waitAfter(failures: number, { free, firstWaitSeconds, longestWaitSeconds }: BackOff): number {
  if (failures < free) return 0;
  return Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures - free, 20));
}
