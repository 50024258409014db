import type { INestApplicationContext } from '@nestjs/common';
import { ChangeCredential } from '#contexts/identity/application/credentials/change-credential.js';
import { CreateCredential } from '#contexts/identity/application/credentials/create-credential.js';
import { DeleteCredential } from '#contexts/identity/application/credentials/delete-credential.js';
import { SetCredentialEnabled } from '#contexts/identity/application/credentials/set-credential-enabled.js';
import { Credentials } from '#contexts/identity/infrastructure/credentials/persistence/credentials.js';
import type { Credential } from '#contexts/identity/domain/credentials/credential.js';
import type { AccountId, CredentialId, OrganizationId } from '#shared/kernel/ids.js';
import { selectFields } from '../command-result.js';
import {
  type CommandArguments,
  ORGANIZATION_OPTION,
  PAGE_OPTIONS,
  commandResultOfPage,
  type ServiceCommand,
  UsageError,
} from '../command.js';
import { findOrganizationName } from '../merchants/organization-commands.js';
import { requireDevelopment } from './people-commands.js';

const rolesOption = { value: 'read,write', about: 'read, write, or both' } as const;
const allowedIpsOption = {
  value: 'a,b',
  about: 'IP addresses or CIDR ranges that may use the credential; "" allows any',
} as const;

export const credentialCommands: ServiceCommand[] = [
  {
    words: 'credential create',
    about: 'Create an API credential. The secret is displayed once.',
    changes: {
      what: 'the credentials of an organization',
      undo: 'credential disable or credential delete.',
      audited: 'with it',
    },
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --name Till --roles read,write',
    options: {
      organization: ORGANIZATION_OPTION,
      account: { value: 'id', about: 'limit the credential to this account' },
      name: { value: 'name', about: 'what the credential is for', required: true },
      roles: { ...rolesOption, required: true },
      'allowed-ips': allowedIpsOption,
    },
    async run(context, args) {
      rejectOutsideDevelopment(context);
      const { credential, secret } = await context.get(CreateCredential).create({
        organizationId: args.id<OrganizationId>('organization'),
        accountId: args.optionalId<AccountId>('account'),
        name: args.text('name'),
        roles: args.list('roles') ?? [],
        allowedAddresses: args.list('allowed-ips') ?? [],
        actor: args.actor,
      });
      const data = { api_key: credential.keyId, api_secret: secret, ...presentCredential(credential) };
      return { data, note: 'Save the secret now. It cannot be displayed again.' };
    },
  },
  {
    words: 'credential list',
    about: 'List the credentials of an organization, oldest first.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    options: { organization: ORGANIZATION_OPTION, ...PAGE_OPTIONS },
    async run(context, args) {
      const owner = args.id<OrganizationId>('organization');
      return commandResultOfPage(
        args,
        (page) => context.get(Credentials).list(owner, page),
        presentCredential,
      );
    },
  },
  {
    words: 'credential change',
    about: 'Change the name, roles or allowed addresses of a credential. Applies from its next request.',
    changes: {
      what: 'the permissions of a credential',
      undo: 'change it back; the organization’s audit log has the previous values.',
      audited: 'with it',
    },
    example: 'svc.dev.4k3JQ2 --roles read',
    arguments: { credential: 'id or key id of the credential' },
    options: {
      name: { value: 'name', about: 'what the credential is for' },
      roles: rolesOption,
      'allowed-ips': allowedIpsOption,
    },
    async run(context, args) {
      const changes = {
        name: args.optional('name'),
        roles: args.list('roles'),
        allowedAddresses: args.list('allowed-ips'),
      };
      if (Object.values(changes).every((value) => value === undefined))
        throw new UsageError('Pass --name, --roles or --allowed-ips.');
      rejectOutsideDevelopment(context);
      const owned = await findCredential(context, args);
      return {
        data: presentCredential(await context.get(ChangeCredential).change({ ...owned, ...changes })),
      };
    },
  },
  enableOrDisableCommand('credential enable', true, 'Enable a disabled credential.', 'credential disable.'),
  enableOrDisableCommand(
    'credential disable',
    false,
    'Reject a credential and its access tokens from the next request.',
    'an Owner or Admin enables it in the dashboard; in development, credential enable.',
  ),
  {
    words: 'credential delete',
    about: 'Delete a credential permanently.',
    changes: {
      what: 'the credentials of an organization',
      irreversible: 'The secret stops working permanently. Callers need another credential.',
      audited: 'with it',
      async preview(context, args) {
        const { name, keyId, organizationId } = await context.get(Credentials).find(args.text('credential'));
        const owner = await findOrganizationName(context, organizationId);
        return {
          effect: `The credential "${name}" (${keyId}) of ${owner} will be deleted.`,
          confirmedBy: name,
        };
      },
    },
    example: 'svc.dev.4k3JQ2',
    arguments: { credential: 'id or key id of the credential' },
    async run(context, args) {
      rejectOutsideDevelopment(context);
      const owned = await findCredential(context, args);
      await context.get(DeleteCredential).delete(owned);
      return { data: { id: owned.credentialId, deleted: true } };
    },
  },
];

/** The dashboard requires two factors and records the person. */
function rejectOutsideDevelopment(context: INestApplicationContext): void {
  requireDevelopment(
    context,
    'This command works only in development. Elsewhere, an Owner or Admin manages API keys in the dashboard (/app/api-keys).',
  );
}

function enableOrDisableCommand(
  words: string,
  enabled: boolean,
  about: string,
  undo: string,
): ServiceCommand {
  return {
    words,
    about,
    changes: { what: 'whether a credential is enabled', undo, audited: 'with it' },
    arguments: { credential: 'id or key id of the credential' },
    example: 'svc.dev.4k3JQ2',
    async run(context, args) {
      if (enabled) rejectOutsideDevelopment(context);
      const owned = await findCredential(context, args);
      return { data: presentCredential(await context.get(SetCredentialEnabled).set({ ...owned, enabled })) };
    },
  };
}

async function findCredential(
  context: INestApplicationContext,
  args: CommandArguments,
): Promise<{ organizationId: OrganizationId; credentialId: CredentialId; actor: string }> {
  const { id, organizationId } = await context.get(Credentials).find(args.text('credential'));
  return { organizationId, credentialId: id, actor: args.actor };
}

function presentCredential(credential: Credential) {
  return {
    ...selectFields(credential, 'id', 'keyId', 'organizationId', 'accountId', 'name', 'roles'),
    allowed_ips: credential.allowedAddresses,
    ...selectFields(credential, 'enabled', 'lastUsedAt', 'createdAt'),
  };
}
