import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import { SettingReader } from '#shared/platform/settings/setting-reader.js';
import type { Environment } from '../../settings/environment.js';
import { parseSigningKeys } from '../../signing-keys/parse-signing-keys.js';
import { readSigningKeys } from '../../signing-keys/read-signing-keys.js';
import type { Command } from '../command.js';
import { runOperator } from '../run-operator.js';
import { signingKeyCommands } from './signing-key-commands.js';

/** Without the parts that need a database: the question before them, and their entries in the operator's log. */
const commands = signingKeyCommands.map((command): Command => {
  const bare: Command = { ...command };
  delete (bare as { changes?: unknown }).changes;
  return bare;
});

const NOW = new Date('2026-03-01T12:00:00Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const DAY = 86_400;
const MARGIN = 600;
const COOKIE = DAY + 60;
const WINDOW = 480 + 60;

const folder = mkdtempSync(join(tmpdir(), 'key-commands-'));
const path = join(folder, 'keys.json');
let environment: Environment;
beforeEach(() => {
  jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  rmSync(path, { force: true });
  environment = { SIGNING_KEYS_FILE: path };
});
afterAll(() => {
  jest.useRealTimers();
  rmSync(folder, { recursive: true });
});

interface Key {
  id: string;
  kind: string;
  state: string;
  signs_from: string;
  signs_until: string | null;
  ends_at: string | null;
  needed_until: string | null;
}

async function run(...words: string[]): Promise<{ status: number; out: string; err: string }> {
  const output = { out: '', err: '' };
  const status = await runOperator(
    {
      commands,
      environment: () => environment,
      openContext: () => Promise.reject(new Error('No command of keys opens the service.')),
      out: (text) => (output.out += text),
      err: (text) => (output.err += text),
    },
    words,
  );
  return { status, ...output };
}
async function answer<T>(...words: string[]): Promise<T> {
  const { status, out, err } = await run(...words, '--json');
  if (status !== 0) throw new Error(err);
  return JSON.parse(out) as T;
}
const list = () => answer<Key[]>('keys', 'list');
const stored = () => readFileSync(path, 'utf8');

async function bothKinds(): Promise<[token: Key, naspip: Key]> {
  return [await answer<Key>('keys', 'create', 'token'), await answer<Key>('keys', 'create', 'naspip')];
}

describe('keys create', () => {
  it('makes a file that only its owner reads, whose first keys sign at once', async () => {
    const [token, naspip] = await bothKinds();

    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect([token.state, naspip.state]).toEqual(['signing', 'signing']);
    expect([token.ends_at, naspip.ends_at]).toEqual([null, later(365 * DAY).toISOString()]);
    expect(readdirSync(folder)).toEqual(['keys.json']);
    const { token: tokens, naspip: naspips } = parseSigningKeys(stored());
    expect([...tokens, ...naspips].map(({ id }) => id)).toEqual([token.id, naspip.id]);
  });

  it('adds one that signs after the margin, and leaves mode and other keys as they are', async () => {
    await bothKinds();
    const before = parseSigningKeys(stored());
    chmodSync(path, 0o640);

    const next = await answer<Key>('keys', 'create', 'token');

    expect(next).toMatchObject({ state: 'published', signs_from: later(MARGIN).toISOString() });
    expect(statSync(path).mode & 0o777).toBe(0o640);
    const { token, naspip } = parseSigningKeys(stored());
    expect([token.slice(0, -1), naspip]).toEqual([before.token, before.naspip]);
    expect(token.at(-1)!.secret).not.toEqual(before.token[0]!.secret);
  });

  it('takes other times', async () => {
    await bothKinds();

    const key = await answer<Key>('keys', 'create', 'naspip', '--signs-in', '2h', '--expires-in', '30d');

    expect([key.signs_from, key.ends_at]).toEqual([
      later(7_200).toISOString(),
      later(30 * DAY).toISOString(),
    ]);
  });

  it('shows no secret', async () => {
    await bothKinds();
    const shown = [await run('keys', 'create', 'token'), await run('keys', 'create', 'naspip', '--json')];
    shown.push(await run('keys', 'list'), await run('keys', 'list', '--json'));
    const { token, naspip } = parseSigningKeys(stored());
    const secrets = [
      ...token.map(({ secret }) => secret.toString('base64url')),
      ...naspip.map(({ secretKey }) => secretKey.slice(-40)),
    ];

    for (const { out, err } of shown) for (const secret of secrets) expect(out + err).not.toContain(secret);
  });

  it.each([
    [['token', '--expires-in', '30d'], 2, '--expires-in is of naspip keys'],
    [['naspip', '--signs-in', '2h', '--expires-in', '1h'], 2, 'would expire before it signs'],
    [['jwt'], 2, 'The kind is token or naspip'],
  ])('refuses %j', async (words, status, sentence) => {
    await bothKinds();
    const before = stored();

    const refused = await run('keys', 'create', ...words);

    expect([refused.status, stored()]).toEqual([status, before]);
    expect(refused.err).toContain(sentence);
  });

  it('keeps out of a change that is under way, and leaves no half of its own', async () => {
    await bothKinds();
    const before = stored();
    writeFileSync(`${path}.new`, '');

    const refused = await run('keys', 'create', 'token');

    expect([refused.status, stored()]).toEqual([1, before]);
    expect(refused.err).toContain('another command changes the keys');
    rmSync(`${path}.new`);
    writeFileSync(path, '{');
    expect((await run('keys', 'create', 'token')).status).toBe(1);
    expect([stored(), existsSync(`${path}.new`)]).toEqual(['{', false]);
  });

  it('names the setting where there is no file', async () => {
    environment = {};

    expect((await run('keys', 'create', 'token')).err).toContain('SIGNING_KEYS_FILE is missing');
  });
});

describe('keys list', () => {
  it('tells who signs, until when, and until when each is needed', async () => {
    await bothKinds();
    await answer('keys', 'create', 'token');
    await answer('keys', 'create', 'naspip');

    const soon = await list();
    jest.setSystemTime(later(MARGIN));
    const after = await list();
    jest.setSystemTime(later(366 * DAY));
    const atLast = await list();

    const change = later(MARGIN);
    const times = ({ signs_until, needed_until }: Key) => [signs_until, needed_until];
    expect(soon.map(({ state }) => state)).toEqual(['signing', 'published', 'signing', 'published']);
    expect(times(soon[0]!)).toEqual([change.toISOString(), later(MARGIN + COOKIE).toISOString()]);
    expect(times(soon[1]!)).toEqual([null, null]);
    expect(times(soon[2]!)).toEqual([change.toISOString(), later(MARGIN + WINDOW).toISOString()]);
    expect(after.map(({ state }) => state)).toEqual(['verifying', 'signing', 'verifying', 'signing']);
    expect(atLast.map(({ state }) => state)).toEqual(['verifying', 'signing', 'expired', 'expired']);
  });

  it('tells of fixed keys too', async () => {
    environment = fixedKeys();

    expect((await list()).map(({ id, state }) => [id, state])).toEqual([
      ['key-2', 'signing'],
      ['key-1', 'verifying'],
      ['key-2', 'signing'],
    ]);
  });
});

describe('keys remove', () => {
  it('refuses a key that signs, stolen or not', async () => {
    const [token, naspip] = await bothKinds();
    const before = stored();

    for (const words of [
      ['token', token.id],
      ['naspip', naspip.id],
      ['token', token.id, '--stolen'],
    ]) {
      const refused = await run('keys', 'remove', ...words);
      expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('Make a new key first')]);
    }
    expect(stored()).toBe(before);
  });

  it.each([
    ['token', COOKIE],
    ['naspip', WINDOW],
  ] as const)('refuses a %s key until nothing that it signed is valid', async (kind, seconds) => {
    const former = (await bothKinds()).find((key) => key.kind === kind)!;
    await answer('keys', 'create', kind);

    jest.setSystemTime(later(MARGIN + seconds - 1));
    const refused = await run('keys', 'remove', kind, former.id);
    jest.setSystemTime(later(MARGIN + seconds));
    await answer('keys', 'remove', kind, former.id);

    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('is valid until')]);
    expect((await list()).map(({ id }) => id)).not.toContain(former.id);
    expect(await list()).toHaveLength(2);
  });

  it('takes a stolen one at once, where another signs, and one that signs later', async () => {
    const [former] = await bothKinds();
    await answer('keys', 'create', 'token', '--signs-in', '1s');
    jest.setSystemTime(later(2));
    const future = await answer<Key>('keys', 'create', 'token');

    await answer('keys', 'remove', 'token', future.id);
    expect((await run('keys', 'remove', 'token', former.id)).status).toBe(1);
    await answer('keys', 'remove', 'token', former.id, '--stolen');

    expect((await list()).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'token signing',
      'naspip signing',
    ]);
  });

  it('takes an expired one, and names one that is not there', async () => {
    const [, naspip] = await bothKinds();
    jest.setSystemTime(later(366 * DAY));

    await answer('keys', 'remove', 'naspip', naspip.id);

    expect((await run('keys', 'remove', 'naspip', naspip.id)).err).toContain(
      `There is no naspip key ${naspip.id}.`,
    );
  });
});

