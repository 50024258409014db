import type { ServiceEnvironment } from '../domain/key-id.js';

export interface TokenKey {
  /** Names the key in a token's header, so that keys can rotate. */
  readonly kid: string;
  /** Exactly 256 bits. */
  readonly secret: Uint8Array;
}

export class IdentitySettings {
  constructor(
    readonly environment: ServiceEnvironment,
    /** The first signs; all of them are accepted. */
    readonly tokenKeys: readonly TokenKey[],
    /** `iss` of tokens. */
    readonly issuer: string,
    /** `aud` of tokens; another for each environment. */
    readonly audience: string,
    readonly tokenLifetimeSeconds: number = 3600,
  ) {
    if (tokenKeys.length === 0) throw new Error('Signing tokens wants at least one key.');
    if (tokenKeys.some(({ secret }) => secret.length !== 32))
      throw new Error('A token key is 256 bits long.');
    if (new Set(tokenKeys.map(({ kid }) => kid)).size !== tokenKeys.length) {
      throw new Error('Two token keys have the same kid.');
    }
  }
}
