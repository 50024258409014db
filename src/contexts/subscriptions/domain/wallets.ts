import type { OrganizationId, WalletId } from '#shared/kernel/ids.js';
import type { Wallet } from './subscription-state.js';

/** Repository of the wallets that have accepted subscriptions of an organization. */
export abstract class Wallets {
  /** The wallet of that external id; stored first where it is not known yet. */
  abstract named(organizationId: OrganizationId, externalId: string): Promise<Wallet>;
  /** @returns null where no wallet has that external id */
  abstract byExternalId(organizationId: OrganizationId, externalId: string): Promise<Wallet | null>;
  /** @throws not_found, also for another organization's */
  abstract find(organizationId: OrganizationId, id: WalletId): Promise<Wallet>;
}
