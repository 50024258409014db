import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeyEnvironment } from '#contexts/identity/domain/credentials/credential.js';
import { ChangeCollaborator } from '#contexts/identity/application/people/change-collaborator.js';
import { InviteCollaborator } from '#contexts/identity/application/people/invite-collaborator.js';
import { SecondFactors } from '#contexts/identity/infrastructure/people/persistence/second-factors.js';
import { Collaborators } from '#contexts/identity/infrastructure/people/persistence/collaborators.js';
import type { Collaborator } from '#contexts/identity/domain/people/collaborator.js';
import { totpCodeAt, TOTP_STEP_SECONDS } from '#contexts/identity/application/people/one-time-codes.js';
import { normalizeEmailForLookup } from '#shared/kernel/email-address.js';
import { notFound, stateConflict } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { selectFields } from '../command-result.js';
import { ORGANIZATION_OPTION, PAGE_OPTIONS, commandResultOfPage, type ServiceCommand } from '../command.js';

const SANDBOX_OWNER = 'owner@sandbox.example';

export const peopleCommands: ServiceCommand[] = [
  {
    words: 'owner invite',
    about:
      'Invite the first Owner of an organization to the dashboard. The link is displayed once and sent by email.',
    changes: {
      what: 'the invitations of an organization',
      undo: 'collaborator disable after it is accepted; an unused invitation expires after 7 days.',
      audited: 'with it',
    },
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --email anna@shop.example',
    options: {
      organization: ORGANIZATION_OPTION,
      email: { value: 'address', about: 'email address of the person', required: true },
    },
    async run(context, args) {
      const organizationId = args.id<OrganizationId>('organization');
      if ((await context.get(Collaborators).countOtherOwners(organizationId, null)) > 0)
        throw stateConflict(
          'The organization already has an Owner, who can invite others in the dashboard (/app/team).',
        );
      const { invitation, link } = await context.get(InviteCollaborator).invite({
        organizationId,
        email: args.text('email'),
        role: 'owner',
        inviterRole: 'owner',
        actor: args.actor,
      });
      const data = { id: invitation.id, email: invitation.email, expires_at: invitation.expiresAt, link };
      return { data, note: 'The link works once. Show it only to the invited person.' };
    },
  },
  {
    words: 'collaborator list',
    about: 'List the people of an organization, oldest first.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    options: { organization: ORGANIZATION_OPTION, ...PAGE_OPTIONS },
    async run(context, args) {
      const owner = args.id<OrganizationId>('organization');
      return commandResultOfPage(args, (page) => context.get(Collaborators).list(owner, page), presentPerson);
    },
  },
  {
    words: 'collaborator disable',
    about: 'End a person’s access immediately, even for the last Owner. You can then use owner invite again.',
    changes: {
      what: 'the access of a person',
      undo: 'an Owner enables the person in the dashboard; after the last Owner, owner invite.',
      audited: 'with it',
    },
    example: 'anna@shop.example',
    arguments: { email: 'email address of the person' },
    async run(context, args) {
      const { id: collaboratorId, organizationId } = await findPerson(context, args.text('email'));
      const changed = await context.get(ChangeCollaborator).change({
        organizationId,
        collaboratorId,
        enabled: false,
        managerRole: 'operator',
        actor: args.actor,
      });
      return { data: presentPerson(changed) };
    },
  },
  {
    words: 'totp',
    about: 'Show the current one-time code of a person (default: the sandbox’s Owner). Development only.',
    example: '--email anna@shop.example',
    options: {
      email: { value: 'address', about: 'email address of the person (default: owner@sandbox.example)' },
    },
    async run(context, args) {
      requireDevelopment(context, 'One-time codes are displayed only in development.');
      const { id } = await findPerson(context, args.optional('email') ?? SANDBOX_OWNER);
      const secret = await context.get(SecondFactors).findAuthenticatorSecret(id);
      if (secret === null) throw stateConflict('This person has no authenticator app.');
      const seconds = TOTP_STEP_SECONDS - (Math.floor(Date.now() / 1_000) % TOTP_STEP_SECONDS);
      return {
        data: { code: totpCodeAt(secret), valid_seconds: seconds },
        note: 'A code works once. The next code starts when this one expires.',
      };
    },
  },
];

async function findPerson(context: INestApplicationContext, email: string): Promise<Collaborator> {
  const found = await context.get(Collaborators).findByEmail(normalizeEmailForLookup(email));
  if (found === null) throw notFound('collaborator');
  return found.collaborator;
}

function presentPerson(one: Collaborator) {
  return selectFields(one, 'id', 'email', 'name', 'role', 'enabled', 'lastSignedInAt', 'createdAt');
}

/** @param instead sentence that tells the operator what to do @throws state_conflict outside development */
export function requireDevelopment(context: INestApplicationContext, instead: string): void {
  if (context.get(ApiKeyEnvironment).name !== 'development') throw stateConflict(instead);
}
