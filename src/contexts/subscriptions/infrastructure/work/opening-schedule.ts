const MINUTE_MS = 60_000;

/** Pauses after refusals to open a payment request, in minutes; the last one for all that follow. */
const PAUSES = [1, 5, 15, 60];

/** @param refusals how often it was refused before */
export function openAgainAt(refusals: number, now: Date): Date {
  const minutes = PAUSES[Math.min(refusals, PAUSES.length - 1)]!;
  return new Date(now.getTime() + minutes * MINUTE_MS);
}
