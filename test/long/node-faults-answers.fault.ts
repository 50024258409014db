import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as replies from '#test/support/rpc/rpc-replies.js';
import type { Misbehaviour } from '#test/support/rpc/rpc-wire.js';
import {
  closeWindows,
  playRound,
  printDelays,
  type Round,
  type Unfinished,
} from '#test/faults/node-round.js';
import { NodeWorld } from '#test/faults/node-world.js';
import { drawn } from '#test/support/drawn.js';

const MEBIBYTE = 1 << 20;
/** More than any answer that is read whole; what lies in the sockets' buffers comes on top. */
const MAX_TAKEN = 64 * MEBIBYTE;

const taken: replies.Taken = { bytes: 0 };
const LOGS = { methods: ['eth_getLogs'] };

const ROUNDS: readonly [string, () => Misbehaviour[]][] = [
  ['stops in the middle of its answers', () => [replies.stallInBody()]],
  ['never answers for logs', () => [replies.stall(LOGS)]],
  ['hangs up', () => [replies.hangsUp()]],
  ['answers 429', () => [replies.tooMany(1)]],
  ['refuses by its limit, with status 200', () => [replies.limitExceeded()]],
  ['answers pages of status 502', () => [replies.serverError(502)]],
  ['answers 500 for logs', () => [replies.serverError(500, LOGS)]],
  ['cuts its answers off', () => [replies.truncated()]],
  ['answers batches backwards', () => [replies.reorderedBatch()]],
  ['leaves holes in batches', () => [replies.missingInBatch(1)]],
  ['refuses batches', () => [replies.refusesBatches()]],
  ['does now this, now that', () => [replies.flapping(5, SEVERAL)]],
];
/** Played each time: what it takes is looked at afterwards. */
const ENDLESS: (typeof ROUNDS)[number] = ['answers without end', () => [replies.huge(taken)]];
const SEVERAL = [
  replies.hangsUp(),
  replies.tooMany(1),
  replies.serverError(503),
  replies.truncated(),
  replies.limitExceeded(),
];

let world: NodeWorld;
const rounds: Round[] = [];
const left: Unfinished[] = [];

beforeAll(async () => {
  world = await NodeWorld.start(1);
});

afterAll(async () => {
  printDelays('From good answers to right statuses, where the only node', rounds);
  await world?.stop();
});

beforeEach(() => world.endpoints[0]!.behave());

describe('An only node that does not answer as it should', () => {
  it.each([...drawn(ROUNDS, 3), ENDLESS])(
    'confirms nothing falsely and misses nothing where it %s',
    async (name, misbehaviours) => {
      const { delayMs, ...unfinished } = await playRound(world, misbehaviours());

      rounds.push({ name, delayMs });
      left.push(unfinished);
    },
  );

  it('is not listened to for ever', () => {
    expect(taken.bytes).toBeGreaterThan(0);
    expect(taken.bytes).toBeLessThan(MAX_TAKEN);
  });

  it('leaves every invariant whole once the windows have closed', async () => {
    await closeWindows(world, left);
  });
});
