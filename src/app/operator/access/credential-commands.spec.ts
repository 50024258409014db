import { describe, expect, it } from '@jest/globals';
import { ChangeCredential } from '#contexts/identity/application/credentials/change-credential.js';
import { CreateCredential } from '#contexts/identity/application/credentials/create-credential.js';
import { DeleteCredential } from '#contexts/identity/application/credentials/delete-credential.js';
import { SetCredentialEnabled } from '#contexts/identity/application/credentials/set-credential-enabled.js';
import { Credentials } from '#contexts/identity/infrastructure/credentials/persistence/credentials.js';
import {
  ApiKeyEnvironment,
  type ServiceEnvironment,
} from '#contexts/identity/domain/credentials/credential.js';
import { SingleCommand } from '../testing/lone-command.js';
import { credentialCommands } from './credential-commands.js';

const OWNER = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';
const VALUES = { credential: 'svc.prd.1', organization: OWNER, name: 'Till', roles: 'read' };

/** @returns the calls of use cases that the command made */
async function callsIn(environment: ServiceEnvironment, words: string): Promise<unknown[]> {
  const credential = { id: 'c', keyId: 'svc.prd.1', organizationId: OWNER, name: 'Till' };
  const calls: unknown[] = [];
  const called = (word: string, answer: object) => ({
    [word]: async ({ enabled }: { enabled?: boolean }) => {
      calls.push(enabled === undefined ? word : `${word} ${enabled}`);
      return answer;
    },
  });
  const command = new SingleCommand(credentialCommands, words, [
    [ApiKeyEnvironment, new ApiKeyEnvironment(environment)],
    [Credentials, { find: async () => credential }],
    [CreateCredential, called('create', { credential, secret: 's' })],
    [ChangeCredential, called('change', credential)],
    [SetCredentialEnabled, called('set', credential)],
    [DeleteCredential, called('delete', {})],
  ]);
  await command.run(VALUES).catch((error: Error) => calls.push(error.message));
  return calls;
}

const REFUSED = [
  'This command works only in development. Elsewhere, an Owner or Admin manages API keys in the dashboard (/app/api-keys).',
];

describe('A command for credentials', () => {
  it.each(['create', 'change', 'enable', 'delete'])(
    'is rejected outside development and changes nothing: credential %s',
    async (word) => {
      const words = `credential ${word}`;

      expect(await callsIn('production', words)).toEqual(REFUSED);
      expect(await callsIn('staging', words)).toEqual(REFUSED);
      expect(await callsIn('development', words)).toEqual([word === 'enable' ? 'set true' : word]);
    },
  );

  it('changes nothing if no change is passed', async () => {
    const change = new SingleCommand(credentialCommands, 'credential change', []);

    await expect(change.run({ credential: 'c' })).rejects.toThrow('Pass --name, --roles or --allowed-ips.');
  });

  it('disables a credential in every environment', async () => {
    expect(await callsIn('production', 'credential disable')).toEqual(['set false']);
  });
});
