import { type DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import { MAX_TRANSACTION_GAS } from '../settlement-plan/settlement-gas.js';
import type { FeeLimits, FeeMarket } from './fees.js';

/** The most gas that nodes take a transaction with, whichever fork is in force. @param blockGasLimit of the newest block */
export function mostGasOf(blockGasLimit: bigint): bigint {
  return blockGasLimit < MAX_TRANSACTION_GAS ? blockGasLimit : MAX_TRANSACTION_GAS;
}

/** A call that no node takes would keep its nonce, and every later one behind it. @returns null where nodes take it */
export function refusalOfGas(gasLimit: bigint, blockGasLimit: bigint): DomainError | null {
  const most = mostGasOf(blockGasLimit);
  if (gasLimit <= most) return null;
  return stateConflict(
    `The call may use ${gasLimit} gas, and no node takes a transaction of more than ${most}. Nothing was sent.`,
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
    `Blocks take ${least} wei for one unit of gas now, and at most ${ceiling} may be offered. Nothing was sent.`,
  );
}
