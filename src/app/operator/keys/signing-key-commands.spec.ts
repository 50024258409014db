import { statSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import { SettingReader } from '#shared/platform/settings/setting-reader.js';
import type { Environment } from '../../settings/environment.js';
import { readSigningKeys } from '../../signing-keys/read-signing-keys.js';
import { DAY, later, type ListedKey, MARGIN, SigningKeysFile } from '../testing/signing-keys-file.js';

const COOKIE = DAY + 60;
const WINDOW = 480 + 60;
const FIXED: Environment = {
  TOKEN_SIGNING_KEYS: `key-2:${'A'.repeat(43)},key-1:${'C'.repeat(42)}A`,
  NASPIP_ISSUER: 'pay.example',
  NASPIP_KEY_ID: 'key-2',
  NASPIP_SECRET_KEY: generatePaserkKeyPair().secretKey,
  NASPIP_KEY_EXPIRES_AT: '2027-01-01T00:00:00Z',
};

const file = new SigningKeysFile();
beforeEach(() => file.reset());
afterAll(() => file.close());

describe('keys list', () => {
  it('shows which key signs, until when, and until when each is needed', async () => {
    await file.bothKinds();
    await file.answer('keys', 'create', 'token');
    await file.answer('keys', 'create', 'naspip');

    const soon = await file.list();
    jest.setSystemTime(later(MARGIN));
    const after = await file.list();
    jest.setSystemTime(later(366 * DAY));
    const atLast = await file.list();

    const change = later(MARGIN);
    const times = ({ signs_until, needed_until }: ListedKey) => [signs_until, needed_until];
    expect(soon.map(({ state }) => state)).toEqual(['signing', 'published', 'signing', 'published']);
    expect(times(soon[0]!)).toEqual([change.toISOString(), later(MARGIN + COOKIE).toISOString()]);
    expect(times(soon[1]!)).toEqual([null, null]);
    expect(times(soon[2]!)).toEqual([change.toISOString(), later(MARGIN + WINDOW).toISOString()]);
    expect(after.map(({ state }) => state)).toEqual(['verifying', 'signing', 'verifying', 'signing']);
    expect(atLast.map(({ state }) => state)).toEqual(['verifying', 'signing', 'expired', 'expired']);
  });

  it('shows fixed keys too', async () => {
    file.environment = FIXED;

    expect((await file.list()).map(({ id, state }) => [id, state])).toEqual([
      ['key-2', 'signing'],
      ['key-1', 'verifying'],
      ['key-2', 'signing'],
    ]);
  });
});

describe('keys remove', () => {
  it('refuses a key that signs, stolen or not', async () => {
    const [token, naspip] = await file.bothKinds();
    const before = file.text();

    for (const words of [
      ['token', token.id],
      ['naspip', naspip.id],
      ['token', token.id, '--stolen'],
    ]) {
      const refused = await file.run('keys', 'remove', ...words);
      expect([refused.status, refused.err]).toEqual([
        1,
        expect.stringContaining('wait until the new key signs'),
      ]);
    }
    expect(file.text()).toBe(before);
  });

  it.each([
    ['token', COOKIE],
    ['naspip', WINDOW],
  ] as const)('refuses a %s key until nothing that it signed is valid', async (kind, seconds) => {
    const former = (await file.bothKinds()).find((key) => key.kind === kind)!;
    await file.answer('keys', 'create', kind);

    jest.setSystemTime(later(MARGIN + seconds - 1));
    const refused = await file.run('keys', 'remove', kind, former.id);
    jest.setSystemTime(later(MARGIN + seconds));
    await file.answer('keys', 'remove', kind, former.id);

    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('are valid until')]);
    expect((await file.list()).map(({ id }) => id)).not.toContain(former.id);
    expect(await file.list()).toHaveLength(2);
  });

  it('takes a stolen one at once, where another signs, and one that signs later', async () => {
    const [former] = await file.bothKinds();
    await file.answer('keys', 'create', 'token', '--signs-in', '1s');
    jest.setSystemTime(later(2));
    const future = await file.answer<ListedKey>('keys', 'create', 'token');

    await file.answer('keys', 'remove', 'token', future.id);
    expect((await file.run('keys', 'remove', 'token', former.id)).status).toBe(1);
    await file.answer('keys', 'remove', 'token', former.id, '--stolen');

    expect((await file.list()).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'token signing',
      'naspip signing',
    ]);
  });

  it('takes an expired one, and names one that is not there', async () => {
    const [, naspip] = await file.bothKinds();
    jest.setSystemTime(later(366 * DAY));

    await file.answer('keys', 'remove', 'naspip', naspip.id);

    expect((await file.run('keys', 'remove', 'naspip', naspip.id)).err).toContain(
      `There is no naspip key ${naspip.id}.`,
    );
  });
});

describe('keys import', () => {
  it('writes the fixed keys into a file that takes their place', async () => {
    file.environment = { ...FIXED, SIGNING_KEYS_FILE: file.path };
    const secretsOf = (keys: Environment) => {
      const reader = new SettingReader(keys);
      const options = { now: later(0), windowSeconds: 480, issuer: 'pay.example' };
      const { token, naspip } = readSigningKeys(reader, options);
      reader.finish();
      return [
        token.signing(later(0), later(0))!.id,
        ...token.all.map(({ secret }) => secret.toString('hex')),
      ].concat(naspip.all.flatMap(({ id, secretKey, endsAt }) => [id, secretKey, endsAt.toISOString()]));
    };

    await file.answer('keys', 'import');

    expect(secretsOf({ SIGNING_KEYS_FILE: file.path })).toEqual(secretsOf(FIXED));
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect((await file.run('keys', 'import')).err).toContain('already exists');
  });

  it('keeps an id that keys of both kinds have, of which the one that is named is removed', async () => {
    file.environment = { ...FIXED, SIGNING_KEYS_FILE: file.path };
    await file.answer('keys', 'import');
    await file.answer('keys', 'create', 'token', '--signs-in', '1s');
    jest.setSystemTime(later(2));

    await file.answer('keys', 'remove', 'token', 'key-2', '--stolen');

    const left = (await file.list()).map(({ kind, id }) => `${kind} ${id}`);
    expect(left).toContain('naspip key-2');
    expect(left).not.toContain('token key-2');
  });
});
