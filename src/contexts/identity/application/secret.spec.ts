import { describe, expect, it } from '@jest/globals';
import { digestOf, newSecret, secretMatches } from './secret.js';

describe('A secret', () => {
  it('has 256 random bits', () => {
    const secrets = new Set(Array.from({ length: 100 }, newSecret));

    expect(secrets.size).toBe(100);
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  });

  it('matches only its own digest', () => {
    const secret = newSecret();

    expect(secretMatches(secret, digestOf(secret))).toBe(true);
    expect(secretMatches(`${secret}x`, digestOf(secret))).toBe(false);
    expect(secretMatches(secret, digestOf(newSecret()))).toBe(false);
    expect(secretMatches(secret, null)).toBe(false);
  });
});
