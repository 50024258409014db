import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { NativeBalances } from '../../contract/native-balances.js';
import { WatchedChain } from '../persistence/watched-chain.js';

/**
 * Blocks kept below the newest final block, to find the common ancestor even if a reorganisation is deeper than
 * finality allows.
 */
export const BLOCKS_KEPT_BELOW_FINALITY = 5_000;
/**
 * Days for which the balance comparison of an address is remembered. Settlement only needs a comparison from
 * moments ago.
 */
export const COMPARED_KEPT_DAYS = 7;
/** Maximum number of rows deleted per statement. */
export const PRUNED_AT_ONCE = 1_000;
/** Maximum number of requests per statement that stops watching balances. Each request needs a lookup. */
const UNWATCHED_AT_ONCE = 500;
const LOOK_EVERY_MS = 60_000;

/** Deletes old blocks and balance comparison data in small steps. Several workers may prune concurrently. */
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
