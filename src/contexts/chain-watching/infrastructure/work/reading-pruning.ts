import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { NativeBalances } from '../../contract/native-balances.js';
import { WatchedChain } from '../persistence/watched-chain.js';

/** Blocks kept below finality, to find the common ancestor of a reorganisation that should be impossible. */
export const BLOCKS_KEPT_BELOW_FINALITY = 5_000;
/** How long the comparison of an address is remembered. Settlement requires a comparison made moments before. */
export const COMPARED_KEPT_DAYS = 7;
/** Rows per statement. */
export const PRUNED_AT_ONCE = 1_000;
/** Requests per statement when watching ends. Each needs a lookup. */
const UNWATCHED_AT_ONCE = 500;
const LOOK_EVERY_MS = 60_000;

/** Deletes data that reading no longer needs, in small steps. Several workers may prune concurrently. */
@Injectable()
export class ReadingPruning extends BackgroundWork {
  constructor(chain: WatchedChain, balances: NativeBalances, catalogue: NetworkCatalogue) {
    const options = { name: 'pruning of what was read', idleMs: LOOK_EVERY_MS };
    const turn = async () => {
      const blocks = await chain.prune(BLOCKS_KEPT_BELOW_FINALITY, PRUNED_AT_ONCE);
      const looks = await balances.pruneCompared(COMPARED_KEPT_DAYS, PRUNED_AT_ONCE);
      const uncompared = catalogue.networks().filter(({ hidesNativeTransfers }) => !hidesNativeTransfers);
      const names = uncompared.map(({ network }) => network);
      const unwatched = await balances.unwatchEnded(names, UNWATCHED_AT_ONCE);
      return Math.max(blocks, looks) === PRUNED_AT_ONCE || unwatched === UNWATCHED_AT_ONCE;
    };
    super([new BackgroundLoop(options, turn)]);
  }
}
