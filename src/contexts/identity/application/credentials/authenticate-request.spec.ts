import { describe, expect, it } from '@jest/globals';
import type { CredentialId } from '#shared/kernel/ids.js';
import type {
  CredentialLookup,
  CredentialWithSecretDigest,
} from '../../infrastructure/credentials/persistence/credential-lookup.js';
import { ApiKeyEnvironment } from '../../domain/credentials/credential.js';
import { AuthenticateRequest } from './authenticate-request.js';

const credentialId = '0193b2f4-5f0e-8c1a-9d1e-0a4b5c6d7e8f' as CredentialId;
/** The database clock differs greatly from the clock of the test process. */
const NOW = new Date('2020-01-01T12:00:00.000Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);

/** @returns 'success' and the recorded uses of the credential, or the error code */
async function prove(
  stored: Partial<CredentialWithSecretDigest> | null,
  expiresAt = after(1),
  apiKey = `svc.dev.${credentialId}`,
) {
  const uses: unknown[] = [];
  const credential = stored && { id: credentialId, enabled: true, allowedAddresses: [], ...stored };
  const proofs = {
    read: async () => ({ credential, now: NOW }),
    recordUse: (...use: unknown[]) => uses.push(use),
  };
  const access = new AuthenticateRequest(
    new ApiKeyEnvironment('development'),
    proofs as unknown as CredentialLookup,
  );
  try {
    await access.authenticate({ token: { credentialId, expiresAt }, apiKey, address: '10.1.2.3' });
    return ['success', uses];
  } catch (error) {
    return [(error as { code: string }).code, uses];
  }
}

describe('The proof of access', () => {
  it('records the use of the credential at the time of the database clock', async () => {
    expect(await prove({ allowedAddresses: ['10.0.0.0/8'] })).toEqual(['success', [[credentialId, NOW]]]);
  });

  it.each([
    ['token_expired', null, NOW, 'other'],
    ['api_key_mismatch', null, after(1), 'other'],
    ['credentials_invalid', null, after(1), undefined],
    ['credential_disabled', { enabled: false, allowedAddresses: ['192.0.2.0/24'] }, after(1), undefined],
    ['ip_not_allowed', { allowedAddresses: ['192.0.2.0/24'] }, after(1), undefined],
  ])(
    'reports only the first of several failures, in a fixed order: %s',
    async (code, stored, expiresAt, apiKey) => {
      expect(await prove(stored, expiresAt, apiKey)).toEqual([code, []]);
    },
  );
});
