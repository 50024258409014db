import { describe, expect, it } from '@jest/globals';
import { flattenedVerify } from 'jose';
import { canonicalJson, signDetached } from './detached-jws.js';
import { generatePaserkKeyPair, publicKeyFromPaserk, secretKeyFromPaserk } from './paserk.js';

const AT = new Date('2026-03-01T12:00:00.900Z');
const pair = generatePaserkKeyPair();
const by = { issuer: 'pay.example', keyId: 'key-1', secretKey: secretKeyFromPaserk(pair.secretKey) };

/** A library of others verifies. */
function verified(signature: string, payload: string, publicKey = pair.publicKey) {
  const [header = '', , value = ''] = signature.split('.');
  const jws = { protected: header, payload: Buffer.from(payload).toString('base64url'), signature: value };
  return flattenedVerify(jws, publicKeyFromPaserk(publicKey));
}

describe('A detached signature', () => {
  it('is that of RFC 7515, and names its key, its kind and its time', async () => {
    const payload = canonicalJson({ name: 'Café ☕', amount: '12.5' });

    const { protectedHeader } = await verified(signDetached(payload, 'thing+jws', AT, by), payload);

    expect(protectedHeader).toEqual({
      alg: 'EdDSA',
      typ: 'thing+jws',
      iss: 'pay.example',
      kid: 'key-1',
      iat: 1_772_366_400,
    });
  });

  it('is of its payload and its key alone', async () => {
    const signature = signDetached('{"a":1}', 'thing+jws', AT, by);

    await expect(verified(signature, '{"a":2}')).rejects.toThrow('signature verification failed');
    await expect(verified(signature, '{"a":1}', generatePaserkKeyPair().publicKey)).rejects.toThrow(
      'signature verification failed',
    );
  });
});

describe('Canonical JSON', () => {
  it('has its members in the order of UTF-16 units, as RFC 8785 has them in its example', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    const value = Object.fromEntries(keys.map((key) => [key, key]));

    expect(canonicalJson(value)).toBe(
      `{${sorted.map((key) => `${JSON.stringify(key)}:${JSON.stringify(key)}`).join(',')}}`,
    );
    expect(canonicalJson({ b: [true, { d: null, c: 'x' }], a: undefined })).toBe(
      '{"b":[true,{"c":"x","d":null}]}',
    );
  });
});
