/** What one whole unit of an asset costs in the native coin, exactly `digits` / 10^`scale`. */
export interface NativePrice {
  readonly digits: bigint;
  readonly scale: number;
}

export interface GasTerms {
  /** Of one unit of gas, in the smallest unit of the native coin. */
  readonly gasPrice: bigint;
  /** What a rollup charges for a payout's data besides, in the same unit. */
  readonly dataFee: bigint;
  readonly gas: PayoutGas;
  readonly nativeDecimals: number;
  /** Above zero. */
  readonly maxGasSharePercent: number;
}

/** From which amounts on an asset's payout is worth its gas, in smallest units of the asset. */
export interface LeastAmounts {
  /** At an address that was never settled, whose contract has yet to be created, and at any other. */
  readonly first: bigint;
  readonly repeat: bigint;
  /** Of what has waited for long: worth all of its gas and no more. */
  readonly agedFirst: bigint;
  readonly agedRepeat: bigint;
}

/** What a payout with a fee costs in gas among twenty: the figures of solidity/README.md, with a little room. */
export interface PayoutGas {
  /** Its contract is created too. */
  readonly first: bigint;
  readonly repeat: bigint;
}
export const TOKEN_GAS: PayoutGas = { first: 65_000n, repeat: 20_000n };
export const NATIVE_GAS: PayoutGas = { first: 75_000n, repeat: 25_000n };

/** Percentages may have fractions down to a hundredth. */
const PARTS_OF_PERCENT = 100;

/** @param decimals fraction digits of the asset */
export function leastAmounts(price: NativePrice, decimals: number, terms: GasTerms): LeastAmounts {
  const parts = BigInt(Math.max(1, Math.round(terms.maxGasSharePercent * PARTS_OF_PERCENT)));
  const whole = BigInt(100 * PARTS_OF_PERCENT);
  const { first, repeat } = terms.gas;
  const least = (gas: bigint, share: bigint) => {
    const cost = gas * terms.gasPrice + terms.dataFee;
    const numerator = cost * whole * 10n ** BigInt(decimals + price.scale);
    const denominator = share * price.digits * 10n ** BigInt(terms.nativeDecimals);
    return (numerator + denominator - 1n) / denominator;
  };
  return {
    first: least(first, parts),
    repeat: least(repeat, parts),
    agedFirst: least(first, whole),
    agedRepeat: least(repeat, whole),
  };
}
