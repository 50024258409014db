import { isSameAsset, type Selection } from '../selection.js';
import type { Transfer } from '#contexts/chain-watching/contract/incoming-transfer.js';

/** Transfers received in time for one selection, in smallest units. */
export interface ReceivedSum {
  readonly uniqueAssetId: string;
  readonly network: string;
  /** Final or not. */
  readonly seen: bigint;
  /** Sum of counted transfers in blocks up to `finalTo`. */
  readonly final: bigint;
  /** -1 before the first final block. */
  readonly finalTo: number;
}

const NO_FINAL_BLOCK = -1;

type SelectedAssetId = Pick<Selection, 'uniqueAssetId'>;

export function findSum(sums: readonly ReceivedSum[], chosen: SelectedAssetId): ReceivedSum | undefined {
  return sums.find((sum) => isSameAsset(sum, chosen));
}

export function seenAmount(sums: readonly ReceivedSum[], chosen: SelectedAssetId): bigint {
  return findSum(sums, chosen)?.seen ?? 0n;
}

/** If `final` already includes the block, a reorganization has removed the transfers from that block on. */
export function addCountedTransfer(
  sums: readonly ReceivedSum[],
  { uniqueAssetId, network, amount, blockNumber }: Transfer,
): ReceivedSum[] {
  const known = sums.find((sum) => isSameAsset(sum, { uniqueAssetId }));
  if (known === undefined)
    return [...sums, { uniqueAssetId, network, seen: amount, final: 0n, finalTo: NO_FINAL_BLOCK }];
  const finalTo = Math.min(known.finalTo, blockNumber - 1);
  return replaceSum(sums, { ...known, seen: known.seen + amount, finalTo });
}

export function subtractLostTransfer(sums: readonly ReceivedSum[], lost: Transfer): ReceivedSum[] {
  const known = findSum(sums, lost)!;
  const final = lost.blockNumber <= known.finalTo ? known.final - lost.amount : known.final;
  return replaceSum(sums, { ...known, seen: known.seen - lost.amount, final });
}

/** All earlier blocks must be included already. */
export function addFinalBlock(
  sums: readonly ReceivedSum[],
  network: string,
  blockNumber: number,
  inBlock: readonly Transfer[] = [],
): ReceivedSum[] {
  return sums.map((sum) => {
    if (sum.network !== network || blockNumber <= sum.finalTo) return sum;
    const added = inBlock.filter((transfer) => isSameAsset(transfer, sum));
    return {
      ...sum,
      final: added.reduce((all, { amount }) => all + amount, sum.final),
      finalTo: blockNumber,
    };
  });
}

function replaceSum(sums: readonly ReceivedSum[], changed: ReceivedSum): ReceivedSum[] {
  return sums.map((sum) => (isSameAsset(sum, changed) ? changed : sum));
}
