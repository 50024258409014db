import { ApproveOrganization } from '../../contexts/identity/application/approve-organization.js';
import { CreateOrganization } from '../../contexts/identity/application/create-organization.js';
import { Organizations, type Organization } from '../../contexts/identity/domain/organization.js';
import type { OrganizationId } from '../../shared/kernel/ids.js';
import { presentPage } from '../../shared/platform/http/answers/pagination.dto.js';
import { PAGE_OPTIONS, type Command } from './command.js';

export const organizationCommands: Command[] = [
  {
    words: 'organization create',
    about: 'Create an organization with its first account.',
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
    arguments: ['organization'],
    async run(context, args) {
      const approve = context.get(ApproveOrganization, { strict: false });
      const organizationId = args.id<OrganizationId>('organization');
      return { data: present(await approve.execute({ organizationId, actor: args.actor })) };
    },
  },
  {
    words: 'organization list',
    about: 'List organizations, oldest first.',
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
