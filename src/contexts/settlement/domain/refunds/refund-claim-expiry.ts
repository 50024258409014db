import { invalidField } from '#shared/kernel/domain-error.js';

export const CLAIM_DAYS = 30;
export const MAX_CLAIM_DAYS = 366;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** @returns until when the payer can name an address @throws validation_failed */
export function claimExpiry(asked: Date | undefined, now: Date): Date {
  const end = asked ?? new Date(now.getTime() + CLAIM_DAYS * DAY_MS);
  if (end > now && end.getTime() <= now.getTime() + MAX_CLAIM_DAYS * DAY_MS) return end;
  throw invalidField(
    'claim.expires_at',
    'future',
    `must be in the future, at most ${MAX_CLAIM_DAYS} days ahead.`,
  );
}
