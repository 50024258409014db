import { type KeyObject, createSecretKey, hkdfSync } from 'node:crypto';

/** 256 bits that other secrets are derived from. Kept where neither logs, errors nor JSON show them. */
export class MasterSecret {
  readonly #secret: KeyObject;

  /** @param digits 64 hexadecimal digits, with or without `0x` @throws Error without what was given */
  constructor(digits: string) {
    if (!/^(?:0x)?[0-9a-fA-F]{64}$/.test(digits))
      throw new Error('A master secret is 64 hexadecimal digits.');
    this.#secret = createSecretKey(Buffer.from(digits.replace(/^0x/, ''), 'hex'));
  }

  /** HKDF-SHA256 (RFC 5869) without a salt. @param info that tells what is derived from anything else */
  derive(info: string, bytes: number): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, Buffer.alloc(0), info, bytes));
  }
}
