/** Gas limits of the steps of a settlement, as the factory accepts them (solidity/README.md). */
export interface SettlementGasLimits {
  readonly reading: bigint;
  readonly payout: bigint;
  readonly creation: bigint;
  readonly fee: bigint;
  readonly reserve: bigint;
}

/** The gas for creating a forwarder differs most between chains and forks, so it is estimated instead. */
const ORDINARY_GAS_LIMITS = { reading: 100_000n, payout: 650_000n, fee: 200_000n, reserve: 20_000n };

/** @param creation gas to create one forwarder; a quarter is added, because nested calls lose a 64th per level */
export function settlementGasLimits(creation: bigint): SettlementGasLimits {
  return { ...ORDINARY_GAS_LIMITS, creation: (creation * 5n) / 4n };
}

/** Returns the gas that must remain before a payout that creates a forwarder. */
export function gasPerPayout({ reading, payout, creation, reserve }: SettlementGasLimits): bigint {
  return gasWithCallReserve(reading) + gasWithCallReserve(payout) + gasWithCallReserve(creation) + reserve;
}

/** Returns the gas needed so that a nested call receives `gas`: a 64th more must remain (EIP-150). */
function gasWithCallReserve(gas: bigint): bigint {
  return gas + gas / 63n + 1n;
}

/** Maximum gas limit of a transaction under EIP-7825. Larger transactions on other chains would save almost nothing. */
export const MAX_TRANSACTION_GAS = 2n ** 24n;

/** Returns the highest gas limit of one settlement: at most half a block, so that it fits beside other transactions. */
export function maxSettlementGas(blockGasLimit: bigint): bigint {
  const half = blockGasLimit / 2n;
  return half < MAX_TRANSACTION_GAS ? half : MAX_TRANSACTION_GAS;
}

/** Returns the maximum gas used before refunds, which return up to a fifth (EIP-3529). */
export function gasBeforeRefunds(gasUsed: bigint): bigint {
  return (gasUsed * 5n + 3n) / 4n;
}

/** Returns a gas limit that leaves the full allowance for the last payout. */
export function settlementTransactionGas(gasUsed: bigint, limits: SettlementGasLimits): bigint {
  return gasBeforeRefunds(gasUsed) + gasPerPayout(limits);
}

/** An item that exceeds the room gets its own batch, which the simulation will reject. */
export function packIntoBatches<T>(items: readonly T[], costOf: (item: T) => bigint, room: bigint): T[][] {
  const batches: T[][] = [];
  let left = 0n;
  for (const item of items) {
    const cost = costOf(item);
    const current = batches.at(-1);
    if (current === undefined || cost > left) {
      batches.push([item]);
      left = room - cost;
    } else {
      current.push(item);
      left -= cost;
    }
  }
  return batches;
}
