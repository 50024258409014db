/** The limits of the parts of settling, as the factory takes them (solidity/README.md). In gas. */
export interface GasLimits {
  readonly reading: bigint;
  readonly payout: bigint;
  readonly creation: bigint;
  readonly fee: bigint;
  readonly reserve: bigint;
}

/** Suits ordinary tokens at today's prices. What creation costs differs most between chains and forks, and is asked. */
const ORDINARY = { reading: 100_000n, payout: 650_000n, fee: 200_000n, reserve: 20_000n };

/** @param creation what a node estimates for one; a quarter is added, since calls inside a transaction lose a 64th each */
export function gasLimits(creation: bigint): GasLimits {
  return { ...ORDINARY, creation: (creation * 5n) / 4n };
}

/** The gas that must be left when an item begins that is created first; else the factory stops there. */
export function gasOfOneItem({ reading, payout, creation, reserve }: GasLimits): bigint {
  return allowing(reading) + allowing(payout) + allowing(creation) + reserve;
}

/** A call is given all of it only if a 64th more is left (EIP-150). */
function allowing(gas: bigint): bigint {
  return gas + gas / 63n + 1n;
}
