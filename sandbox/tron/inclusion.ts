import type { Hex } from 'viem';
import type { Execution, TronBlock } from './anvil-behind.js';
import type { TronTransaction } from './tron-transaction.js';
import type { TronResources } from './tron-resources.js';

export type ContractResult = 'SUCCESS' | 'REVERT' | 'OUT_OF_ENERGY';

/** A transaction in a block, with what it did. Amounts in sun. */
export interface Inclusion {
  readonly transaction: TronTransaction;
  readonly block: TronBlock;
  readonly index: number;
  readonly result: ContractResult;
  /** Hash of the transaction behind the façade; undefined for a transfer of TRX. */
  readonly anvilHash: Hex | null;
  readonly execution: Execution;
  readonly energy: { usage: number; fee: number; penalty: number };
  readonly bandwidth: { usage: number; fee: number };
  readonly fee: number;
}

/** A block with transactions. */
export interface Mined {
  readonly block: TronBlock;
  readonly inclusions: readonly Inclusion[];
  /** After the block. */
  readonly resources: ReturnType<TronResources['snapshot']>;
}
