import type { INestApplicationContext } from '@nestjs/common';
import { ApproveOrganization } from '#contexts/identity/application/accounts/approve-organization.js';
import { CreateOrganization } from '#contexts/identity/application/accounts/create-organization.js';
import { Organizations, type Organization } from '#contexts/identity/domain/accounts/organization.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { presentPage } from '#shared/platform/http/answers/pagination.dto.js';
import { PAGE_OPTIONS, type Command, type Foretold } from '../command.js';
import type { CommandArguments } from '../command-arguments.js';
import { organizationName } from './organization-name.js';

export const organizationCommands: Command[] = [
  {
    words: 'organization create',
    about: 'Create an organization with its first account.',
    changes: {
      what: 'organizations',
      undo: 'none is deleted; without an Owner and a credential it can do nothing.',
      audited: 'with it',
    },
    example: "--name 'Example Shops'",
    options: { name: { value: 'name', about: 'of the organization and its first account', required: true } },
    async run(context, args) {
      const create = context.get(CreateOrganization, { strict: false });
      const { organization, account } = await create.execute({
        name: args.text('name'),
        actor: args.actor,
      });
      return { data: { ...present(organization), account_id: account.id } };
    },
  },
  {
    words: 'organization approve',
    about: 'Let an organization have production credentials.',
    changes: {
      what: 'what an organization may have',
      irreversible: 'An approval is not withdrawn: single credentials can be disabled.',
      audited: 'with it',
      foretell: foretellApproval,
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    arguments: { organization: 'its id' },
    async run(context, args) {
      const approve = context.get(ApproveOrganization, { strict: false });
      const organizationId = args.id<OrganizationId>('organization');
      return { data: present(await approve.execute({ organizationId, actor: args.actor })) };
    },
  },
  {
    words: 'organization list',
    about: 'List organizations, oldest first.',
    example: '--page 2',
    options: PAGE_OPTIONS,
    async run(context, args) {
      const page = args.page();
      const found = await context.get(Organizations, { strict: false }).list(page);
      return { data: presentPage(found, page, present) };
    },
  },
];

function present({ id, name, approvedAt, createdAt }: Organization) {
  return {
    id,
    name,
    approved_at: approvedAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}

async function foretellApproval(context: INestApplicationContext, args: CommandArguments): Promise<Foretold> {
  const id = args.id<OrganizationId>('organization');
  const name = await organizationName(context, id);
  return { says: `"${name}" (${id}) may have production credentials from now on.`, type: name };
}
