import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { InviteCollaborator } from '#contexts/identity/application/people/invite-collaborator.js';
import { SecondFactors } from '#contexts/identity/infrastructure/people/persistence/second-factors.js';
import { KeyEnvironment, type ServiceEnvironment } from '#contexts/identity/domain/credentials/credential.js';
import { Collaborators } from '#contexts/identity/infrastructure/people/persistence/collaborators.js';
import { totpCodeAt, newTotpSecret } from '#contexts/identity/application/people/one-time-codes.js';
import { SingleCommand } from '../testing/lone-command.js';
import { peopleCommands } from './people-commands.js';

const OWNER = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';

describe('The command "owner invite"', () => {
  const inviteBeside = (otherOwners: number) =>
    new SingleCommand(peopleCommands, 'owner invite', [
      [Collaborators, { countOtherOwners: async () => otherOwners }],
      [InviteCollaborator, { invite: async () => ({ invitation: { id: 'i' }, link: '/join' }) }],
    ]).run({ organization: OWNER, email: 'anna@shop.example' });

  it('invites the first Owner, and no second one', async () => {
    expect(await inviteBeside(0)).toMatchObject({ id: 'i', link: '/join' });
    await expect(inviteBeside(1)).rejects.toMatchObject({ code: 'state_conflict' });
  });
});

describe('The command "totp"', () => {
  afterEach(() => void jest.restoreAllMocks());

  const secret = newTotpSecret();
  const codeIn = (environment: ServiceEnvironment) =>
    new SingleCommand(peopleCommands, 'totp', [
      [KeyEnvironment, new KeyEnvironment(environment)],
      [Collaborators, { findByEmail: async () => ({ collaborator: { id: 'anna' } }) }],
      [SecondFactors, { secret: async () => secret }],
    ]).run({});

  it('shows the current code, and only in development', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(64_000);

    expect(await codeIn('development')).toEqual({ code: totpCodeAt(secret, 60_000), valid_seconds: 26 });
    await expect(codeIn('staging')).rejects.toMatchObject({ code: 'state_conflict' });
    await expect(codeIn('production')).rejects.toMatchObject({ code: 'state_conflict' });
  });
});
