import type { TokenKey } from '#contexts/identity/infrastructure/identity-settings.js';
import type { NaspipKey } from '#contexts/payments/application/requests/payments-settings.js';
import { type ScheduledKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';

/** All keys that sign tokens, as read from one version of the file or settings. */
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
  /** File with the signing keys. Absent if settings fix the keys. */
  readonly file?: SigningKeysSource;
}

export interface SigningKeysSource {
  readonly path: string;
  /** Contents of the signing keys file at startup. */
  readonly text: string;
  /** Parses the contents of the file. @throws InvalidSigningKeys */
  readonly read: (text: string, now: Date) => SigningKeyLists;
}

/**
 * Lifetime in seconds of payers' cookies, which token keys sign. Access tokens, signed by the same keys, expire
 * earlier.
 */
const PAYER_COOKIE_SECONDS = 86_400;
/** Seconds added for clock skew and for processes that reload the file at different times. */
const CLOCK_SKEW_SECONDS = 60;

export interface KeyState {
  /**
   * State of the key.
   * - `published`: verifies now and signs later.
   * - `signing`: signs now.
   * - `verifying`: only verifies signatures.
   * - `expired`: its signatures are no longer accepted.
   */
  readonly state: 'published' | 'signing' | 'verifying' | 'expired';
  /** Time from which a later key signs. Null for the last key of its kind. */
  readonly signsUntil: Date | null;
  /** Time at which the last signatures of the key expire. Null if no later key replaces it. */
  readonly neededUntil: Date | null;
}

/** Determines the state of a key. @param windowSeconds validity of payment tokens */
export function stateOfKey(
  kind: SigningKeyKind,
  key: ScheduledKey,
  all: readonly ScheduledKey[],
  { now, windowSeconds }: { now: Date; windowSeconds: number },
): KeyState {
  const ring = new SigningKeyRing(all);
  const signsUntil = ring.signingEndOf(key);
  const validSeconds = (kind === 'token' ? PAYER_COOKIE_SECONDS : windowSeconds) + CLOCK_SKEW_SECONDS;
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
