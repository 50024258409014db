import type { OrganizationId } from '#shared/kernel/ids.js';

/** Where an organization as a whole has its money delivered. */
export abstract class OrganizationTerms {
  /** As people write it, by the terms in force for the whole organization; null where none are. */
  abstract settlementAddress(organization: OrganizationId, network: string): Promise<string | null>;
}
