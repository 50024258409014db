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

export interface Fault {
  readonly misbehaviours: readonly Misbehaviour[];
  /** Leaves out what is there, so that nothing but a sound endpoint's word could tell. */
  readonly lies: boolean;
}

type Draw = (random: SeededRandom) => Misbehaviour[];

/** Those that do not make an endpoint rest, for workers with the patience of real ones. */
const QUIET: readonly Draw[] = [
  (random) => [lag(random.whole(1, 4))],
  (random) => [emptyPastHead(), lag(random.whole(1, 8))],
  () => [repeats()],
  () => [removedLogs()],
  (random) => [narrowRanges(random.whole(1, 20))],
  () => [reorderedBatch()],
  () => [refusesBatches()],
];
const OTHERS: readonly Draw[] = [
  (random) => [lag(random.whole(5, 40))],
  () => [noLogs()],
  () => [allRemoved()],
  () => [wrongBlock()],
  () => [serverError(503)],
  () => [limitExceeded()],
  () => [tooMany(0)],
  () => [truncated()],
  () => [hangsUp()],
  (random) => [missingInBatch(random.whole(1, 1e9))],
  (random) => [flapping(random.whole(1, 1e9), [lag(2), noLogs(), serverError(500), truncated(), hangsUp()])],
];
const LIES: readonly Draw[] = [
  (random) => [gaps(random.whole(1, 1e9))],
  (random) => [flapping(random.whole(1, 1e9), [gaps(random.whole(1, 1e9)), lag(3), truncated()])],
];

/** None of it takes long: a thousand runs have to come to an end. */
export function drawFault(random: SeededRandom, among: 'all' | 'quiet'): Fault {
  const faults = among === 'quiet' ? QUIET : [...QUIET, ...OTHERS, ...LIES];
  const draw = faults[random.whole(0, faults.length - 1)]!;
  return { misbehaviours: draw(random), lies: LIES.includes(draw) };
}
