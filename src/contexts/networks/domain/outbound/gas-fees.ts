import { type DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import { MAX_TRANSACTION_GAS } from '../settlement-plan/settlement-gas.js';

/** The price offered per unit of gas, in the smallest unit of the native coin. */
export interface GasFees {
  /** EIP-1559: the maximum total price. On networks without a base fee: the gas price. */
  readonly maxFee: bigint;
  /** EIP-1559: the priority fee, which the block producer receives. Null on networks without a base fee. */
  readonly priorityFee: bigint | null;
}

export interface GasFeeMarket {
  /** Base fee of the next block. Null on networks without EIP-1559. */
  readonly baseFee: bigint | null;
  /** Priority fee that the node suggests, or the total price on networks without a base fee. */
  readonly suggested: bigint;
}

export interface GasFeeLimits {
  /** Minimum priority fee, or minimum price on networks without a base fee. */
  readonly floor: bigint;
  readonly ceiling: bigint;
}

/** The offer remains valid through about six full blocks, each of which raises the base fee by an eighth. */
export function initialGasFees(
  { baseFee, suggested }: GasFeeMarket,
  { floor, ceiling }: GasFeeLimits,
): GasFees {
  const maxFee = smaller(firstOffer({ baseFee, suggested }, floor), ceiling);
  return { maxFee, priorityFee: baseFee === null ? null : smaller(larger(suggested, floor), maxFee) };
}

function firstOffer({ baseFee, suggested }: GasFeeMarket, floor: bigint): bigint {
  return 2n * (baseFee ?? 0n) + larger(suggested, floor);
}

export function expectedGasPrice(
  { baseFee, suggested }: GasFeeMarket,
  { floor, ceiling }: GasFeeLimits,
): bigint {
  return smaller((baseFee ?? 0n) + larger(suggested, floor), ceiling);
}

/** Maximum priority fee as a multiple of the suggested one, even if a transaction waits for long. */
const MAX_TIP_MULTIPLE = 3n;

/** @returns null if the last attempt already offers the market price, or a higher offer would exceed a limit */
export function bumpedGasFees(last: GasFees, market: GasFeeMarket, limits: GasFeeLimits): GasFees | null {
  const { baseFee } = market;
  const tip = larger(market.suggested, limits.floor);
  const price = (baseFee ?? 0n) + tip;
  const isTipBelow = baseFee !== null && last.priorityFee !== null && last.priorityFee < tip;
  if (last.maxFee >= price && !isTipBelow) return null;
  if (last.priorityFee !== null && raisedFee(last.priorityFee) > MAX_TIP_MULTIPLE * larger(tip, 1n))
    return null;
  return replacementGasFees(last, market, limits);
}

/** Returns the minimum fees to replace an attempt with the same nonce, or the market price if that is higher. */
export function replacementGasFees(
  last: GasFees,
  market: GasFeeMarket,
  limits: GasFeeLimits,
): GasFees | null {
  if (isAtGasFeeCeiling(last, limits.ceiling)) return null;
  const first = initialGasFees(market, limits);
  const maxFee = smaller(larger(raisedFee(last.maxFee), first.maxFee), limits.ceiling);
  if (last.priorityFee === null) return { maxFee, priorityFee: null };
  return {
    maxFee,
    priorityFee: smaller(larger(raisedFee(last.priorityFee), first.priorityFee ?? 0n), maxFee),
  };
}

export function isAtGasFeeCeiling(last: GasFees, ceiling: bigint): boolean {
  return raisedFee(last.maxFee) > ceiling;
}

/** Nodes require a tenth more, rounded up, and at least one unit. An eighth more satisfies all of them. */
function raisedFee(fee: bigint): bigint {
  return fee + larger((fee + 7n) / 8n, 1n);
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** Returns the highest gas limit that nodes accept under any active fork. */
export function maxGasLimit(blockGasLimit: bigint): bigint {
  return blockGasLimit < MAX_TRANSACTION_GAS ? blockGasLimit : MAX_TRANSACTION_GAS;
}

/** A call whose gas limit no node accepts would block its nonce and all later nonces. */
export function gasLimitRefusal(gasLimit: bigint, blockGasLimit: bigint): DomainError | null {
  const most = maxGasLimit(blockGasLimit);
  if (gasLimit <= most) return null;
  return stateConflict(
    `The call may use ${gasLimit} gas, but nodes accept at most ${most} gas in a transaction. Nothing was sent.`,
  );
}

/** If the price rose further, the reserved nonce would block every later nonce of the key. */
export function nonceReservationRefusal(
  market: GasFeeMarket,
  { floor, ceiling }: GasFeeLimits,
): DomainError | null {
  const least = firstOffer(market, floor);
  if (least <= ceiling) return null;
  return stateConflict(
    `The first offer would be ${least} wei per unit of gas now, but no nonce is reserved above ${ceiling} wei. Nothing was sent.`,
  );
}

export function gasPriceRefusal(
  { baseFee, suggested }: GasFeeMarket,
  { floor, ceiling }: GasFeeLimits,
): DomainError | null {
  const least = baseFee === null ? suggested : baseFee + floor;
  if (least <= ceiling) return null;
  return stateConflict(
    `Blocks require ${least} wei per unit of gas now, but the service may offer at most ${ceiling} wei. Nothing was sent.`,
  );
}
