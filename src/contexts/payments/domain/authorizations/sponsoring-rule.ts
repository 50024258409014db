import { DomainError } from '#shared/kernel/domain-error.js';
import type { GasSponsorshipLimits } from '#contexts/networks/contract/network-catalogue.js';

export type SponsoringLimit = 'per_payment' | 'per_organization_and_day' | 'per_day';

/** Smallest units of the native coin. A day is the last 24 hours. Reserved costs count until the real cost is known. */
export interface SponsoredCosts {
  /** Includes failed authorizations. */
  readonly ofPayment: bigint;
  readonly ofOrganizationToday: bigint;
  readonly today: bigint;
}

/** @param cost maximum gas cost of the next authorization */
export function findExceededSponsoringLimit(
  limits: GasSponsorshipLimits,
  sponsored: SponsoredCosts,
  cost: bigint,
): SponsoringLimit | null {
  if (sponsored.ofPayment + cost > limits.perPayment) return 'per_payment';
  if (sponsored.ofOrganizationToday + cost > limits.perOrganizationAndDay) return 'per_organization_and_day';
  return sponsored.today + cost > limits.perDay ? 'per_day' : null;
}

export const NOT_SPONSORED_REASONS = [
  'asset',
  'network',
  'per_payment',
  'per_organization_and_day',
  'per_day',
] as const satisfies readonly ('asset' | 'network' | SponsoringLimit)[];

const NOT_SPONSORED_MESSAGES: Readonly<Record<NotSponsoredError['reason'], string>> = {
  asset: 'this asset does not support payments by signature.',
  network: 'the operator does not pay the gas of payments by signature on this network.',
  per_payment: 'the gas costs more than the limit for one payment.',
  per_organization_and_day: 'the gas exceeds the 24-hour limit of this merchant.',
  per_day: 'the gas exceeds the 24-hour limit of this network.',
};

/** The payer can still send a normal transfer. */
export class NotSponsoredError extends DomainError {
  constructor(readonly reason: (typeof NOT_SPONSORED_REASONS)[number]) {
    const message = NOT_SPONSORED_MESSAGES[reason];
    super('conflict', 'not_sponsored', `Not sponsored: ${message} Send a transfer from the wallet instead.`, [
      { field: 'authorization', rule: reason, message },
    ]);
  }
}
