import type { AccessTokenSigningKey } from '#contexts/identity/infrastructure/identity-settings.js';
import type { NaspipKey } from '#contexts/payments/application/requests/payments-settings.js';
import { type ScheduledSigningKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';

export interface SigningKeyLists {
  readonly token: readonly AccessTokenSigningKey[];
  readonly naspip: readonly NaspipKey[];
}

export type SigningKeyKind = keyof SigningKeyLists;

export const SIGNING_KEY_KINDS: readonly SigningKeyKind[] = ['token', 'naspip'];

export interface SigningKeys {
  readonly token: SigningKeyRing<AccessTokenSigningKey>;
  readonly naspip: SigningKeyRing<NaspipKey>;
  readonly file?: SigningKeysSource;
}

export interface SigningKeysSource {
  readonly path: string;
  readonly text: string;
  readonly read: (text: string, now: Date) => SigningKeyLists;
}

/** Token keys sign payers' cookies too. Access tokens expire earlier. */
const PAYER_COOKIE_SECONDS = 86_400;
/** For clock skew and processes that reload the file at different times. */
const CLOCK_SKEW_SECONDS = 60;

export interface SigningKeyState {
  /** `published`: verifies now and signs later. `verifying`: only verifies. `expired`: signatures are rejected. */
  readonly state: 'published' | 'signing' | 'verifying' | 'expired';
  readonly signsUntil: Date | null;
  /** Time at which the last signatures expire. Null if no later key replaces the key. */
  readonly neededUntil: Date | null;
}

/** @param windowSeconds validity of payment tokens */
export function signingKeyStateOf(
  kind: SigningKeyKind,
  key: ScheduledSigningKey,
  all: readonly ScheduledSigningKey[],
  { now, windowSeconds }: { now: Date; windowSeconds: number },
): SigningKeyState {
  const ring = new SigningKeyRing(all);
  const signsUntil = ring.signingEndOf(key);
  const validSeconds = (kind === 'token' ? PAYER_COOKIE_SECONDS : windowSeconds) + CLOCK_SKEW_SECONDS;
  return { state: stateAt(now), signsUntil, neededUntil: neededUntil() };

  function stateAt(at: Date): SigningKeyState['state'] {
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
