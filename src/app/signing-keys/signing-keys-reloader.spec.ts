import { mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import { SettingReader } from '#shared/platform/setting-reader.js';
import { eventually } from '#test/support/eventually.js';
import { formatSigningKeys } from './parse-signing-keys.js';
import { readSigningKeys } from './read-signing-keys.js';
import { SigningKeyMetrics } from './signing-key-metrics.js';
import { SigningKeysReloader } from './signing-keys-reloader.js';
import type { SigningKeyLists, SigningKeys } from './signing-keys.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const DAY = 86_400;
const SECRET = Buffer.alloc(32, 7);
const token = (id: string, from = -DAY) => ({ id, secret: SECRET, signsFrom: later(from), endsAt: null });
const naspip = (id: string, days = 100) => ({
  id,
  secretKey: generatePaserkKeyPair().secretKey,
  signsFrom: later(-DAY),
  endsAt: later(days * DAY),
});
const FIRST: SigningKeyLists = { token: [token('token-1')], naspip: [naspip('naspip-1')] };
const folder = mkdtempSync(join(tmpdir(), 'signing-keys-'));
const path = join(folder, 'keys.json');
const put = (lists: SigningKeyLists) => writeFileSync(path, formatSigningKeys(lists));
let logged: [level: string, line: string][];
beforeEach(() => {
  logged = [];
  const record = (level: string) => (line: unknown) => void logged.push([level, JSON.stringify(line)]);
  Logger.overrideLogger({ error: record('error'), warn: record('warn'), log: record('log') });
});
afterEach(() => Logger.overrideLogger(['error', 'warn', 'log']));
afterAll(() => rmSync(folder, { recursive: true }));

function watching(
  lists = FIRST,
  now = () => NOW,
  intervalMs?: number,
): { keys: SigningKeys; watch: SigningKeysReloader } {
  put(lists);
  const reader = new SettingReader({ SIGNING_KEYS_FILE: path });
  const keys = readSigningKeys(reader, { now: now(), windowSeconds: 480, issuer: 'pay.example' });
  reader.requireValid();
  return { keys, watch: new SigningKeysReloader(keys, now, intervalMs) };
}

const idsOf = ({ token: one, naspip: other }: SigningKeys) =>
  [...one.allKeys, ...other.allKeys].map(({ id }) => id).join(' ');
const levels = () => logged.map(([level]) => level);

describe('The watch on the file of signing keys', () => {
  it('loads a new version once', async () => {
    const { keys, watch } = watching();
    await watch.reloadIfChanged();

    put({ token: [...FIRST.token, token('token-2', 600)], naspip: FIRST.naspip });
    await watch.reloadIfChanged();
    await watch.reloadIfChanged();

    expect(idsOf(keys)).toBe('token-2 token-1 naspip-1');
    expect(keys.token.signingKeyAt(NOW, NOW)?.id).toBe('token-1');
    expect(levels()).toEqual(['log']);
    expect(logged[0]![1]).toContain('"key_id":"token-2","signs_from":"2026-03-01T12:10:00.000Z"');
  });

  it('follows a symbolic link to another file, as a mounted secret is replaced', async () => {
    const { keys, watch } = watching();
    const [one, other] = [join(folder, 'one.json'), join(folder, 'other.json')];
    renameSync(path, one);
    symlinkSync(one, path);
    await watch.reloadIfChanged();
    writeFileSync(other, formatSigningKeys({ ...FIRST, token: [token('token-9')] }));

    unlinkSync(path);
    symlinkSync(other, path);
    await watch.reloadIfChanged();

    expect(idsOf(keys)).toBe('token-9 naspip-1');
    unlinkSync(path);
  });

  it.each<[string, () => void]>([
    ['is broken', () => writeFileSync(path, `{"token": "${SECRET.toString('base64url')}"`)],
    ['is gone', () => unlinkSync(path)],
    ['has no key that signs', () => put({ ...FIRST, token: [token('token-2', 1)] })],
  ])(
    'keeps the former keys, logs the problem once and loads the next version if the file %s',
    async (_, spoil) => {
      const { keys, watch } = watching();

      spoil();
      await watch.reloadIfChanged();
      await watch.reloadIfChanged();

      expect(idsOf(keys)).toBe('token-1 naspip-1');
      expect(watch.isCurrent).toBe(false);
      expect(levels()).toEqual(['error']);
      expect(logged[0]![1]).toContain('signing_keys.file_invalid');
      expect(logged[0]![1]).not.toContain(SECRET.toString('base64url').slice(0, 10));

      put({ ...FIRST, token: [token('token-3')] });
      await watch.reloadIfChanged();

      expect(idsOf(keys)).toBe('token-3 naspip-1');
      expect(watch.isCurrent).toBe(true);
    },
  );

  it('loads the file on SIGHUP', async () => {
    const { keys, watch } = watching(FIRST, () => NOW, 3_600_000);
    const before = process.listenerCount('SIGHUP');
    watch.onApplicationBootstrap();
    await watch.reloadIfChanged();
    try {
      put({ ...FIRST, token: [token('token-2')] });
      process.emit('SIGHUP');

      await eventually(
        async () => idsOf(keys),
        (ids) => ids === 'token-2 naspip-1',
      );
    } finally {
      await watch.onApplicationShutdown();
    }
    expect(process.listenerCount('SIGHUP')).toBe(before);
  });

  it('warns of a new key that signs before all processes can know it', async () => {
    const { watch } = watching();

    put({ token: [...FIRST.token, token('hasty', 200), token('patient', 600)], naspip: FIRST.naspip });
    await watch.reloadIfChanged();

    expect(logged.filter(([level]) => level === 'warn')).toEqual([
      ['warn', expect.stringMatching(/signing_keys.signs_too_early.*hasty/)],
    ]);
  });

  it('warns once a day, from two weeks before the last key ends', async () => {
    let now = NOW;
    const { watch } = watching({ ...FIRST, naspip: [naspip('naspip-1', 15)] }, () => now);
    await watch.reloadIfChanged();
    expect(logged).toEqual([]);

    for (const hours of [25, 26, 48, 50]) {
      now = later(hours * 3600);
      await watch.reloadIfChanged();
    }

    expect(logged).toEqual([
      ['warn', expect.stringMatching(/signing_keys.expiring.*naspip.*2026-03-16T12:00:00.000Z/)],
      ['warn', expect.stringMatching(/signing_keys.expiring.*naspip/)],
    ]);

    now = later(80 * 3600);
    put({ ...FIRST, naspip: [naspip('naspip-1', 15), naspip('naspip-2', 300)] });
    await watch.reloadIfChanged();
    expect(levels().filter((level) => level === 'warn')).toHaveLength(3);
    expect(logged.at(-1)![1]).toMatch(/signs_too_early.*naspip-2/);
  });
});

describe('The metrics of signing keys', () => {
  it('shows the remaining time of each kind, and whether the file is in use', async () => {
    const metrics = new Metrics();
    const end = new Date(Date.now() + 50_000_000);
    const { keys, watch } = watching(
      { ...FIRST, naspip: [{ ...naspip('naspip-1'), endsAt: end }] },
      () => new Date(),
    );
    new SigningKeyMetrics(metrics, keys, watch);
    const read = async () =>
      (await metrics.registry.metrics()).split('\n').filter((line) => /^payment_/.test(line));
    const [left, current] = await read();
    writeFileSync(path, '{');
    await watch.reloadIfChanged();

    expect(left).toMatch(/^payment_collection_signing_keys_left_seconds\{kind="naspip"\} (4\d{4}|50000)/);
    expect([current, (await read())[1]]).toEqual([
      'payment_collection_signing_keys_file_current 1',
      'payment_collection_signing_keys_file_current 0',
    ]);
  });
});
