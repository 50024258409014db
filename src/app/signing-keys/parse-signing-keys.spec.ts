import { describe, expect, it } from '@jest/globals';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import {
  requireSigningKeys,
  formatSigningKeys,
  InvalidSigningKeys,
  parseSigningKeys,
} from './parse-signing-keys.js';

const SECRET = `${'S'.repeat(42)}A`;
const { secretKey: PASERK } = generatePaserkKeyPair();
const TOKEN = { id: 'token-1', secret: SECRET, signs_from: '2026-01-01T00:00:00Z' };
const NASPIP = {
  id: 'naspip-1',
  secret_key: PASERK,
  signs_from: '2026-01-01T00:00:00Z',
  expires_at: '2027-01-01T00:00:00Z',
};

function problemsOf(document: unknown): readonly string[] {
  return problemsOfText(JSON.stringify(document));
}

function problemsOfText(text: string): readonly string[] {
  return thrownBy(() => parseSigningKeys(text));
}

function thrownBy(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    if (error instanceof InvalidSigningKeys) return error.problems;
    throw error;
  }
}

describe('The file of signing keys', () => {
  it('reads the times of each key, and writes a file that reads the same', () => {
    const ending = { ...TOKEN, id: 'token-0', verifies_until: '2026-06-01T02:00:00+02:00' };
    const lists = parseSigningKeys(JSON.stringify({ token: [TOKEN, ending], naspip: [NASPIP] }));

    expect(lists).toEqual({
      token: [
        {
          id: 'token-1',
          secret: Buffer.from(SECRET, 'base64url'),
          endsAt: null,
          signsFrom: new Date('2026-01-01T00:00:00Z'),
        },
        {
          id: 'token-0',
          secret: Buffer.from(SECRET, 'base64url'),
          signsFrom: new Date('2026-01-01T00:00:00Z'),
          endsAt: new Date('2026-06-01T00:00:00Z'),
        },
      ],
      naspip: [
        {
          id: 'naspip-1',
          secretKey: PASERK,
          signsFrom: new Date('2026-01-01T00:00:00Z'),
          endsAt: new Date('2027-01-01T00:00:00Z'),
        },
      ],
    });
    expect(parseSigningKeys(formatSigningKeys(lists))).toEqual(lists);
  });

  it.each([
    ['is no JSON', `{"token": ["${SECRET}"`, 'It is not a JSON object.'],
    ['is empty', '', 'It is not a JSON object.'],
  ])('is rejected, without showing its content, if it %s', (_, text, problem) => {
    expect(problemsOfText(text)).toEqual([problem]);
  });

  const token = (changes: object) => ({ token: [{ ...TOKEN, ...changes }], naspip: [NASPIP] });
  const naspip = (changes: object) => ({ token: [TOKEN], naspip: [{ ...NASPIP, ...changes }] });
  const { publicKey } = generatePaserkKeyPair();

  it.each<[string, unknown, string]>([
    ['another kind', { token: [TOKEN], naspip: [NASPIP], [SECRET]: [] }, 'other than token and naspip'],
    ['no token key', { token: [], naspip: [NASPIP] }, 'token must be a list of at least one key'],
    ['a text for a key', { token: [SECRET], naspip: [NASPIP] }, 'token key 1 must be an object'],
    ['a misspelt field', token({ verify_until: '2026-06-01T00:00:00Z' }), 'signs_from, verifies_until'],
    ['a secret for an id', token({ id: SECRET }), 'token key 1: id must be'],
    ['a short secret', token({ secret: SECRET.slice(1) }), 'token key 1: secret must be'],
    ['a day that does not exist', token({ signs_from: '2026-02-30T00:00:00Z' }), 'must be an ISO 8601 time'],
    ['no time', token({ signs_from: undefined }), 'signs_from must be an ISO 8601 time'],
    ['an end before it signs', token({ verifies_until: '2025-01-01T00:00:00Z' }), 'later than signs_from'],
    ['a naspip id of 4 characters', naspip({ id: 'key1' }), 'naspip key 1: id must be 5 to 20'],
    ['a public key', naspip({ secret_key: publicKey }), 'naspip key 1: secret_key is not a k4.secret.'],
    ['no expiry', naspip({ expires_at: undefined }), 'expires_at must be an ISO 8601 time'],
    ['an expiry as it signs', naspip({ expires_at: NASPIP.signs_from }), 'later than signs_from'],
    ['one id for two', { token: [TOKEN, TOKEN], naspip: [NASPIP] }, 'Two token keys have the id token-1.'],
  ])('is rejected, without showing a secret, if it contains %s', (_, document, sentence) => {
    const problems = problemsOf(document);

    expect(problems.join('\n')).toContain(sentence);
    for (const secret of ['SSSS', PASERK.slice(-20), 'k4.public'])
      expect(problems.join('\n')).not.toContain(secret);
  });

  it('reports all problems together', () => {
    expect(problemsOf({ token: [{ ...TOKEN, secret: '' }], naspip: [{ ...NASPIP, id: '' }] })).toHaveLength(
      2,
    );
  });
});

describe('The check of signing keys at the start', () => {
  const lists = parseSigningKeys(JSON.stringify({ token: [TOKEN], naspip: [NASPIP] }));
  const problemsAt = (time: string) => thrownBy(() => requireSigningKeys(lists, new Date(time), 480));

  it('accepts keys that sign now, and that can sign payment tokens for a full window', () => {
    expect(problemsAt('2026-12-31T23:52:00Z')).toEqual([]);
  });

  it('rejects keys of which none signs yet', () => {
    expect(problemsAt('2025-12-31T23:59:59Z')).toEqual([
      expect.stringContaining('No token key signs now'),
      expect.stringContaining('No naspip key both signs now'),
    ]);
  });

  it('rejects keys that expire before the payment tokens', () => {
    expect(problemsAt('2026-12-31T23:52:01Z')).toEqual([expect.stringContaining('Create a new key')]);
  });
});
