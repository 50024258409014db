import type { KeyObject } from 'node:crypto';
import type { NaspipInstruction, NaspipPayment, NaspipUrlPayload } from './naspip-payload.js';
import { checkNaspipPayload } from './naspip-rules.js';
import { encodeNaspipToken, isNaspipKeyName, type NaspipPublicKeys } from './naspip-token.js';
import { paserkOfPublicKey, secretKeyFromPaserk } from './paserk.js';

export interface NaspipSigningKey {
  issuer: string;
  keyId: string;
  secretKey: string;
  keyExpiresAt: Date;
}

/** A payment instruction before signing. */
export type UnsignedInstruction = Omit<NaspipInstruction, 'payment'> & {
  payment: Omit<NaspipPayment, 'expiresAt'>;
};

export interface NaspipTokenRequest {
  payload: UnsignedInstruction | NaspipUrlPayload;
  issuedAt: Date;
  expiresAt: Date;
}

/** Signs payment tokens with one key. */
export class NaspipSigner {
  readonly #secretKey: KeyObject;
  readonly #publicKey: string;
  readonly #implicitAssertion: Uint8Array;
  readonly #kep: string;

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
   * @throws NaspipTokenInvalid if a wallet would reject the payload, RangeError if the token would outlive the key or
   * expires before it is issued
   */
  sign({ payload, issuedAt, expiresAt }: NaspipTokenRequest): string {
    if (expiresAt <= issuedAt) throw new RangeError('a NASPIP token must expire after it is issued');
    if (expiresAt > this.key.keyExpiresAt)
      throw new RangeError(`the NASPIP key expires at ${this.#kep}: rotate it`);
    const complete =
      'payment' in payload ? { ...payload, payment: { ...payload.payment, expiresAt } } : payload;
    checkNaspipPayload(complete, expiresAt, issuedAt);

    const claims = {
      exp: expiresAt.toISOString(),
      iat: issuedAt.toISOString(),
      kid: this.key.keyId,
      kep: this.#kep,
      kis: this.key.issuer,
    };
    return encodeNaspipToken(claims, complete, this.#secretKey, this.#implicitAssertion);
  }

  publicKeys(): NaspipPublicKeys {
    return { [this.key.issuer]: { [this.key.keyId]: { publicKey: this.#publicKey, kep: this.#kep } } };
  }
}
