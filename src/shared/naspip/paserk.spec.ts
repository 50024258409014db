import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  generatePaserkKeyPair,
  PaserkInvalid,
  paserkOfPublicKey,
  paserkOfSecretKey,
  publicKeyFromPaserk,
  secretKeyFromPaserk,
} from './paserk.js';

const bytesOf = (paserk: string) => Buffer.from(paserk.split('.')[2]!, 'base64url');

describe('The PASERK format of a key', () => {
  it('reads back what it has written, and generates different keys', () => {
    const [pair, other] = [generatePaserkKeyPair(), generatePaserkKeyPair()];

    expect(paserkOfSecretKey(secretKeyFromPaserk(pair.secretKey))).toBe(pair.secretKey);
    expect(paserkOfPublicKey(publicKeyFromPaserk(pair.publicKey))).toBe(pair.publicKey);
    expect(bytesOf(pair.secretKey).subarray(32)).toEqual(bytesOf(pair.publicKey));
    expect(other.secretKey).not.toBe(pair.secretKey);
  });

  it('rejects halves of different keys', () => {
    const [one, other] = [generatePaserkKeyPair(), generatePaserkKeyPair()];
    const mixed = Buffer.concat([bytesOf(one.secretKey).subarray(0, 32), bytesOf(other.publicKey)]);

    expect(() => secretKeyFromPaserk(`k4.secret.${mixed.toString('base64url')}`)).toThrow(/halves/);
  });

  it('rejects other forms without quoting them', () => {
    const { secretKey, publicKey } = generatePaserkKeyPair();

    for (const text of [
      '',
      secretKey.slice(0, -2),
      `${secretKey}=`,
      secretKey.replace('k4', 'k2'),
      publicKey,
    ])
      expect(() => secretKeyFromPaserk(text)).toThrow(PaserkInvalid);
    for (const text of [
      '',
      publicKey.slice(0, -2),
      `${publicKey}A`,
      publicKey.replace('k4', 'k3'),
      secretKey,
    ])
      expect(() => publicKeyFromPaserk(text)).toThrow(PaserkInvalid);
    expect(() => publicKeyFromPaserk(secretKey)).not.toThrow(secretKey.slice(10, 30));
  });

  it('accepts Ed25519 only', () => {
    const { publicKey, privateKey } = generateKeyPairSync('x25519');

    expect(() => paserkOfPublicKey(publicKey)).toThrow(PaserkInvalid);
    expect(() => paserkOfSecretKey(privateKey)).toThrow(PaserkInvalid);
    expect(() => paserkOfSecretKey(publicKey)).toThrow(PaserkInvalid);
  });
});
