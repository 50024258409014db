import { invalidField } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { SettlementTerms } from '../contract/points-of-sale.js';

export interface SettlementTermsRecord extends SettlementTerms {
  readonly organizationId: OrganizationId;
  /** Null: for every account without its own terms. */
  readonly accountId: AccountId | null;
  readonly setBy: string;
  readonly createdAt: Date;
}

const ALL_BASIS_POINTS = 10_000;

/** @throws DomainError unless from 0 to 10,000 */
export function requireFeeBasisPoints(basisPoints: number): number {
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > ALL_BASIS_POINTS) {
    throw invalidField(
      'fee_basis_points',
      'integer',
      `must be a whole number from 0 to ${ALL_BASIS_POINTS}.`,
    );
  }
  return basisPoints;
}
