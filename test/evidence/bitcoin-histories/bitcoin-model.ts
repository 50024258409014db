/** A payment request, with the network's rules. Amounts are in satoshi, times in milliseconds since 1970. */
export interface AskedFor {
  readonly id: string;
  readonly amount: bigint;
  readonly expiresAt: number;
  readonly graceMs: number;
}

/** A transaction that payers have made, in the order in which they did. */
export interface Made {
  readonly txid: string;
  readonly spends: readonly string[];
  readonly pays: readonly { readonly request: string; readonly amount: bigint }[];
  /** The service's time when a mempool had it first; of one that was in no mempool, the stamp of its first block. */
  readonly sentAt: number;
}

export interface ChainBlock {
  readonly height: number;
  /** The block's own time. */
  readonly stamp: number;
  readonly txids: readonly string[];
}

export interface Outcome {
  readonly status: 'processing' | 'completed' | 'overpaid' | 'underpaid' | 'expired';
  readonly received: bigint;
  /** Amounts that are no part of it, smallest first. */
  readonly deposits: readonly bigint[];
}

/** The minimum of the asset, in satoshi. */
export const MINIMUM = 1_000n;

/** Amounts that one transaction pays the request. */
interface Part {
  readonly made: Made;
  readonly amounts: readonly bigint[];
  readonly block?: ChainBlock;
}

/** The outcome once all is final, from what was made, and the blocks that are left, lowest first. */
export function outcomeOf(request: AskedFor, made: readonly Made[], blocks: readonly ChainBlock[]): Outcome {
  const mined = partsOf(request, made, blocks).filter(({ block }) => block !== undefined);
  const isCounted = (part: Part) => arrivedAt(part, request, made) <= request.expiresAt;
  let received = 0n;
  let isOver = false;
  const deposits: bigint[] = [];
  for (const inBlock of byBlock(mined)) {
    for (const part of inBlock) {
      if (isOver || !isCounted(part)) deposits.push(...part.amounts);
      else received += sum(part.amounts);
    }
    isOver ||= received >= request.amount;
  }
  const isPaid = isPayment(received, request);
  if (!isPaid) deposits.push(...mined.filter(isCounted).flatMap(({ amounts }) => amounts));
  deposits.sort((a, b) => (a < b ? -1 : 1));
  if (!isPaid) return { status: 'expired', received: 0n, deposits };
  return { status: statusOf(received, request.amount), received, deposits };
}

/**
 * The sum that counts before anything is final.
 * @param clock of the chain: the median stamp of its newest eleven blocks
 */
export function countedOf(
  request: AskedFor,
  made: readonly Made[],
  blocks: readonly ChainBlock[],
  clock: number,
): bigint {
  const isLapsed = (each: Made) =>
    Math.max(firstSeen(each, request, made), request.expiresAt) + request.graceMs < clock;
  const counted = partsOf(request, made, blocks).filter(
    (part) =>
      arrivedAt(part, request, made) <= request.expiresAt &&
      (part.block !== undefined || !(isReplaced(part.made, made) || isLapsed(part.made))),
  );
  const received = sum(counted.flatMap(({ amounts }) => amounts));
  return isPayment(received, request) ? received : 0n;
}

/** A sum below the minimum of the asset changes nothing. */
function isPayment(received: bigint, { amount }: AskedFor): boolean {
  return received >= MINIMUM || received >= amount;
}

/** A transfer that is mined after the grace has arrived with its block, every other one when it was first seen. */
function arrivedAt({ made: each, block }: Part, request: AskedFor, made: readonly Made[]): number {
  const seenAt = firstSeen(each, request, made);
  if (block === undefined) return seenAt;
  const lapsesAt = Math.max(seenAt, request.expiresAt) + request.graceMs;
  return block.stamp > lapsesAt ? block.stamp : Math.min(seenAt, block.stamp);
}

/** A replacement that pays the request no more than what it replaces was first seen when that was. */
function firstSeen(each: Made, request: AskedFor, made: readonly Made[]): number {
  const before = made.slice(0, made.indexOf(each));
  const replaced = before.filter(
    (other) => paidBy(other, request).length > 0 && doConflict(other, each) && !isReplaced(other, before),
  );
  const isMore = sum(paidBy(each, request)) > sum(replaced.flatMap((other) => paidBy(other, request)));
  if (replaced.length === 0 || isMore) return each.sentAt;
  return Math.max(...replaced.map((other) => firstSeen(other, request, before)));
}

function isReplaced(each: Made, made: readonly Made[]): boolean {
  return made.slice(made.indexOf(each) + 1).some((other) => doConflict(each, other));
}

function partsOf(request: AskedFor, made: readonly Made[], blocks: readonly ChainBlock[]): Part[] {
  return made.flatMap((each) => {
    const amounts = paidBy(each, request);
    const block = blocks.find(({ txids }) => txids.includes(each.txid));
    return amounts.length === 0 ? [] : { made: each, amounts, ...(block && { block }) };
  });
}

function paidBy({ pays }: Made, { id }: AskedFor): bigint[] {
  return pays.flatMap(({ request, amount }) => (request === id ? amount : []));
}

function byBlock(parts: readonly Part[]): Part[][] {
  const heights = [...new Set(parts.map(({ block }) => block!.height))].sort((a, b) => a - b);
  return heights.map((height) => parts.filter(({ block }) => block!.height === height));
}

function doConflict(one: Made, other: Made): boolean {
  return one.spends.some((coin) => other.spends.includes(coin));
}

function statusOf(received: bigint, amount: bigint): Outcome['status'] {
  if (received === amount) return 'completed';
  return received > amount ? 'overpaid' : 'underpaid';
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((all, amount) => all + amount, 0n);
}
