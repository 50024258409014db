import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';

export interface NamedAccount {
  readonly id: AccountId;
  readonly name: string | null;
}

/** Names of accounts, for lists to choose from. */
export abstract class AccountNames {
  /** The first `limit` accounts of an organization by name, without deleted ones; one statement. */
  abstract list(organizationId: OrganizationId, limit: number): Promise<NamedAccount[]>;
}
