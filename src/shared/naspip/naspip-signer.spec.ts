import { describe, expect, it } from '@jest/globals';
import { NaspipSigner, type NaspipTokenRequest } from './naspip-signer.js';
import { NaspipTokenInvalid } from './naspip-token-invalid.js';
import { keyLookupIn, verifyNaspipToken } from './naspip-token.js';
import { generatePaserkKeyPair } from './paserk.js';

const pair = generatePaserkKeyPair();
const key = {
  issuer: 'issuer-one',
  keyId: 'key-one',
  secretKey: pair.secretKey,
  keyExpiresAt: new Date('2027-01-01T00:00:00.000Z'),
};
const issuedAt = new Date('2026-01-01T12:00:00.000Z');
const expiresAt = new Date('2026-01-01T12:08:00.000Z');
const payment = {
  id: 'p1',
  address: '0xabc',
  uniqueAssetId: 'nethereum_t0xdef',
  isOpen: false,
  amount: '1.5',
};
const request: NaspipTokenRequest = { payload: { payment }, issuedAt, expiresAt };

describe('The NASPIP signer', () => {
  it('creates a token that verifies with the published keys and expires with its payment', () => {
    const signer = new NaspipSigner(key);

    const token = signer.sign(request);

    const verified = verifyNaspipToken(token, keyLookupIn(signer.publicKeys()), issuedAt);
    expect(verified.payload).toStrictEqual({ payment: { ...payment, expiresAt } });
    expect(verified.claims).toStrictEqual({
      exp: '2026-01-01T12:08:00.000Z',
      iat: '2026-01-01T12:00:00.000Z',
      kid: 'key-one',
      kep: '2027-01-01T00:00:00.000Z',
      kis: 'issuer-one',
    });
  });

  it('creates equal tokens for equal requests, and publishes its public key only', () => {
    expect(new NaspipSigner(key).sign(request)).toBe(new NaspipSigner(key).sign(request));
    expect(new NaspipSigner(key).publicKeys()).toStrictEqual({
      'issuer-one': { 'key-one': { publicKey: pair.publicKey, kep: '2027-01-01T00:00:00.000Z' } },
    });
  });

  it('removes direction controls from names and descriptions', () => {
    const signer = new NaspipSigner(key);
    const order = {
      description: 'a\u202eb',
      merchant: { name: 'Bar\u2066' },
      items: [{ description: '\u2069tea', quantity: 2 }],
    };

    const token = signer.sign({ ...request, payload: { payment, order } });

    expect(verifyNaspipToken(token, keyLookupIn(signer.publicKeys()), issuedAt).payload).toHaveProperty(
      'order',
      {
        description: 'ab',
        merchant: { name: 'Bar' },
        items: [{ description: 'tea', quantity: 2 }],
      },
    );
  });

  it('rejects payloads that a wallet would reject', () => {
    const signer = new NaspipSigner(key);
    const items = Array.from({ length: 400 }, () => ({ description: 'a rather long line of an order' }));

    for (const payload of [{ payment: { ...payment, amount: '0' } }, { url: 'ftp://host' }]) {
      expect(() => signer.sign({ ...request, payload })).toThrow(NaspipTokenInvalid);
    }
    expect(() => signer.sign({ ...request, payload: { payment, order: { items } } })).toThrow(
      /token_oversized/,
    );
  });

  it('rejects an expiry before the issue or after the end of the key', () => {
    const signer = new NaspipSigner(key);

    expect(() => signer.sign({ ...request, expiresAt: issuedAt })).toThrow(RangeError);
    expect(() => signer.sign({ ...request, expiresAt: new Date('2027-01-01T00:00:00.001Z') })).toThrow(
      /rotate/,
    );
  });

  it('rejects key names that no wallet accepts', () => {
    for (const name of ['four', 'x'.repeat(21), 'with;part', 'with space', 'schlüssel']) {
      expect(() => new NaspipSigner({ ...key, issuer: name })).toThrow(RangeError);
      expect(() => new NaspipSigner({ ...key, keyId: name })).toThrow(RangeError);
    }
  });
});
