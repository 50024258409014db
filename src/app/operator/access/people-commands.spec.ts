import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ChangeCollaborator } from '#contexts/identity/application/people/change-collaborator.js';
import { InviteCollaborator } from '#contexts/identity/application/people/invite-collaborator.js';
import { SecondFactors } from '#contexts/identity/infrastructure/people/persistence/second-factors.js';
import {
  ApiKeyEnvironment,
  type ServiceEnvironment,
} from '#contexts/identity/domain/credentials/credential.js';
import { Collaborators } from '#contexts/identity/infrastructure/people/persistence/collaborators.js';
import { totpCodeAt, newTotpSecret } from '#contexts/identity/application/people/one-time-codes.js';
import { SingleCommand } from '../testing/lone-command.js';
import { peopleCommands } from './people-commands.js';

const OWNER = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';

describe('The command "owner invite"', () => {
  const invited: object[] = [];
  const inviteBeside = (otherOwners: number) =>
    new SingleCommand(peopleCommands, 'owner invite', [
      [Collaborators, { countOtherOwners: async () => otherOwners }],
      [
        InviteCollaborator,
        { invite: async (whom: object) => (invited.push(whom), { invitation: { id: 'i' }, link: '/join' }) },
      ],
    ]).run({ organization: OWNER, email: 'anna@shop.example' });

  it('invites the first Owner, and no second one', async () => {
    expect(await inviteBeside(0)).toMatchObject({ id: 'i', link: '/join' });
    await expect(inviteBeside(1)).rejects.toMatchObject({ code: 'state_conflict' });
    expect(invited).toMatchObject([{ organizationId: OWNER, email: 'anna@shop.example', role: 'owner' }]);
  });
});

describe('The command "collaborator disable"', () => {
  it('disables the person with the email address, even the last Owner', async () => {
    const anna = { id: 'anna', organizationId: OWNER };
    const disable = new SingleCommand(peopleCommands, 'collaborator disable', [
      [
        Collaborators,
        {
          findByEmail: async (email: string) =>
            email === 'anna@shop.example' ? { collaborator: anna } : null,
        },
      ],
      [
        ChangeCollaborator,
        { change: async (change: object) => ({ ...change, name: JSON.stringify(change) }) },
      ],
    ]);

    const { name } = (await disable.run({ email: 'Anna@Shop.example' })) as { name: string };

    expect(JSON.parse(name)).toEqual({
      ...{ organizationId: OWNER, collaboratorId: 'anna', enabled: false },
      ...{ managerRole: 'operator', actor: 'operator anna' },
    });
    await expect(disable.run({ email: 'ben@shop.example' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('The command "totp"', () => {
  afterEach(() => void jest.restoreAllMocks());

  const secret = newTotpSecret();
  const codeIn = (environment: ServiceEnvironment, known: string | null = secret) =>
    new SingleCommand(peopleCommands, 'totp', [
      [ApiKeyEnvironment, new ApiKeyEnvironment(environment)],
      [Collaborators, { findByEmail: async () => ({ collaborator: { id: 'anna' } }) }],
      [SecondFactors, { findAuthenticatorSecret: async () => known }],
    ]).run({});

  it('shows the current code, and only in development', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(64_000);

    expect(await codeIn('development')).toEqual({ code: totpCodeAt(secret, 60_000), valid_seconds: 26 });
    await expect(codeIn('development', null)).rejects.toMatchObject({ code: 'state_conflict' });
    await expect(codeIn('staging')).rejects.toMatchObject({ code: 'state_conflict' });
    await expect(codeIn('production')).rejects.toMatchObject({ code: 'state_conflict' });
  });
});
