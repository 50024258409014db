import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { readSettings } from './settings.js';
import { COMPLETE_SETTINGS, PRODUCTION_SETTINGS, findSettingsProblems } from './testing/complete-settings.js';

describe('The master secret of refund floats', () => {
  const secret = 'b'.repeat(64);
  const floatKeysOf = (values: Record<string, string>) =>
    readSettings({ ...COMPLETE_SETTINGS, ...values }).contexts.find(
      (each) => each instanceof NetworksSettings,
    )!.floatKeys;

  it('is absent by default, and is read from a file or the environment', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'refund-key-')), 'key');
    writeFileSync(file, `${secret}\n`);
    const ways: Record<string, string>[] = [{ REFUND_KEY: secret }, { REFUND_KEY_FILE: file }];
    const derived = ways.map((values) => {
      const source = floatKeysOf(values);
      return source?.kind === 'master_secret' ? source.secret.derive('info', 8).toString('hex') : source;
    });

    expect(floatKeysOf({})).toBeNull();
    expect(new Set(derived).size).toBe(1);
  });

  it('stays in an external signer that signs for the listed floats', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'refund-floats-')), 'floats.json');
    const entry = {
      organization_id: '0193B2F4-9A10-7B21-8C32-9D43AE54BF65',
      network: 'polygon',
      address: `0x${'1'.repeat(40)}`,
    };
    const signer = { REFUND_SIGNER_URL: 'http://127.0.0.1:9', REFUND_SIGNER_FLOATS_FILE: file };
    const written = (content: unknown) => writeFileSync(file, JSON.stringify(content));

    written([entry]);
    expect(floatKeysOf(signer)).toEqual({
      kind: 'signer',
      url: 'http://127.0.0.1:9',
      floats: [
        { organizationId: entry.organization_id.toLowerCase(), network: 'polygon', address: entry.address },
      ],
    });
    for (const field of ['organization_id', 'network', 'address']) {
      written([entry, { ...entry, [field]: `0x${'0'.repeat(40)}`.slice(field === 'network' ? 42 : 0) }]);
      expect(findSettingsProblems({ ...COMPLETE_SETTINGS, ...signer })).toContain(
        `REFUND_SIGNER_FLOATS_FILE: [1].${field} must be`,
      );
    }
    expect(findSettingsProblems({ ...COMPLETE_SETTINGS, REFUND_SIGNER_URL: 'http://127.0.0.1:9' })).toContain(
      'REFUND_SIGNER_FLOATS_FILE is missing',
    );
  });

  it.each([
    [
      'both the secret and its file',
      { REFUND_KEY: secret, REFUND_KEY_FILE: '/none' },
      'Set only one of them',
    ],
    ['the secret where its file belongs', { REFUND_KEY_FILE: secret }, 'must be a readable file'],
  ])('is rejected, without showing the secret, if the settings contain %s', (_, values, sentence) => {
    const problems = findSettingsProblems({ ...COMPLETE_SETTINGS, ...values });

    expect(problems).toContain(sentence);
    expect(problems).not.toContain(secret.slice(1));
  });
});

describe('The gas key', () => {
  const key = 'a'.repeat(64);
  const gasKeyOf = (values: Record<string, string>) =>
    readSettings({ ...COMPLETE_SETTINGS, ...values }).contexts.find(
      (each) => each instanceof NetworksSettings,
    )!.gasKey;

  it('is absent by default, and is read in one of three ways', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'gas-key-')), 'key');
    writeFileSync(file, `0x${key}\n`);

    expect(gasKeyOf({})).toBeNull();
    expect(gasKeyOf({ GAS_KEY: key })).toEqual({ kind: 'private_key', privateKey: key });
    expect(gasKeyOf({ GAS_KEY_FILE: file })).toEqual({ kind: 'private_key', privateKey: `0x${key}` });
    const signer = { GAS_SIGNER_URL: 'http://127.0.0.1:9', GAS_SIGNER_ADDRESS: `0x${'1'.repeat(40)}` };
    expect(gasKeyOf(signer)).toMatchObject({ kind: 'signer', address: `0x${'1'.repeat(40)}` });
  });

  it.each([
    ['both the secret and its file', { GAS_KEY: key, GAS_KEY_FILE: '/none' }, 'Set only one of them'],
    ['the key where its file belongs', { GAS_KEY_FILE: key }, 'must be a readable file'],
    ['what is no key', { GAS_KEY: `${key}0` }, 'GAS_KEY: must contain one private key'],
    ['the key zero', { GAS_KEY: '0'.repeat(64) }, 'GAS_KEY: must contain one private key'],
    [
      'a signer without its address',
      { GAS_SIGNER_URL: 'http://127.0.0.1:9' },
      'GAS_SIGNER_ADDRESS is missing',
    ],
    [
      'a signer whose address has a slip of the hand',
      {
        GAS_SIGNER_URL: 'http://127.0.0.1:9',
        GAS_SIGNER_ADDRESS: '0x70997970C51812dc3A010C7d01b50e0d17dc79c8',
      },
      'GAS_SIGNER_ADDRESS must be an EVM address',
    ],
  ])('is rejected, without showing the key, if the settings contain %s', (_, values, sentence) => {
    const problems = findSettingsProblems({ ...COMPLETE_SETTINGS, ...values });

    expect(problems).toContain(sentence);
    expect(problems).not.toContain(key);
  });

  it('requires an https signer outside development', () => {
    const signer = { GAS_SIGNER_URL: 'http://signer.example', GAS_SIGNER_ADDRESS: `0x${'1'.repeat(40)}` };

    expect(findSettingsProblems({ ...PRODUCTION_SETTINGS, ...signer })).toContain(
      'GAS_SIGNER_URL must be a URL that begins with https',
    );
  });
});
