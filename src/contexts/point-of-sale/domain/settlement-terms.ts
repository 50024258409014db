import { invalidField } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { OrganizationTerms, type SettlementTerms } from '../contract/points-of-sale.js';

/** Settlement terms never change once they are set: a change is a new record. */
export interface SettlementTermsRecord extends SettlementTerms {
  readonly organizationId: OrganizationId;
  /** `null`: for every account of the organization that has no terms of its own on the network. */
  readonly accountId: AccountId | null;
  readonly setBy: string;
  readonly createdAt: Date;
}

/** One part in ten thousand. */
const ALL_BASIS_POINTS = 10_000;

/** @throws DomainError unless it is a share between nothing and all */
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
   * Locks the organization's terms until the unit of work ends, so that the last added is the last committed, and
   * moves the version of every point of sale of the organization. @throws not_found where there is no such organization
   */
  abstract add(terms: SettlementTermsRecord): Promise<void>;
  /**
   * Keeps these keys of a wallet for the organization from now on, whatever its terms become. @throws outside a unit of work
   * @returns false where another organization has one of them
   */
  abstract claimKeys(network: string, keys: readonly string[], owner: OrganizationId): Promise<boolean>;
  /** The terms in force: the newest per account (or organization) and network. */
  abstract current(owner: OrganizationId): Promise<SettlementTermsRecord[]>;
  /** All that were ever set, newest first; limited to the network where one is named. */
  abstract history(owner: OrganizationId, network: string | null): Promise<SettlementTermsRecord[]>;
}
