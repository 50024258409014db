import { CreateAccount } from '#contexts/identity/application/accounts/create-account.js';
import { Accounts, type Account } from '#contexts/identity/domain/accounts/account.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { presentPage } from '#shared/platform/http/answers/pagination.dto.js';
import { PAGE_OPTIONS, type Command } from '../command.js';

const organization = { value: 'id', about: 'whose account', required: true } as const;

export const accountCommands: Command[] = [
  {
    words: 'account create',
    about: 'Create a further account of an organization.',
    changes: {
      what: 'the accounts of an organization',
      undo: 'delete the account by the API or in the dashboard.',
      audited: 'with it',
    },
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --name Berlin --external-id b-1',
    options: {
      organization,
      name: { value: 'name', about: 'of the account', required: true },
      'external-id': { value: 'id', about: 'the merchant’s own id for it' },
    },
    async run(context, args) {
      const account = await context.get(CreateAccount, { strict: false }).execute({
        organizationId: args.id<OrganizationId>('organization'),
        name: args.text('name'),
        externalId: args.optional('external-id'),
        actor: args.actor,
      });
      return { data: present(account) };
    },
  },
  {
    words: 'account list',
    about: 'List the accounts of an organization, oldest first.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    options: { organization, ...PAGE_OPTIONS },
    async run(context, args) {
      const page = args.page();
      const scope = { organizationId: args.id<OrganizationId>('organization'), accountId: null };
      const found = await context.get(Accounts, { strict: false }).list(scope, page);
      return { data: presentPage(found, page, present) };
    },
  },
];

function present({ id, organizationId, externalId, name, createdAt }: Account) {
  return {
    id,
    organization_id: organizationId,
    external_id: externalId,
    name,
    created_at: createdAt.toISOString(),
  };
}
