import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { NativeBalances } from '../../contract/native-balances.js';
import { PostgresWatchedChains } from '../persistence/postgres-watched-chains.js';

/** For a common ancestor even if a reorganization is deeper than finality allows. */
export const BLOCKS_KEPT_BELOW_FINALITY = 5_000;
/** Settlement only needs a comparison from moments ago. */
export const BALANCE_COMPARISONS_KEPT_DAYS = 7;
export const ROWS_PRUNED_PER_STATEMENT = 1_000;
const REQUESTS_UNWATCHED_PER_STATEMENT = 500;
const PRUNING_PAUSE_MS = 60_000;

/** Several workers may prune concurrently. */
@Injectable()
export class ChainDataPruning extends BackgroundWork {
  constructor(chain: PostgresWatchedChains, balances: NativeBalances, catalogue: NetworkCatalogue) {
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
