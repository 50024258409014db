import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../../shared/kernel/page.js';
import type { Organization } from '../domain/organization.js';
import { Organizations } from './organizations.js';

/** Of all tenants: for the operator alone. */
@Injectable()
export class ListOrganizations {
  constructor(private readonly organizations: Organizations) {}

  execute(page: PageRequest): Promise<Page<Organization>> {
    return this.organizations.list(page);
  }
}
