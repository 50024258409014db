import type { SeededRandom } from '../../src/shared/kernel/testing/seeded-random.js';
import { emptyPastHead, lag, narrowRanges } from '../support/rpc-knowledge.js';
import { allRemoved, gaps, noLogs, removedLogs, repeats, wrongBlock } from '../support/rpc-logs.js';
import {
  flapping,
  hangsUp,
  limitExceeded,
  missingInBatch,
  refusesBatches,
  reorderedBatch,
  serverError,
  tooMany,
  truncated,
} from '../support/rpc-replies.js';
import type { Misbehaviour } from '../support/rpc-wire.js';

/** What an endpoint may do meanwhile. None of it takes long: a thousand runs have to come to an end. */
const FAULTS: readonly ((random: SeededRandom) => Misbehaviour[])[] = [
  (random) => [lag(random.whole(1, 4))],
  (random) => [lag(random.whole(5, 40))],
  (random) => [emptyPastHead(), lag(random.whole(1, 8))],
  (random) => [gaps(random.whole(1, 1e9))],
  () => [noLogs()],
  () => [repeats()],
  () => [removedLogs()],
  () => [allRemoved()],
  () => [wrongBlock()],
  (random) => [narrowRanges(random.whole(1, 20))],
  () => [serverError(503)],
  () => [limitExceeded()],
  () => [tooMany(0)],
  () => [truncated()],
  () => [hangsUp()],
  () => [reorderedBatch()],
  () => [refusesBatches()],
  (random) => [missingInBatch(random.whole(1, 1e9))],
  (random) => [
    flapping(random.whole(1, 1e9), [lag(random.whole(1, 6)), gaps(1), serverError(500), truncated(), hangsUp()]),
  ],
];
/** Those that do not make an endpoint rest, for workers with the patience of real ones. */
const QUIET = [0, 2, 5, 6, 9, 15, 16];

export function drawFault(random: SeededRandom, among: 'all' | 'quiet'): Misbehaviour[] {
  const at = among === 'all' ? random.whole(0, FAULTS.length - 1) : QUIET[random.whole(0, QUIET.length - 1)]!;
  return FAULTS[at]!(random);
}
