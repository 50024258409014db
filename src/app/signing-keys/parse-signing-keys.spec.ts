import { describe, expect, it } from '@jest/globals';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import {
  demandSigningKeys,
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
  it('is read with the times of each key, and written so that it reads the same', () => {
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
    ['is a list', `["${SECRET}"]`, 'It is not a JSON object.'],
    ['is empty', '', 'It is not a JSON object.'],
  ])('is refused where it %s, and what stands there is not shown', (_, text, problem) => {
    expect(problemsOfText(text)).toEqual([problem]);
  });

  it.each<[string, unknown, string]>([
    ['another kind', { token: [TOKEN], naspip: [NASPIP], [SECRET]: [] }, 'other than token and naspip'],
    ['no token key', { token: [], naspip: [NASPIP] }, 'token must be a list of at least one key'],
    ['no naspip key', { token: [TOKEN] }, 'naspip must be a list of at least one key'],
    [
      'a text for a key',
      { token: [SECRET], naspip: [NASPIP] },
      'token key 1 must be an object with only these fields: id, secret',
    ],
    [
      'a misspelt field',
      { token: [{ ...TOKEN, verify_until: '2026-06-01T00:00:00Z' }], naspip: [NASPIP] },
      'token key 1 must be an object with only these fields: id, secret, signs_from, verifies_until',
    ],
    [
      'a secret for an id',
      { token: [{ ...TOKEN, id: SECRET }], naspip: [NASPIP] },
      'token key 1: id must be',
    ],
    [
      'a short secret',
      { token: [{ ...TOKEN, secret: SECRET.slice(1) }], naspip: [NASPIP] },
      'token key 1: secret must be',
    ],
    [
      'a time without a zone',
      { token: [{ ...TOKEN, signs_from: '2026-02-30T00:00:00Z' }], naspip: [NASPIP] },
      'signs_from must be an ISO 8601 time',
    ],
    [
      'no time',
      { token: [{ ...TOKEN, signs_from: undefined }], naspip: [NASPIP] },
      'signs_from must be an ISO 8601 time',
    ],
    [
      'a key that verifies until before it signs',
      { token: [{ ...TOKEN, verifies_until: '2025-01-01T00:00:00Z' }], naspip: [NASPIP] },
      'later than signs_from',
    ],
    [
      'a naspip id of 4 characters',
      { token: [TOKEN], naspip: [{ ...NASPIP, id: 'key1' }] },
      'naspip key 1: id must be 5 to 20',
    ],
    [
      'a public key',
      { token: [TOKEN], naspip: [{ ...NASPIP, secret_key: generatePaserkKeyPair().publicKey }] },
      'naspip key 1: secret_key is not a k4.secret.',
    ],
    [
      'no expiry',
      { token: [TOKEN], naspip: [{ ...NASPIP, expires_at: undefined }] },
      'expires_at must be an ISO 8601 time',
    ],
    [
      'a key that expires before it signs',
      { token: [TOKEN], naspip: [{ ...NASPIP, expires_at: NASPIP.signs_from }] },
      'later than signs_from',
    ],
    [
      'an id for two token keys',
      { token: [TOKEN, TOKEN], naspip: [NASPIP] },
      'Two token keys have the id token-1.',
    ],
    [
      'an id for two naspip keys',
      { token: [TOKEN], naspip: [NASPIP, NASPIP] },
      'Two naspip keys have the id naspip-1.',
    ],
  ])('is refused for %s, in a sentence without a secret', (_, document, sentence) => {
    const problems = problemsOf(document);

    expect(problems.join('\n')).toContain(sentence);
    for (const secret of ['SSSS', PASERK.slice(-20), 'k4.public'])
      expect(problems.join('\n')).not.toContain(secret);
  });

  it('reports all problems at once', () => {
    expect(problemsOf({ token: [{ ...TOKEN, secret: '' }], naspip: [{ ...NASPIP, id: '' }] })).toHaveLength(
      2,
    );
  });
});

describe('Keys with which a process can work', () => {
  const lists = parseSigningKeys(JSON.stringify({ token: [TOKEN], naspip: [NASPIP] }));
  const problemsAt = (time: string) => thrownBy(() => demandSigningKeys(lists, new Date(time), 480));

  it('sign from now on, payment tokens for a whole window', () => {
    expect(problemsAt('2026-12-31T23:52:00Z')).toEqual([]);
  });

  it('are refused where none signs yet', () => {
    expect(problemsAt('2025-12-31T23:59:59Z')).toEqual([
      expect.stringContaining('No token key signs now'),
      expect.stringContaining('No naspip key both signs now'),
    ]);
  });

  it('are refused where the payment tokens would outlive the last', () => {
    expect(problemsAt('2026-12-31T23:52:01Z')).toEqual([expect.stringContaining('Create a new key')]);
  });
});
