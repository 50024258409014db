import type { KeyObject } from 'node:crypto';
import type { NaspipInstruction, NaspipPayment, NaspipUrl } from './naspip-payload.js';
import { checkPayload } from './naspip-rules.js';
import { encode, isNaspipKeyName, type NaspipPublicKeys } from './naspip-token.js';
import { paserkOfPublicKey, secretKeyFromPaserk } from './paserk.js';

export interface NaspipSigningKey {
  /** `kis`: whose key it is, 5 to 20 characters. */
  issuer: string;
  /** `kid`, 5 to 20 characters. */
  keyId: string;
  /** PASERK `k4.secret.` string. */
  secretKey: string;
  keyExpiresAt: Date;
}

/** A payment instruction without its own expiry, which is always the token's. */
export type InstructionToSign = Omit<NaspipInstruction, 'payment'> & {
  payment: Omit<NaspipPayment, 'expiresAt'>;
};

export interface NaspipTokenRequest {
  payload: InstructionToSign | NaspipUrl;
  issuedAt: Date;
  expiresAt: Date;
}

/** Signs payment tokens with one key, read once. Equal requests make equal tokens. */
export class NaspipSigner {
  readonly #secretKey: KeyObject;
  readonly #publicKey: string;
  readonly #implicitAssertion: Uint8Array;
  readonly #kep: string;

  /** @throws PaserkInvalid for an unreadable key, RangeError for names or an expiry that no wallet would accept */
  constructor(private readonly key: NaspipSigningKey) {
    if (!isNaspipKeyName(key.issuer) || !isNaspipKeyName(key.keyId)) {
      throw new RangeError(
        'the NASPIP key issuer and key id must be 5 to 20 printable ASCII characters without ";"',
      );
    }
    this.#secretKey = secretKeyFromPaserk(key.secretKey);
    this.#publicKey = paserkOfPublicKey(this.#secretKey);
    this.#implicitAssertion = Buffer.from(this.#publicKey, 'ascii');
    this.#kep = key.keyExpiresAt.toISOString();
  }

  /**
   * @throws NaspipTokenInvalid when a wallet would refuse the payload
   * @throws RangeError when the token would outlive the key or is over before it begins
   */
  sign({ payload, issuedAt, expiresAt }: NaspipTokenRequest): string {
    if (expiresAt <= issuedAt) throw new RangeError('a NASPIP token must expire after it is issued');
    if (expiresAt > this.key.keyExpiresAt)
      throw new RangeError(`the NASPIP key expires at ${this.#kep}: rotate it`);
    const complete =
      'payment' in payload ? { ...payload, payment: { ...payload.payment, expiresAt } } : payload;
    checkPayload(complete, expiresAt, issuedAt);

    const claims = {
      exp: expiresAt.toISOString(),
      iat: issuedAt.toISOString(),
      kid: this.key.keyId,
      kep: this.#kep,
      kis: this.key.issuer,
    };
    return encode(claims, complete, this.#secretKey, this.#implicitAssertion);
  }

  /** The document wallets verify with. */
  publicKeys(): NaspipPublicKeys {
    return { [this.key.issuer]: { [this.key.keyId]: { publicKey: this.#publicKey, kep: this.#kep } } };
  }
}
