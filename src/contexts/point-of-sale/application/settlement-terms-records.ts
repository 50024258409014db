import type { OrganizationId } from '#shared/kernel/ids.js';
import type { SettlementTermsRecord } from '../domain/settlement-terms.js';

export abstract class SettlementTermsRecords {
  /**
   * Locks the organization's terms until the unit of work ends, so that the last added is the last committed, and
   * moves the version of every point of sale of the organization. @throws not_found where there is no such organization
   */
  abstract add(terms: SettlementTermsRecord): Promise<void>;
  /** Those in force: the newest per account (or organization) and network. */
  abstract current(owner: OrganizationId): Promise<SettlementTermsRecord[]>;
  /** All that were ever set, newest first; those of the network alone where one is named. */
  abstract history(owner: OrganizationId, network: string | null): Promise<SettlementTermsRecord[]>;
}
