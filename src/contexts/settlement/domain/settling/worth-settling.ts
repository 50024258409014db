/** The price of one whole unit of an asset in the native coin, exactly `digits` / 10^`scale`. */
export interface NativePrice {
  readonly digits: bigint;
  readonly scale: number;
}

export interface GasTerms {
  /** The price of one unit of gas, in the smallest unit of the native coin. */
  readonly gasPrice: bigint;
  /** The additional charge of a rollup for a payout's data, in the same unit. */
  readonly dataFee: bigint;
  readonly gas: PayoutGas;
  readonly nativeDecimals: number;
  /** Above zero. */
  readonly maxGasSharePercent: number;
}

/**
 * The smallest amounts of an asset that are worth settling, in its smallest units. Money at an address is worth settling
 * from `first` on where the address was never settled (its contract has yet to be created), from `repeat` on at any other.
 * Money that has waited for long is worth settling from `agedFirst` or `agedRepeat` on: it pays for its gas and no more.
 */
export interface MinimumAmounts {
  /** Null: never by its amount alone. */
  readonly first: bigint | null;
  readonly repeat: bigint | null;
  readonly agedFirst: bigint;
  readonly agedRepeat: bigint;
}

/** An asset without a price is worth settling once it has waited for long, whatever the amount. */
export const MINIMUM_WITHOUT_PRICE: MinimumAmounts = {
  first: null,
  repeat: null,
  agedFirst: 0n,
  agedRepeat: 0n,
};

/** The gas of a payout with a fee among twenty: the figures of solidity/README.md, with a little room. */
export interface PayoutGas {
  /** Includes the creation of its contract. */
  readonly first: bigint;
  readonly repeat: bigint;
}
export const TOKEN_GAS: PayoutGas = { first: 65_000n, repeat: 20_000n };
export const NATIVE_GAS: PayoutGas = { first: 75_000n, repeat: 25_000n };

/** Percentages may have fractions down to a hundredth. */
const PARTS_OF_PERCENT = 100;

/** @param decimals fraction digits of the asset */
export function minimumAmounts(
  price: NativePrice,
  decimals: number,
  terms: GasTerms,
): Record<keyof MinimumAmounts, bigint> {
  const parts = BigInt(Math.max(1, Math.round(terms.maxGasSharePercent * PARTS_OF_PERCENT)));
  const whole = BigInt(100 * PARTS_OF_PERCENT);
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
