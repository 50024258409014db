import { ApproveOrganization } from '../../contexts/identity/application/approve-organization.js';
import { CreateOrganization } from '../../contexts/identity/application/create-organization.js';
import { ListOrganizations } from '../../contexts/identity/application/list-organizations.js';
import type { Organization } from '../../contexts/identity/domain/organization.js';
import type { OrganizationId } from '../../shared/kernel/ids.js';
import { presentPage } from '../../shared/platform/http/paging.dto.js';
import type { Command } from './command.js';
import { PAGE_OPTIONS } from './page-options.js';

export const organizationCommands: Command[] = [
  {
    words: 'organization create',
    about: 'Create an organization with its first account.',
    options: { name: { value: 'name', about: 'of the organization and its first account', required: true } },
    async run(context, given) {
      const create = context.get(CreateOrganization, { strict: false });
      const { organization, account } = await create.execute({
        name: given.text('name'),
        actor: given.actor,
      });
      return { data: { ...present(organization), account_id: account.id } };
    },
  },
  {
    words: 'organization approve',
    about: 'Let an organization have production credentials.',
    arguments: ['organization'],
    async run(context, given) {
      const approve = context.get(ApproveOrganization, { strict: false });
      const organizationId = given.id<OrganizationId>('organization');
      return { data: present(await approve.execute({ organizationId, actor: given.actor })) };
    },
  },
  {
    words: 'organization list',
    about: 'List organizations, oldest first.',
    options: PAGE_OPTIONS,
    async run(context, given) {
      const page = given.page();
      const found = await context.get(ListOrganizations, { strict: false }).execute(page);
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
