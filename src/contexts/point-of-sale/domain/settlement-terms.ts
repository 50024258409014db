import { invalidField } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { OrganizationTerms, type SettlementTerms } from '../contract/points-of-sale.js';

/** Settlement terms are immutable: a change creates a new record. */
export interface SettlementTermsRecord extends SettlementTerms {
  readonly organizationId: OrganizationId;
  /** `null`: applies to every account of the organization without terms of its own on the network. */
  readonly accountId: AccountId | null;
  readonly setBy: string;
  readonly createdAt: Date;
}

/** One basis point is one part in ten thousand. */
const ALL_BASIS_POINTS = 10_000;

/** @throws DomainError unless it is an integer from 0 to 10,000 */
export function feeShareFrom(basisPoints: number): number {
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > ALL_BASIS_POINTS) {
    throw invalidField(
      'fee_basis_points',
      'integer',
      `must be a whole number from 0 to ${ALL_BASIS_POINTS}.`,
    );
  }
  return basisPoints;
}

export abstract class SettlementTermsRecords extends OrganizationTerms {
  /**
   * Locks the organization's terms until the unit of work ends, so that the order of insertion is the order of commits. Changes the version
   * of every point of sale of the organization. @throws not_found if the organization does not exist
   */
  abstract add(terms: SettlementTermsRecord): Promise<void>;
  /**
   * Reserves these wallet keys for the organization permanently, even if its terms change. @throws outside a unit of work
   * @returns false if another organization has one of the keys
   */
  abstract claimKeys(network: string, keys: readonly string[], owner: OrganizationId): Promise<boolean>;
  /** Returns the terms in force: the newest per account (or organization) and network. */
  abstract current(owner: OrganizationId): Promise<SettlementTermsRecord[]>;
  /** Returns all terms ever set, newest first, optionally of one network. */
  abstract history(owner: OrganizationId, network: string | null): Promise<SettlementTermsRecord[]>;
}
