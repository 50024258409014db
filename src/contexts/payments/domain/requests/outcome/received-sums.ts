import { isSame, type Selection } from '../selection.js';
import type { Transfer } from '#contexts/chain-watching/contract/incoming-transfer.js';

/** The sums sent in time to one selection, in smallest units. */
export interface ReceivedSum {
  readonly uniqueAssetId: string;
  readonly network: string;
  /** The sum of the transfers that count, final or not. */
  readonly seen: bigint;
  /** The sum of those in blocks up to `finalTo`. */
  readonly final: bigint;
  /** -1: no block yet. */
  readonly finalTo: number;
}

const NO_BLOCK = -1;

type Chosen = Pick<Selection, 'uniqueAssetId'>;

export function sumOf(sums: readonly ReceivedSum[], chosen: Chosen): ReceivedSum | undefined {
  return sums.find((sum) => isSame(sum, chosen));
}

export function seenOf(sums: readonly ReceivedSum[], chosen: Chosen): bigint {
  return sumOf(sums, chosen)?.seen ?? 0n;
}

/** A transfer has come that counts. In a block added up before: a reorganisation has taken away all that was from there on. */
export function withArrival(
  sums: readonly ReceivedSum[],
  { uniqueAssetId, network, amount, blockNumber }: Transfer,
): ReceivedSum[] {
  const known = sums.find((sum) => isSame(sum, { uniqueAssetId }));
  if (known === undefined)
    return [...sums, { uniqueAssetId, network, seen: amount, final: 0n, finalTo: NO_BLOCK }];
  const finalTo = Math.min(known.finalTo, blockNumber - 1);
  return replaced(sums, { ...known, seen: known.seen + amount, finalTo });
}

/** A transfer that counted is no longer in the chain. */
export function withoutLost(sums: readonly ReceivedSum[], lost: Transfer): ReceivedSum[] {
  const known = sumOf(sums, lost)!;
  const final = lost.blockNumber <= known.finalTo ? known.final - lost.amount : known.final;
  return replaced(sums, { ...known, seen: known.seen - lost.amount, final });
}

/** Transfers in a block of that network are final now, and so is all before it. */
export function withFinalBlock(
  sums: readonly ReceivedSum[],
  network: string,
  blockNumber: number,
  inBlock: readonly Transfer[] = [],
): ReceivedSum[] {
  return sums.map((sum) => {
    if (sum.network !== network || blockNumber <= sum.finalTo) return sum;
    const added = inBlock.filter((transfer) => isSame(transfer, sum));
    return {
      ...sum,
      final: added.reduce((all, { amount }) => all + amount, sum.final),
      finalTo: blockNumber,
    };
  });
}

function replaced(sums: readonly ReceivedSum[], changed: ReceivedSum): ReceivedSum[] {
  return sums.map((sum) => (isSame(sum, changed) ? changed : sum));
}
