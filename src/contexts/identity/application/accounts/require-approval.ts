import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { OrganizationApproval, organizationNotApproved } from '../../contract/organization-approval.js';
import { KeyEnvironment } from '../../domain/credentials/credential.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';

@Injectable()
export class RequireApproval extends OrganizationApproval {
  constructor(
    private readonly environment: KeyEnvironment,
    private readonly organizations: Organizations,
  ) {
    super();
  }

  async require(organizationId: OrganizationId): Promise<void> {
    if (this.environment.name !== 'production') return;
    if (!(await this.organizations.isApproved(organizationId))) throw organizationNotApproved();
  }
}
