import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { FloodedRequest, type Turn } from './floods/floods-transfers.js';

const LONG = process.env['EVIDENCE'] === 'long';
const RECEIVED = LONG ? [1_000, 10_000, 300_000] : [300, 3_000];
/** The least of these is more than two turns book. */
const AFTER_THE_END = LONG ? [5_000, 300_000] : [5_000, 11_000];
/** In one block: more than a turn marks as final, and than a statement stores. */
const AT_ONCE = LONG ? 20_000 : 2_100;
const MARKED_PER_TURN = 500;
const PAYMENT = 10_000_000n;

jest.setTimeout(1_200_000);

const rows: string[] = [];
const costs = new Map<string, Turn[][]>();
let flooded: FloodedRequest;

afterEach(async () => {
  for (const { name, ms, statements, rows: touched } of flooded.turns)
    rows.push(`| ${flooded.title} | ${name} | ${ms.toFixed(0)} | ${statements} | ${touched} |`);
  await flooded.close();
});
afterAll(() => {
  const head = '| beside | turn | ms | statements | rows |\n|---|---|---|---|---|';
  process.stdout.write(`\n${head}\n${rows.join('\n')}\n\n`);
});

/**
 * Index entries of rows that were changed are read until no transaction of the whole server can see them any more, and other
 * tests have some. Far fewer than a turn would read that grew with what came before.
 */
const DEAD_ENTRIES = 600;

/** The cost of a turn does not grow with what came before: as many statements, and no more than twice the rows. */
function expectBounded(kind: string): void {
  const all = costs.set(kind, [...(costs.get(kind) ?? []), flooded.turns]).get(kind)!;
  const [least, most] = [all[0]!, all.at(-1)!];
  most.forEach((turn, at) => {
    expect([turn.name, turn.statements]).toEqual([turn.name, least[at]!.statements]);
    expect(turn.rows).toBeLessThanOrEqual(2 * least[at]!.rows + DEAD_ENTRIES);
  });
}

describe('An iteration of the watcher with many transfers of one unit to one request', () => {
  it.each(RECEIVED)(
    'reads the same number of rows after %d transfers, and still completes the request',
    async (count) => {
      flooded = await FloodedRequest.open(count);

      await flooded.mine();
      await flooded.dust('one more arrives');
      await flooded.mine();
      await flooded.mine('it is final');
      await flooded.arrive(PAYMENT - BigInt(count) - 1n);
      await flooded.mine();
      await flooded.mine('it is final, and completes');

      expect(await flooded.received()).toEqual({ status: 'completed', receivedAmount: PAYMENT });
      expect(await flooded.recorded()).toMatchObject({ stored: count + 2, final: count + 2 });
      expectBounded('open');
    },
  );

  it.each(AFTER_THE_END)(
    'reads the same number of rows after %d transfers to a completed request',
    async (count) => {
      flooded = await FloodedRequest.open(count, true);

      await flooded.mine('the next block');
      await flooded.passDay();
      await flooded.mine('some are booked');
      await flooded.bookAll();
      await flooded.mine();
      await flooded.dust('one more arrives');
      await flooded.mine();
      await flooded.mine('it is final');
      await flooded.passDay();
      await flooded.bookAll();

      expect(await flooded.received()).toEqual({ status: 'completed', receivedAmount: PAYMENT });
      expect(await flooded.recorded()).toMatchObject({ stored: count + 2, deposited: count + 1 });
      expectBounded('ended');
    },
  );
});

describe('A block with more transfers to one request than an iteration finalizes', () => {
  it('is stored completely and finalized over several iterations, while the watcher proceeds', async () => {
    flooded = await FloodedRequest.open(0);
    const { head } = await flooded.recorded();

    await flooded.dust('they arrive', AT_ONCE);
    const arrived = await flooded.recorded();
    await flooded.mine('next block');
    await flooded.mine('the first are final');
    await flooded.arrive(PAYMENT - BigInt(AT_ONCE));
    const finals: number[] = [];
    const turns = await flooded.catchUp(async () => void finals.push((await flooded.recorded()).final));
    await flooded.mine();
    await flooded.mine('the payment is final');

    expect(arrived).toMatchObject({ stored: AT_ONCE, final: 0, head: head + 1 });
    expect(finals).toEqual(
      Array.from({ length: turns }, (_, turn) => Math.min(AT_ONCE, (turn + 3) * MARKED_PER_TURN)),
    );
    expect(await flooded.recorded()).toMatchObject({ final: AT_ONCE + 1, head: head + 6 });
    expect(await flooded.received()).toEqual({ status: 'completed', receivedAmount: PAYMENT });
  });
});
