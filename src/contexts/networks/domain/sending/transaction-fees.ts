/** What a transaction offers for each unit of gas (EIP-1559), in the native coin's smallest unit. */
export interface TransactionFees {
  readonly maxFee: bigint;
  /** The part that goes to the block's producer; at most `maxFee`. */
  readonly priorityFee: bigint;
}

/** What a network asks for at the moment, by its node. */
export interface MarketFees {
  readonly baseFee: bigint;
  readonly priorityFee: bigint;
}

/** What an operator allows to be offered, for each unit of gas. */
export interface FeeBounds {
  /** Least priority fee: below it no producer would take a transaction, whatever a node says. */
  readonly floor: bigint;
  /** Most in all. */
  readonly ceiling: bigint;
}

/** Nodes replace a waiting transaction only where both parts are higher by a tenth at least. */
const LEAST_STEP_PERCENT = 10n;

/** Twice the base fee lasts for six full blocks, of which each raises it by an eighth. Never above the ceiling. */
export function marketFees(market: MarketFees, { floor, ceiling }: FeeBounds): TransactionFees {
  const wanted = market.priorityFee > floor ? market.priorityFee : floor;
  const priorityFee = least(wanted, ceiling);
  return { maxFee: least(2n * market.baseFee + priorityFee, ceiling), priorityFee };
}

/**
 * For the same nonce again: what the market asks for, and in both parts at least the step by which nodes replace.
 * @returns null where the ceiling does not allow that step: then the transaction that waits is given again as it is
 */
export function bumpedFees(
  waiting: TransactionFees,
  market: MarketFees,
  bounds: FeeBounds,
): TransactionFees | null {
  const asked = marketFees(market, bounds);
  const priorityFee = most(stepped(waiting.priorityFee), asked.priorityFee);
  const maxFee = most(stepped(waiting.maxFee), asked.maxFee, priorityFee);
  return maxFee > bounds.ceiling ? null : { maxFee, priorityFee };
}

/** A tenth more, rounded up; a fee of zero is raised too. */
function stepped(fee: bigint): bigint {
  return most((fee * (100n + LEAST_STEP_PERCENT) + 99n) / 100n, fee + 1n);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function most(...amounts: readonly bigint[]): bigint {
  return amounts.reduce((a, b) => (a > b ? a : b));
}
