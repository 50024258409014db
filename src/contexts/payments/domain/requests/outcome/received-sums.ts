import { isSame, type Selection } from '../selection.js';
import type { Transfer } from '#contexts/chain-watching/contract/incoming-transfer.js';

/** Sums of the transfers received in time for one selection, in smallest units. */
export interface ReceivedSum {
  readonly uniqueAssetId: string;
  readonly network: string;
  /** Sum of counted transfers, final or not. */
  readonly seen: bigint;
  /** Sum of counted transfers in blocks up to `finalTo`. */
  readonly final: bigint;
  /** Number of the last block included in `final`. -1 before the first one. */
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

/**
 * Adds a counted transfer to the sum of its selection. If its block was already included in `final`, a
 * reorganization has removed the transfers from that block on, so `finalTo` moves back.
 */
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

export function withoutLost(sums: readonly ReceivedSum[], lost: Transfer): ReceivedSum[] {
  const known = sumOf(sums, lost)!;
  const final = lost.blockNumber <= known.finalTo ? known.final - lost.amount : known.final;
  return replaced(sums, { ...known, seen: known.seen - lost.amount, final });
}

/** Adds the transfers of a block that is final now to the sums. All earlier blocks must be included already. */
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
