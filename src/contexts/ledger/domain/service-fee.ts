/** Basis points in a whole. */
const WHOLE = 10_000n;

/**
 * The service's share of what was received, rounded down to the smallest unit in the merchant's favour
 * (docs/reference/transactions.md, "Amounts").
 * @param basisPoints whole number from 0 to 10000
 * @throws Error outside that range
 */
export function serviceFee(gross: bigint, basisPoints: number): bigint {
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > Number(WHOLE)) {
    throw new Error(`${basisPoints} is not a fee in basis points.`);
  }
  return (gross * BigInt(basisPoints)) / WHOLE;
}

/** The merchant's part. @throws as `serviceFee` does */
export function netOf(gross: bigint, basisPoints: number): bigint {
  return gross - serviceFee(gross, basisPoints);
}
