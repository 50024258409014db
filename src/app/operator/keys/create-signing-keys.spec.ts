import { chmodSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseSigningKeys } from '../../signing-keys/parse-signing-keys.js';
import { DAY, later, type ListedKey, MARGIN, SigningKeysFile } from '../testing/signing-keys-file.js';

const file = new SigningKeysFile();
beforeEach(() => file.reset());
afterAll(() => file.close());

describe('keys create', () => {
  it('makes a file that only its owner reads, whose first keys sign at once', async () => {
    const [token, naspip] = await file.bothKinds();

    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect([token.state, naspip.state]).toEqual(['signing', 'signing']);
    expect([token.ends_at, naspip.ends_at]).toEqual([null, later(365 * DAY).toISOString()]);
    expect(readdirSync(file.folder)).toEqual(['keys.json']);
    const { token: tokens, naspip: naspips } = parseSigningKeys(file.text());
    expect([...tokens, ...naspips].map(({ id }) => id)).toEqual([token.id, naspip.id]);
  });

  it('adds one that signs after the margin, and leaves mode and other keys as they are', async () => {
    await file.bothKinds();
    const before = parseSigningKeys(file.text());
    chmodSync(file.path, 0o640);

    const next = await file.answer<ListedKey>('keys', 'create', 'token');

    expect(next).toMatchObject({ state: 'published', signs_from: later(MARGIN).toISOString() });
    expect(statSync(file.path).mode & 0o777).toBe(0o640);
    const { token, naspip } = parseSigningKeys(file.text());
    expect([token.slice(0, -1), naspip]).toEqual([before.token, before.naspip]);
    expect(token.at(-1)!.secret).not.toEqual(before.token[0]!.secret);
  });

  it('takes other times', async () => {
    await file.bothKinds();

    const key = await file.answer<ListedKey>(
      'keys',
      'create',
      'naspip',
      '--signs-in',
      '2h',
      '--expires-in',
      '30d',
    );

    expect([key.signs_from, key.ends_at]).toEqual([
      later(7_200).toISOString(),
      later(30 * DAY).toISOString(),
    ]);
  });

  it('shows no secret', async () => {
    await file.bothKinds();
    const shown = [
      await file.run('keys', 'create', 'token'),
      await file.run('keys', 'create', 'naspip', '--json'),
    ];
    shown.push(await file.run('keys', 'list'), await file.run('keys', 'list', '--json'));
    const { token, naspip } = parseSigningKeys(file.text());
    const secrets = [
      ...token.map(({ secret }) => secret.toString('base64url')),
      ...naspip.map(({ secretKey }) => secretKey.slice(-40)),
    ];

    for (const { out, err } of shown) for (const secret of secrets) expect(out + err).not.toContain(secret);
  });

  it.each([
    [['token', '--expires-in', '30d'], 2, '--expires-in applies to naspip keys only'],
    [['naspip', '--signs-in', '2h', '--expires-in', '1h'], 2, 'would expire before it signs'],
    [['jwt'], 2, 'kind must be token or naspip.'],
  ])('refuses %j', async (words, status, sentence) => {
    await file.bothKinds();
    const before = file.text();

    const refused = await file.run('keys', 'create', ...words);

    expect([refused.status, file.text()]).toEqual([status, before]);
    expect(refused.err).toContain(sentence);
  });

  it('keeps out of a change that is under way, and leaves no half of its own', async () => {
    await file.bothKinds();
    const before = file.text();
    writeFileSync(`${file.path}.new`, '');

    const refused = await file.run('keys', 'create', 'token');

    expect([refused.status, file.text()]).toEqual([1, before]);
    expect(refused.err).toContain('another command is changing the keys');
    rmSync(`${file.path}.new`);
    writeFileSync(file.path, '{');
    expect((await file.run('keys', 'create', 'token')).status).toBe(1);
    expect([file.text(), existsSync(`${file.path}.new`)]).toEqual(['{', false]);
  });

  it('names the setting where there is no file', async () => {
    file.environment = {};

    expect((await file.run('keys', 'create', 'token')).err).toContain('SIGNING_KEYS_FILE is missing');
  });
});
