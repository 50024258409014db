import { type DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import { MAX_TRANSACTION_GAS } from '../settlement-plan/settlement-gas.js';

/** The offer of a transaction for one unit of gas, in the smallest unit of the native coin. */
export interface Fees {
  /** EIP-1559: the most in all; without a base fee the one price. */
  readonly maxFee: bigint;
  /** EIP-1559: the part of the block's producer. Null for the one price of a network without a base fee. */
  readonly priorityFee: bigint | null;
}

/** A node's view of the next block. */
export interface FeeMarket {
  /** Null on a network without EIP-1559. */
  readonly baseFee: bigint | null;
  /** The node suggests the priority fee, or the whole price where there is no base fee. */
  readonly suggested: bigint;
}

export interface FeeLimits {
  /** Least priority fee, or least price. */
  readonly floor: bigint;
  /** Most in all, whatever the market is. */
  readonly ceiling: bigint;
}

/** Twice the base fee outlasts six full blocks, each of which raises it by an eighth. */
export function firstFees({ baseFee, suggested }: FeeMarket, { floor, ceiling }: FeeLimits): Fees {
  const maxFee = smaller(firstOffer({ baseFee, suggested }, floor), ceiling);
  return { maxFee, priorityFee: baseFee === null ? null : smaller(larger(suggested, floor), maxFee) };
}

function firstOffer({ baseFee, suggested }: FeeMarket, floor: bigint): bigint {
  return 2n * (baseFee ?? 0n) + larger(suggested, floor);
}

/** The price of one unit of gas that a transaction is likely to pay in the next block. */
export function expectedPrice({ baseFee, suggested }: FeeMarket, { floor, ceiling }: FeeLimits): bigint {
  return smaller((baseFee ?? 0n) + larger(suggested, floor), ceiling);
}

/** A tip of more than so many times what is suggested is offered to nobody, however long a transaction waits. */
const MAX_TIPS = 3n;

/**
 * The fees of an attempt that takes the place of another with the same nonce: both parts are raised by at least the step
 * that clients ask for, and to the market where that is higher.
 * @returns null where the last one offers what the market asks for, where the least step is above the ceiling, or where its
 *   tip would be far above what is suggested
 */
export function bumpedFees(last: Fees, market: FeeMarket, limits: FeeLimits): Fees | null {
  const { baseFee } = market;
  const tip = larger(market.suggested, limits.floor);
  const price = (baseFee ?? 0n) + tip;
  const isTipBelow = baseFee !== null && last.priorityFee !== null && last.priorityFee < tip;
  if (last.maxFee >= price && !isTipBelow) return null;
  if (last.priorityFee !== null && raised(last.priorityFee) > MAX_TIPS * larger(tip, 1n)) return null;
  return replacingFees(last, market, limits);
}

/**
 * The least fees with which clients take an attempt in the place of another with the same nonce, and the market's where those
 * are higher.
 * @returns null where that is above the ceiling
 */
export function replacingFees(last: Fees, market: FeeMarket, limits: FeeLimits): Fees | null {
  if (isAtCeiling(last, limits.ceiling)) return null;
  const first = firstFees(market, limits);
  const maxFee = smaller(larger(raised(last.maxFee), first.maxFee), limits.ceiling);
  if (last.priorityFee === null) return { maxFee, priorityFee: null };
  return { maxFee, priorityFee: smaller(larger(raised(last.priorityFee), first.priorityFee ?? 0n), maxFee) };
}

/** True where the smallest step above these fees is more than may be offered. */
export function isAtCeiling(last: Fees, ceiling: bigint): boolean {
  return raised(last.maxFee) > ceiling;
}

/** Clients ask for a tenth more, rounded up, and for one unit more at least; an eighth is enough for all of them. */
function raised(fee: bigint): bigint {
  return fee + larger((fee + 7n) / 8n, 1n);
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** The most gas that nodes take a transaction with, whichever fork is in force. @param blockGasLimit of the newest block */
export function mostGasOf(blockGasLimit: bigint): bigint {
  return blockGasLimit < MAX_TRANSACTION_GAS ? blockGasLimit : MAX_TRANSACTION_GAS;
}

/** A call that no node takes would keep its nonce, and every later one behind it. @returns null where nodes take it */
export function refusalOfGas(gasLimit: bigint, blockGasLimit: bigint): DomainError | null {
  const most = mostGasOf(blockGasLimit);
  if (gasLimit <= most) return null;
  return stateConflict(
    `The call may use ${gasLimit} gas, but nodes accept at most ${most} gas in a transaction. Nothing was sent.`,
  );
}

/**
 * A nonce that stops below the price of blocks holds up every later one of its key, so that a price which is only just within
 * the ceiling is not enough.
 * @returns null where the ceiling allows a first offer that outlasts some full blocks
 */
export function refusalToReserve(market: FeeMarket, { floor, ceiling }: FeeLimits): DomainError | null {
  const least = firstOffer(market, floor);
  if (least <= ceiling) return null;
  return stateConflict(
    `The first offer would be ${least} wei per unit of gas now, but no nonce is reserved above ${ceiling} wei. Nothing was sent.`,
  );
}

/** @returns null where a block can hold a transaction at the ceiling */
export function refusalOfPrice(
  { baseFee, suggested }: FeeMarket,
  { floor, ceiling }: FeeLimits,
): DomainError | null {
  const least = baseFee === null ? suggested : baseFee + floor;
  if (least <= ceiling) return null;
  return stateConflict(
    `Blocks require ${least} wei per unit of gas now, but the service may offer at most ${ceiling} wei. Nothing was sent.`,
  );
}
