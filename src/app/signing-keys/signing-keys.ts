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

/** Where the keys of this process come from. */
export interface SigningKeys {
  readonly token: SigningKeyRing<TokenKey>;
  readonly naspip: SigningKeyRing<NaspipKey>;
  /** The source of SIGNING_KEYS_FILE; absent where the keys are fixed by settings. */
  readonly file?: SigningKeysSource;
}

export interface SigningKeysSource {
  readonly path: string;
  /** The file's text at the start. */
  readonly text: string;
  /** @throws InvalidSigningKeys for a version that is not to be used */
  readonly read: (text: string, now: Date) => SigningKeyLists;
}

/** Payers' cookies are kept for so many seconds; access tokens, which the same keys sign, end before. */
const COOKIE_SECONDS = 86_400;
/** Processes read the file some seconds apart, and their clocks differ. */
const ALLOWANCE_SECONDS = 60;

export interface KeyState {
  /** `published`: accepted, signs later; `signing`; `verifying`: what it signed is accepted; `expired`. */
  readonly state: 'published' | 'signing' | 'verifying' | 'expired';
  /** Null: it is the last of its kind. */
  readonly signsUntil: Date | null;
  /** The last token that it signed is valid until then; null while it is the last that signs. */
  readonly neededUntil: Date | null;
}

/** @param windowSeconds for which payment tokens are valid */
export function stateOfKey(
  kind: SigningKeyKind,
  key: ScheduledKey,
  all: readonly ScheduledKey[],
  { now, windowSeconds }: { now: Date; windowSeconds: number },
): KeyState {
  const ring = new SigningKeyRing(all);
  const signsUntil = ring.signsNoMoreFrom(key);
  const validSeconds = (kind === 'token' ? COOKIE_SECONDS : windowSeconds) + ALLOWANCE_SECONDS;
  return { state: stateAt(now), signsUntil, neededUntil: neededUntil() };

  function stateAt(at: Date): KeyState['state'] {
    if (key.endsAt !== null && key.endsAt <= at) return 'expired';
    if (key.signsFrom > at) return 'published';
    return ring.signing(at, at)?.id === key.id ? 'signing' : 'verifying';
  }

  function neededUntil(): Date | null {
    if (signsUntil === null) return null;
    const over = new Date(signsUntil.getTime() + validSeconds * 1000);
    return key.endsAt !== null && key.endsAt < over ? key.endsAt : over;
  }
}
