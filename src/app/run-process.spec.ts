import { describe, expect, it } from '@jest/globals';
import { SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import type { Settings } from './settings/settings.js';
import type { SigningKeysSource } from './signing-keys/signing-keys.js';
import { stopSignals } from './run-process.js';

const settingsWith = (file?: SigningKeysSource) =>
  ({
    signingKeys: { token: new SigningKeyRing([]), naspip: new SigningKeyRing([]), ...(file && { file }) },
  }) as unknown as Settings;
const source: SigningKeysSource = { path: 'keys.json', text: '', read: () => ({ token: [], naspip: [] }) };

describe('The set of stop signals', () => {
  it('excludes SIGHUP only if it reloads the file of signing keys', () => {
    expect(stopSignals(settingsWith())).toEqual(expect.arrayContaining(['SIGTERM', 'SIGINT', 'SIGHUP']));
    expect(stopSignals(settingsWith(source))).toEqual(expect.arrayContaining(['SIGTERM', 'SIGINT']));
    expect(stopSignals(settingsWith(source))).not.toContain('SIGHUP');
  });
});
