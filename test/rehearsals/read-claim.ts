import { claimUrlOf } from '../../clients/medusa-payment/src/claims.js';

/** The page of a refund that the provider for Medusa has made. */
export function readClaim(
  refund: Parameters<typeof claimUrlOf>[0],
  provider: { readonly apiSecret: string },
): string {
  return claimUrlOf(refund, provider)!;
}
