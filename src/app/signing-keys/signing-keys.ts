import type { TokenKey } from '#contexts/identity/infrastructure/identity-settings.js';
import type { NaspipKey } from '#contexts/payments/application/requests/payments-settings.js';
import { type ScheduledKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';

/** One version of all keys that sign tokens. */
export interface SigningKeyLists {
  /** Keys that sign access tokens. */
  readonly token: readonly TokenKey[];
  /** Keys that sign payment tokens. */
  readonly naspip: readonly NaspipKey[];
}

export type SigningKeyKind = keyof SigningKeyLists;

export const SIGNING_KEY_KINDS: readonly SigningKeyKind[] = ['token', 'naspip'];

export interface SigningKeys {
  readonly token: SigningKeyRing<TokenKey>;
  readonly naspip: SigningKeyRing<NaspipKey>;
  /** Absent if settings fix the keys. */
  readonly file?: SigningKeysSource;
}

export interface SigningKeysSource {
  readonly path: string;
  /** Contents of the file at startup. */
  readonly text: string;
  /** @throws InvalidSigningKeys for an invalid version */
  readonly read: (text: string, now: Date) => SigningKeyLists;
}

/** Lifetime of payers' cookies. The same keys sign access tokens, which expire earlier. */
const COOKIE_SECONDS = 86_400;
/** Allows for clock differences, and for processes reloading the file at different times. */
const ALLOWANCE_SECONDS = 60;

export interface KeyState {
  /**
   * - `published`: verifies, and signs later.
   * - `signing`: signs now.
   * - `verifying`: only verifies.
   * - `expired`: no longer accepted.
   */
  readonly state: 'published' | 'signing' | 'verifying' | 'expired';
  /** Null for the last key of its kind. */
  readonly signsUntil: Date | null;
  /** When its last signatures expire; null if no later key replaces it. */
  readonly neededUntil: Date | null;
}

/** @param windowSeconds validity of payment tokens */
export function stateOfKey(
  kind: SigningKeyKind,
  key: ScheduledKey,
  all: readonly ScheduledKey[],
  { now, windowSeconds }: { now: Date; windowSeconds: number },
): KeyState {
  const ring = new SigningKeyRing(all);
  const signsUntil = ring.signingEndOf(key);
  const validSeconds = (kind === 'token' ? COOKIE_SECONDS : windowSeconds) + ALLOWANCE_SECONDS;
  return { state: stateAt(now), signsUntil, neededUntil: neededUntil() };

  function stateAt(at: Date): KeyState['state'] {
    if (key.endsAt !== null && key.endsAt <= at) return 'expired';
    if (key.signsFrom > at) return 'published';
    return ring.signingKeyAt(at, at)?.id === key.id ? 'signing' : 'verifying';
  }

  function neededUntil(): Date | null {
    if (signsUntil === null) return null;
    const over = new Date(signsUntil.getTime() + validSeconds * 1000);
    return key.endsAt !== null && key.endsAt < over ? key.endsAt : over;
  }
}
