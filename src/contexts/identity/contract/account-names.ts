import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';

export interface NamedAccount {
  readonly id: AccountId;
  readonly name: string | null;
}

/** What people call accounts, for lists to choose from. */
export abstract class AccountNames {
  /** Of an organization's accounts that are not deleted the first `most`, by name; one statement. */
  abstract list(organizationId: OrganizationId, most: number): Promise<NamedAccount[]>;
}
