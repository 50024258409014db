import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { paserkOfPublicKey, publicKeyFromPaserk, secretKeyFromPaserk } from './paserk.js';
import {
  parseV4Public,
  preAuthenticationEncoding,
  signV4Public,
  verifyV4Public,
} from './paseto-v4-public.js';

const text = (value: string) => Buffer.from(value, 'utf8');
const secretKey = secretKeyFromPaserk(
  `k4.secret.${Buffer.from(
    'b4cbfb43df4ce210727d953e4a713307fa19bb7d9f85041438d9e11b942a3774' +
      '1eb9dbbbbc047c03fd70604e0071f0987e16b28b757225c11f00415d0e20b1a2',
    'hex',
  ).toString('base64url')}`,
);
const publicKey = publicKeyFromPaserk(paserkOfPublicKey(secretKey));
const message = text('{"data":"this is a signed message","exp":"2022-01-01T00:00:00+00:00"}');
const footer = text('{"kid":"zVhMiPBP9fRf2snEcT7gFTioeA9COcNy9DfgL1W60haN"}');

/** Official PASETO test vectors, github.com/paseto-standard/test-vectors, v4.json. */
const vectors = [
  {
    name: '4-S-1',
    extras: {},
    signature: 'bg_XBBzds8lTZShVlwwKSgeKpLT3yukTw6JUz3W4h_ExsQV-P0V54zemZDcAxFaSeef1QlXEFtkqxT1ciiQEDA',
  },
  {
    name: '4-S-2',
    extras: { footer },
    signature: 'v3Jt8mx_TdM2ceTGoqwrh4yDFn0XsHvvV_D0DtwQxVrJEBMl0F2caAdgnpKlt4p7xBnx1HcO-SPo8FPp214HDw',
  },
  {
    name: '4-S-3',
    extras: { footer, implicitAssertion: text('{"test-vector":"4-S-3"}') },
    signature: 'NPWciuD3d0o5eXJXG5pJy-DiVEoyPYWs1YSTwWHNJq6DZD3je5gf-0M4JR9ipdUSJbIovzmBECeaWmaqcaP0DQ',
  },
];

describe('PASETO v4.public', () => {
  it.each(vectors)('signs and verifies an official test vector: $name', ({ extras, signature }) => {
    const token = signV4Public(message, secretKey, extras);

    const tail = 'footer' in extras ? `.${footer.toString('base64url')}` : '';
    expect(token).toBe(`v4.public.${message.toString('base64url')}${signature}${tail}`);
    const parsed = parseV4Public(token)!;
    expect(Buffer.from(parsed.message)).toEqual(message);
    expect(verifyV4Public(parsed, publicKey, extras.implicitAssertion)).toBe(true);
  });

  it('signs the footer and the implicit assertion too', () => {
    const parsed = parseV4Public(signV4Public(message, secretKey, { footer, implicitAssertion: text('a') }))!;

    expect(verifyV4Public(parsed, publicKey, text('a'))).toBe(true);
    expect(verifyV4Public(parsed, publicKey, text('b'))).toBe(false);
    expect(verifyV4Public(parsed, publicKey)).toBe(false);
    expect(verifyV4Public({ ...parsed, footer: text('{}') }, publicKey, text('a'))).toBe(false);
  });

  it('encodes numbers and lengths as in the PASETO documentation', () => {
    expect(preAuthenticationEncoding([]).toString('hex')).toBe('00'.repeat(8));
    expect(preAuthenticationEncoding([text('test')]).toString('hex')).toBe(
      `01${'00'.repeat(7)}04${'00'.repeat(7)}74657374`,
    );
  });

  it('rejects other versions, other spellings of the same bytes, and short texts', () => {
    const token = signV4Public(message, secretKey);
    const ends = ['=', '.', '.AA.AA', ' ', '!'].map((end) => token + end);

    for (const text of [
      '',
      'v4.public.AAAA',
      ...ends,
      token.replace('v4', 'v2'),
      token.replace('public', 'local'),
    ])
      expect(parseV4Public(text)).toBeUndefined();
  });

  it('rejects a key of another algorithm', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const parsed = parseV4Public(signV4Public(message, secretKey))!;

    expect(() => signV4Public(message, other.privateKey)).toThrow(TypeError);
    expect(() => verifyV4Public(parsed, other.publicKey)).toThrow(TypeError);
  });
});
