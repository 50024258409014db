import { invalidField } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { SettlementTerms } from '../contract/points-of-sale.js';

/** Stored settlement terms. They are immutable: a change creates a new record. */
export interface SettlementTermsRecord extends SettlementTerms {
  readonly organizationId: OrganizationId;
  /** Null if the terms apply to every account of the organization without its own terms on the network. */
  readonly accountId: AccountId | null;
  readonly setBy: string;
  readonly createdAt: Date;
}

/** One basis point is one part in ten thousand. */
const ALL_BASIS_POINTS = 10_000;

/** @throws DomainError unless the share is an integer from 0 to 10,000 */
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