describe('keys import', () => {
  it('writes the fixed keys into a file that takes their place', async () => {
    environment = { ...fixedKeys(), SIGNING_KEYS_FILE: path };
    const secretsOf = (keys: Environment) => {
      const reader = new SettingReader(keys);
      const options = { now: NOW, windowSeconds: 480, issuer: 'pay.example' };
      const { token, naspip } = readSigningKeys(reader, options);
      reader.finish();
      return [token.signing(NOW, NOW)!.id, ...token.all.map(({ secret }) => secret.toString('hex'))].concat(
        naspip.all.flatMap(({ id, secretKey, endsAt }) => [id, secretKey, endsAt.toISOString()]),
      );
    };

    await answer('keys', 'import');

    expect(secretsOf({ SIGNING_KEYS_FILE: path })).toEqual(secretsOf(fixedKeys()));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await run('keys', 'import')).err).toContain('exists already');
  });

  it('keeps an id that keys of both kinds have, of which the one that is named is removed', async () => {
    environment = { ...fixedKeys(), SIGNING_KEYS_FILE: path };
    await answer('keys', 'import');
    await answer('keys', 'create', 'token', '--signs-in', '1s');
    jest.setSystemTime(later(2));

    await answer('keys', 'remove', 'token', 'key-2', '--stolen');

    const left = (await list()).map(({ kind, id }) => `${kind} ${id}`);
    expect(left).toContain('naspip key-2');
    expect(left).not.toContain('token key-2');
  });
});

function fixedKeys(): Environment {
  return (fixed ??= {
    TOKEN_SIGNING_KEYS: `key-2:${'A'.repeat(43)},key-1:${'C'.repeat(42)}A`,
    ...{ NASPIP_ISSUER: 'pay.example', NASPIP_KEY_ID: 'key-2' },
    ...{
      NASPIP_SECRET_KEY: generatePaserkKeyPair().secretKey,
      NASPIP_KEY_EXPIRES_AT: '2027-01-01T00:00:00Z',
    },
  });
}
let fixed: Environment | undefined;
