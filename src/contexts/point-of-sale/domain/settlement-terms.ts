import { invalidField } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { SettlementTerms } from '../contract/points-of-sale.js';

/** Terms as they were set, once and for good: a change is a new record. */
export interface SettlementTermsRecord extends SettlementTerms {
  readonly organizationId: OrganizationId;
  /** `null`: for every account of the organization that has no terms of its own on the network. */
  readonly accountId: AccountId | null;
  /** Who set them. */
  readonly setBy: string;
  readonly createdAt: Date;
}

/** One part in ten thousand. */
const ALL_BASIS_POINTS = 10_000;

/** @throws DomainError for what is no share from nothing to all */
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
