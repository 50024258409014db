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
export const BALANCE_COMPARISONS_KEPT_DAYS = 7;
/** Maximum number of rows deleted per statement. */
export const ROWS_PRUNED_PER_STATEMENT = 1_000;
/** Maximum number of requests per statement that stops watching balances. Each request needs a lookup. */
const REQUESTS_UNWATCHED_PER_STATEMENT = 500;
const PRUNING_PAUSE_MS = 60_000;

/** Deletes old blocks and balance comparison data in small steps. Several workers may prune concurrently. */
@Injectable()
export class ReadingPruning extends BackgroundWork {
  constructor(chain: WatchedChain, balances: NativeBalances, catalogue: NetworkCatalogue) {
    const options = { name: 'pruning of what was read', idleMs: PRUNING_PAUSE_MS };
    const turn = async () => {
      const blocks = await chain.pruneBlocks(BLOCKS_KEPT_BELOW_FINALITY, ROWS_PRUNED_PER_STATEMENT);
      const looks = await balances.pruneCompared(BALANCE_COMPARISONS_KEPT_DAYS, ROWS_PRUNED_PER_STATEMENT);
      const uncompared = catalogue.networks().filter(({ hidesNativeTransfers }) => !hidesNativeTransfers);
      const names = uncompared.map(({ network }) => network);
      const unwatched = await balances.unwatchEnded(names, REQUESTS_UNWATCHED_PER_STATEMENT);
      return (
        Math.max(blocks, looks) === ROWS_PRUNED_PER_STATEMENT ||
        unwatched === REQUESTS_UNWATCHED_PER_STATEMENT
      );
    };
    super([new BackgroundLoop(options, turn)]);
  }
}
