import { describe, expect, it } from '@jest/globals';
import { SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import type { Settings } from './settings/settings.js';
import type { SigningKeysSource } from './signing-keys/signing-keys.js';
import { shutdownSignals, nodeReleaseWarning } from './run-process.js';

const settingsWith = (file?: SigningKeysSource) =>
  ({
    signingKeys: { token: new SigningKeyRing([]), naspip: new SigningKeyRing([]), ...(file && { file }) },
  }) as unknown as Settings;
const source: SigningKeysSource = { path: 'keys.json', text: '', read: () => ({ token: [], naspip: [] }) };

describe('The set of stop signals', () => {
  it('excludes SIGHUP only if it reloads the file of signing keys', () => {
    expect(shutdownSignals(settingsWith())).toEqual(expect.arrayContaining(['SIGTERM', 'SIGINT', 'SIGHUP']));
    expect(shutdownSignals(settingsWith(source))).toEqual(expect.arrayContaining(['SIGTERM', 'SIGINT']));
    expect(shutdownSignals(settingsWith(source))).not.toContain('SIGHUP');
  });
});

describe('The warning about the Node release', () => {
  it.each(['22.23.4', '24.22.1', '24.22.2', '24.23.0', '26.12.1', '26.13.0', '28.0.0'])(
    'is absent for a release that has the fix: %s',
    (version) => expect(nodeReleaseWarning(version)).toBeNull(),
  );

  it.each(['20.20.2', '22.23.3', '23.99.0', '24.21.0', '24.22.0', '25.9.9', '26.12.0'])(
    'names a release that lacks the fix, and the releases to update to: %s',
    (version) => {
      expect(nodeReleaseWarning(version)).toContain(`Node ${version} has CVE-2026-111497`);
      expect(nodeReleaseWarning(version)).toContain('22.23.4, 24.22.1, 26.12.1 or newer');
    },
  );
});
