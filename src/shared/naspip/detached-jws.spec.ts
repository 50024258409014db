import { describe, expect, it } from '@jest/globals';
import { flattenedVerify } from 'jose';
import { rfc8785Json, signDetachedJws } from './detached-jws.js';
import { generatePaserkKeyPair, publicKeyFromPaserk, secretKeyFromPaserk } from './paserk.js';

const AT = new Date('2026-03-01T12:00:00.900Z');
const pair = generatePaserkKeyPair();
const by = { issuer: 'pay.example', keyId: 'key-1', secretKey: secretKeyFromPaserk(pair.secretKey) };

/** Verifies the signature with an independent library. */
function verified(signature: string, payload: string, publicKey = pair.publicKey) {
  const [header = '', , value = ''] = signature.split('.');
  const jws = { protected: header, payload: Buffer.from(payload).toString('base64url'), signature: value };
  return flattenedVerify(jws, publicKeyFromPaserk(publicKey));
}

describe('A detached signature', () => {
  it('conforms to RFC 7515, and names its key, type and time', async () => {
    const payload = rfc8785Json({ name: 'Café ☕', amount: '12.5' });

    const { protectedHeader } = await verified(signDetachedJws(payload, 'thing+jws', AT, by), payload);

    expect(protectedHeader).toEqual({
      alg: 'EdDSA',
      typ: 'thing+jws',
      iss: 'pay.example',
      kid: 'key-1',
      iat: 1_772_366_400,
    });
  });

  it('is valid for its payload and key only', async () => {
    const signature = signDetachedJws('{"a":1}', 'thing+jws', AT, by);

    await expect(verified(signature, '{"a":2}')).rejects.toThrow('signature verification failed');
    await expect(verified(signature, '{"a":1}', generatePaserkKeyPair().publicKey)).rejects.toThrow(
      'signature verification failed',
    );
  });
});
