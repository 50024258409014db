/** Price of one whole unit of an asset in the native coin: exactly `digits` / 10^`scale`. */
export interface PriceInNativeCoin {
  readonly digits: bigint;
  readonly scale: number;
}

export interface GasCostParameters {
  /** In the smallest unit of the native coin. */
  readonly gasPrice: bigint;
  /** A rollup's additional charge for a payout's data, in the smallest unit of the native coin. */
  readonly dataFee: bigint;
  readonly gas: PayoutGas;
  readonly nativeDecimals: number;
  readonly maxGasSharePercent: number;
}

/**
 * In smallest units. `first`: the address's contract must be created first. `agedFirst` and `agedRepeat` apply to
 * funds that have waited long: the amount only has to cover its gas.
 */
export interface MinimumAmounts {
  /** Null if no amount makes a payout due before the funds have waited long. */
  readonly first: bigint | null;
  readonly repeat: bigint | null;
  readonly agedFirst: bigint;
  readonly agedRepeat: bigint;
}

/** Any amount is worth settling, but only after the funds have waited long. */
export const MINIMUM_WITHOUT_PRICE: MinimumAmounts = {
  first: null,
  repeat: null,
  agedFirst: 0n,
  agedRepeat: 0n,
};

/** Gas in a batch of twenty, with a fee. The values are from solidity/README.md, with a small margin. */
export interface PayoutGas {
  /** Includes the creation of the address's contract. */
  readonly first: bigint;
  readonly repeat: bigint;
}
export const TOKEN_PAYOUT_GAS: PayoutGas = { first: 65_000n, repeat: 20_000n };
export const NATIVE_PAYOUT_GAS: PayoutGas = { first: 75_000n, repeat: 25_000n };

const PARTS_PER_PERCENT = 100;

export function minimumAmounts(
  price: PriceInNativeCoin,
  decimals: number,
  terms: GasCostParameters,
): Record<keyof MinimumAmounts, bigint> {
  const parts = BigInt(Math.max(1, Math.round(terms.maxGasSharePercent * PARTS_PER_PERCENT)));
  const whole = BigInt(100 * PARTS_PER_PERCENT);
  const { first, repeat } = terms.gas;
  const minimum = (gas: bigint, share: bigint) => {
    const cost = gas * terms.gasPrice + terms.dataFee;
    const numerator = cost * whole * 10n ** BigInt(decimals + price.scale);
    const denominator = share * price.digits * 10n ** BigInt(terms.nativeDecimals);
    return (numerator + denominator - 1n) / denominator;
  };
  return {
    first: minimum(first, parts),
    repeat: minimum(repeat, parts),
    agedFirst: minimum(first, whole),
    agedRepeat: minimum(repeat, whole),
  };
}
