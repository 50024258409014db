import { describe, expect, it } from '@jest/globals';
import { secretsIn } from './logged-secrets.js';

const SECRET = 'kettle/harbour+7 "x"';
const secrets = new Map([['password', SECRET]]);
const before = (text: string) => [text, `a${text}`, `ab${text}`, `abc${text}d`];

describe('Looking for secrets in a log', () => {
  it.each([
    ...before(SECRET),
    ...before(encodeURIComponent(SECRET)),
    ...before(SECRET).map((text) => Buffer.from(text).toString('base64')),
    ...before(SECRET).map((text) => Buffer.from(text).toString('base64url')),
    Buffer.from(SECRET).toString('hex').toUpperCase(),
    JSON.stringify({ msg: SECRET }),
  ])('finds a secret in any encoding: %s', (text) => {
    expect(secretsIn(`{"msg":"${text} is wrong"}`, secrets)).toEqual(['password']);
  });

  it('finds none in a log without secrets', () => {
    expect(secretsIn('{"msg":"kettle harbour"}', secrets)).toEqual([]);
  });
});
