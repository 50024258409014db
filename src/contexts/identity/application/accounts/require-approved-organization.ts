import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { OrganizationApproval, organizationNotApprovedError } from '../../contract/organization-approval.js';
import { ApiKeyEnvironment } from '../../domain/credentials/credential.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';

@Injectable()
export class RequireApprovedOrganization extends OrganizationApproval {
  constructor(
    private readonly environment: ApiKeyEnvironment,
    private readonly organizations: Organizations,
  ) {
    super();
  }

  async require(organizationId: OrganizationId): Promise<void> {
    if (this.environment.name !== 'production') return;
    if (!(await this.organizations.isApproved(organizationId))) throw organizationNotApprovedError();
  }
}
