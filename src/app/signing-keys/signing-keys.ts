import type { TokenKey } from '#contexts/identity/infrastructure/identity-settings.js';
import type { NaspipKey } from '#contexts/payments/application/requests/payments-settings.js';
import type { SigningKeyRing } from '#shared/kernel/signing-key-ring.js';

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
