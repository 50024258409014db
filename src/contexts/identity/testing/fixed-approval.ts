import { OrganizationApproval, organizationNotApprovedError } from '../contract/organization-approval.js';

export class FixedApproval extends OrganizationApproval {
  isApproved = true;

  async require(): Promise<void> {
    if (!this.isApproved) throw organizationNotApprovedError();
  }
}
