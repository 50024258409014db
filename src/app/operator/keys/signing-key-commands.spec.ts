import {
  chmodSync,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  mkdtempSync,
  readFileSync,
} from 'node:fs';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import { SettingReader } from '#shared/platform/setting-reader.js';
import type { EnvironmentVariables } from '../../settings/environment.js';
import { parseSigningKeys } from '../../signing-keys/parse-signing-keys.js';
import { readSigningKeys } from '../../signing-keys/read-signing-keys.js';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '../command.js';
import { signingKeyCommands } from './signing-key-commands.js';
import { runOperator } from '../run-operator.js';

/** The signing key commands without their confirmation and operator log entries, which need a database. */
const commands = signingKeyCommands.map((command): Command => {
  const bare: Command = { ...command };
  delete (bare as { changes?: unknown }).changes;
  return bare;
});

const NOW = new Date('2026-03-01T12:00:00Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const DAY = 86_400;

/** Default number of seconds from the creation of a key until it signs. */
const DEFAULT_MARGIN_SECONDS = 600;

interface ListedKey {
  id: string;
  kind: string;
  state: string;
  signs_from: string;
  signs_until: string | null;
  ends_at: string | null;
  needed_until: string | null;
}

/** A file of signing keys on which the tests run `keys` commands. */
class SigningKeysFile {
  readonly folder = mkdtempSync(join(tmpdir(), 'key-commands-'));
  readonly path = join(this.folder, 'keys.json');
  environment: EnvironmentVariables = {};

  /** Deletes the file and sets the clock to `NOW`. */
  reset(): void {
    jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    rmSync(this.path, { force: true });
    this.environment = { SIGNING_KEYS_FILE: this.path };
  }

  close(): void {
    jest.useRealTimers();
    rmSync(this.folder, { recursive: true });
  }

  async run(...words: string[]): Promise<{ status: number; out: string; err: string }> {
    const output = { out: '', err: '' };
    const status = await runOperator(
      {
        groups: { keys: commands },
        environment: () => this.environment,
        openContext: () => Promise.reject(new Error('No command of keys opens the service.')),
        out: (text) => (output.out += text),
        err: (text) => (output.err += text),
      },
      words,
    );
    return { status, ...output };
  }

  async answer<T>(...words: string[]): Promise<T> {
    const { status, out, err } = await this.run(...words, '--json');
    if (status !== 0) throw new Error(err);
    return JSON.parse(out) as T;
  }

  list(): Promise<ListedKey[]> {
    return this.answer<ListedKey[]>('keys', 'list');
  }

  text(): string {
    return readFileSync(this.path, 'utf8');
  }

  /** Creates the first token key and the first NASPIP key. */
  async bothKinds(): Promise<[token: ListedKey, naspip: ListedKey]> {
    return [
      await this.answer<ListedKey>('keys', 'create', 'token'),
      await this.answer<ListedKey>('keys', 'create', 'naspip'),
    ];
  }
}

const COOKIE = DAY + 60;
const WINDOW = 480 + 60;

const FIXED: EnvironmentVariables = {
  TOKEN_SIGNING_KEYS: `key-2:${'A'.repeat(43)},key-1:${'C'.repeat(42)}A`,
  NASPIP_ISSUER: 'pay.example',
  NASPIP_KEY_ID: 'key-2',
  NASPIP_SECRET_KEY: generatePaserkKeyPair().secretKey,
  NASPIP_KEY_EXPIRES_AT: '2027-01-01T00:00:00Z',
};

const file = new SigningKeysFile();

beforeEach(() => file.reset());
afterAll(() => file.close());

describe('The command "keys create"', () => {
  it('creates a file that only its owner can read, whose first keys sign immediately', async () => {
    const [token, naspip] = await file.bothKinds();

    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect([token.state, naspip.state]).toEqual(['signing', 'signing']);
    expect([token.ends_at, naspip.ends_at]).toEqual([null, later(365 * DAY).toISOString()]);
    expect(readdirSync(file.folder)).toEqual(['keys.json']);
    const { token: tokens, naspip: naspips } = parseSigningKeys(file.text());
    expect([...tokens, ...naspips].map(({ id }) => id)).toEqual([token.id, naspip.id]);
  });

  it('adds a key that signs after the margin, and keeps the file mode and other keys', async () => {
    await file.bothKinds();
    const before = parseSigningKeys(file.text());
    chmodSync(file.path, 0o640);

    const next = await file.answer<ListedKey>('keys', 'create', 'token');

    expect(next).toMatchObject({
      state: 'published',
      signs_from: later(DEFAULT_MARGIN_SECONDS).toISOString(),
    });
    expect(statSync(file.path).mode & 0o777).toBe(0o640);
    const { token, naspip } = parseSigningKeys(file.text());
    expect([token.slice(0, -1), naspip]).toEqual([before.token, before.naspip]);
    expect(token.at(-1)!.secret).not.toEqual(before.token[0]!.secret);
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
  ])('rejects options that do not fit together: %j', async (words, status, sentence) => {
    await file.bothKinds();
    const before = file.text();

    const refused = await file.run('keys', 'create', ...words);

    expect([refused.status, file.text()]).toEqual([status, before]);
    expect(refused.err).toContain(sentence);
  });

  it('rejects a concurrent change and leaves no partial file', async () => {
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
});

describe('The command "keys list"', () => {
  it('shows which key signs, until when, and how long each key is needed', async () => {
    await file.bothKinds();
    await file.answer('keys', 'create', 'token');
    await file.answer('keys', 'create', 'naspip');

    const soon = await file.list();
    jest.setSystemTime(later(DEFAULT_MARGIN_SECONDS));
    const after = await file.list();
    jest.setSystemTime(later(366 * DAY));
    const atLast = await file.list();

    const change = later(DEFAULT_MARGIN_SECONDS);
    const times = ({ signs_until, needed_until }: ListedKey) => [signs_until, needed_until];
    expect(soon.map(({ state }) => state)).toEqual(['signing', 'published', 'signing', 'published']);
    expect(times(soon[0]!)).toEqual([
      change.toISOString(),
      later(DEFAULT_MARGIN_SECONDS + COOKIE).toISOString(),
    ]);
    expect(times(soon[1]!)).toEqual([null, null]);
    expect(times(soon[2]!)).toEqual([
      change.toISOString(),
      later(DEFAULT_MARGIN_SECONDS + WINDOW).toISOString(),
    ]);
    expect(after.map(({ state }) => state)).toEqual(['verifying', 'signing', 'verifying', 'signing']);
    expect(atLast.map(({ state }) => state)).toEqual(['verifying', 'signing', 'expired', 'expired']);
  });
});

describe('The command "keys remove"', () => {
  it('rejects a key that signs, even if it is stolen', async () => {
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
  ] as const)('rejects a %s key while something it signed is valid', async (kind, seconds) => {
    const former = (await file.bothKinds()).find((key) => key.kind === kind)!;
    await file.answer('keys', 'create', kind);

    jest.setSystemTime(later(DEFAULT_MARGIN_SECONDS + seconds - 1));
    const refused = await file.run('keys', 'remove', kind, former.id);
    jest.setSystemTime(later(DEFAULT_MARGIN_SECONDS + seconds));
    await file.answer('keys', 'remove', kind, former.id);

    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('are valid until')]);
    expect((await file.list()).map(({ id }) => id)).not.toContain(former.id);
    expect(await file.list()).toHaveLength(2);
  });

  it('removes a stolen key if another one signs, and a key that does not sign yet', async () => {
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

  it('removes an expired key, and names a missing one', async () => {
    const [, naspip] = await file.bothKinds();
    jest.setSystemTime(later(366 * DAY));

    await file.answer('keys', 'remove', 'naspip', naspip.id);

    expect((await file.run('keys', 'remove', 'naspip', naspip.id)).err).toContain(
      `There is no naspip key ${naspip.id}.`,
    );
  });
});

describe('The command "keys import"', () => {
  it('writes the configured keys into a file that replaces them', async () => {
    file.environment = { ...FIXED, SIGNING_KEYS_FILE: file.path };
    const secretsOf = (keys: EnvironmentVariables) => {
      const reader = new SettingReader(keys);
      const options = { now: later(0), windowSeconds: 480, issuer: 'pay.example' };
      const { token, naspip } = readSigningKeys(reader, options);
      reader.requireValid();
      return [
        token.signingKeyAt(later(0), later(0))!.id,
        ...token.allKeys.map(({ secret }) => secret.toString('hex')),
      ].concat(naspip.allKeys.flatMap(({ id, secretKey, endsAt }) => [id, secretKey, endsAt.toISOString()]));
    };

    await file.answer('keys', 'import');

    expect(secretsOf({ SIGNING_KEYS_FILE: file.path })).toEqual(secretsOf(FIXED));
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect((await file.run('keys', 'import')).err).toContain('already exists');
  });

  it('removes only the named kind if two keys have the same id', async () => {
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
