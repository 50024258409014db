import { DomainError } from '#shared/kernel/domain-error.js';
import type { SponsoringLimits } from '#contexts/networks/contract/network-catalogue.js';

/** The limits of `sponsored_payments` in the networks file. */
export type SponsoringLimit = 'per_payment' | 'per_organization_and_day' | 'per_day';

/**
 * Costs on one network, in the smallest unit of its native coin: real ones, and what is reserved for authorizations whose cost
 * is not known yet. A day is the last 24 hours.
 */
export interface Sponsored {
  /** For one payment request, however long ago, failed ones included. */
  readonly ofPayment: bigint;
  readonly ofOrganizationToday: bigint;
  readonly today: bigint;
}

/** @param cost the most that one more may cost @returns the first limit that it would exceed; null where it exceeds none */
export function exceededLimit(
  limits: SponsoringLimits,
  sponsored: Sponsored,
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

const SENTENCES: Readonly<Record<NotSponsored['reason'], string>> = {
  asset: 'this asset does not support payments by signature.',
  network: 'the operator does not pay the gas of payments by signature on this network.',
  per_payment: 'the gas costs more than the limit for one payment.',
  per_organization_and_day: 'the gas exceeds the 24-hour limit of this merchant.',
  per_day: 'the gas exceeds the 24-hour limit of this network.',
};

/** The service does not pay the gas of this authorization; a transfer by the payer is as good as before. */
export class NotSponsored extends DomainError {
  constructor(readonly reason: (typeof NOT_SPONSORED_REASONS)[number]) {
    const message = SENTENCES[reason];
    super('conflict', 'not_sponsored', `Not sponsored: ${message} Send a transfer from the wallet instead.`, [
      { field: 'authorization', rule: reason, message },
    ]);
  }
}
