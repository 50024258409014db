import { describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import type { CredentialId } from '#shared/kernel/ids.js';
import { SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { IssueAccessToken } from './issue-access-token.js';

const NOW = new Date('2030-01-01T12:00:00.000Z');
const HOUR = 3_600;
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const key = (id: string, from: number, until: number) => ({
  ...{ id, signsFrom: after(from), endsAt: after(until), secret: Buffer.alloc(32) },
});

/** @returns the id of the signing key, or the error code */
async function signer(...keys: ReturnType<typeof key>[]): Promise<unknown> {
  const tokenKeys = new SigningKeyRing(keys);
  const settings = {
    tokenKeys,
    issuer: 'test',
    audience: 'test',
    tokenLifetimeSeconds: HOUR,
  };
  try {
    const { token } = await new IssueAccessToken(settings).issue('c' as CredentialId, NOW);
    return decodeProtectedHeader(token).kid;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('An access token', () => {
  it.each([
    ['a newer key that ends with it', key('new', -1, HOUR), 'new'],
    ['the key that outlives it if a newer key does not', key('new', -1, HOUR - 1), 'old'],
  ])('is signed with %s', async (_, newer, signedBy) => {
    expect(await signer(newer, key('old', -2, 2 * HOUR))).toBe(signedBy);
  });

  it('is signed with a key that ends before it if there is no other, but not with one that has ended', async () => {
    expect(await signer(key('ending', -1, 1))).toBe('ending');
    expect(await signer(key('ended', -2, -1))).toBe('unavailable');
  });
});
