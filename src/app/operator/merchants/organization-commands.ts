import type { INestApplicationContext } from '@nestjs/common';
import { ApproveOrganization } from '#contexts/identity/application/accounts/approve-organization.js';
import { CreateMerchantAccount } from '#contexts/identity/application/accounts/create-merchant-account.js';
import { CreateOrganization } from '#contexts/identity/application/accounts/create-organization.js';
import { ChangeBranding } from '#contexts/identity/application/change-branding.js';
import { MerchantAccounts } from '#contexts/identity/infrastructure/accounts/persistence/merchant-accounts.js';
import type { Account, Organization } from '#contexts/identity/domain/accounts/account.js';
import { Organizations } from '#contexts/identity/infrastructure/accounts/persistence/organizations.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { selectFields } from '../command-result.js';
import { ORGANIZATION_OPTION, PAGE_OPTIONS, commandResultOfPage, type ServiceCommand } from '../command.js';

const organizationRow = (one: Organization) => selectFields(one, 'id', 'name', 'approvedAt', 'createdAt');

export const organizationCommands: ServiceCommand[] = [
  {
    words: 'organization create',
    about: 'Create an organization with its first account.',
    changes: {
      what: 'organizations',
      undo: 'cannot be deleted, but can do nothing without an Owner and a credential.',
      audited: 'with it',
    },
    example: "--name 'Example Shops' --support-contact help@shop.example",
    options: {
      name: { value: 'name', about: 'name of the organization and its first account', required: true },
      'support-contact': {
        value: 'contact',
        about: 'email address or https URL where payers get help; required before `organization approve`',
      },
    },
    async run(context, args) {
      const { actor } = args;
      const { organization, account } = await context
        .get(CreateOrganization)
        .create({ name: args.text('name'), actor });
      const support = args.optional('support-contact');
      const owner = { organizationId: organization.id, accountId: null };
      if (support !== undefined)
        await context.get(ChangeBranding).change({ owner, texts: { support }, actor });
      return { data: { ...organizationRow(organization), account_id: account.id } };
    },
  },
  {
    words: 'organization approve',
    about: 'Approve an organization for production. It needs a support contact.',
    changes: {
      what: 'the approval of an organization',
      irreversible: 'An approval cannot be withdrawn. You can still disable credentials.',
      audited: 'with it',
      async preview(context, args) {
        const id = args.id<OrganizationId>('organization');
        const name = await findOrganizationName(context, id);
        return {
          effect: `"${name}" (${id}) will be approved for production.`,
          confirmedBy: name,
        };
      },
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    arguments: { organization: 'id of the organization' },
    async run(context, args) {
      const organizationId = args.id<OrganizationId>('organization');
      const approved = await context.get(ApproveOrganization).approve({ organizationId, actor: args.actor });
      return { data: organizationRow(approved) };
    },
  },
  {
    words: 'organization list',
    about: 'List organizations, oldest first.',
    example: '--page 2',
    options: PAGE_OPTIONS,
    run: (context, args) =>
      commandResultOfPage(args, (page) => context.get(Organizations).list(page), organizationRow),
  },
];

const accountRow = (one: Account) =>
  selectFields(one, 'id', 'organizationId', 'externalId', 'name', 'createdAt');

export const accountCommands: ServiceCommand[] = [
  {
    words: 'account create',
    about: 'Create another account of an organization.',
    changes: {
      what: 'the accounts of an organization',
      undo: 'delete the account through the API or in the dashboard.',
      audited: 'with it',
    },
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --name Berlin --external-id b-1',
    options: {
      organization: ORGANIZATION_OPTION,
      name: { value: 'name', about: 'name of the account', required: true },
      'external-id': { value: 'id', about: 'the merchant’s own id of the account' },
    },
    async run(context, args) {
      const account = await context.get(CreateMerchantAccount).create({
        organizationId: args.id<OrganizationId>('organization'),
        name: args.text('name'),
        externalId: args.optional('external-id'),
        actor: args.actor,
      });
      return { data: accountRow(account) };
    },
  },
  {
    words: 'account list',
    about: 'List the accounts of an organization, oldest first.',
    example: '--organization 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    options: { organization: ORGANIZATION_OPTION, ...PAGE_OPTIONS },
    async run(context, args) {
      const scope = { organizationId: args.id<OrganizationId>('organization'), accountId: null };
      return commandResultOfPage(args, (page) => context.get(MerchantAccounts).list(scope, page), accountRow);
    },
  },
];

export async function findOrganizationName(context: INestApplicationContext, id: string): Promise<string> {
  const [row] = await context
    .get(Database)
    .query<{ name: string }>(
      'SELECT organization_name AS name FROM identity.public_accounts WHERE organization_id = $1 LIMIT 1',
      [id],
    );
  if (row === undefined) throw notFound('organization');
  return row.name;
}
