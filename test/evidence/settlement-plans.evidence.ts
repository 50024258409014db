import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SettlementPlanDiffers } from '#contexts/networks/contract/settlement-planning.js';
import { PlannedSettlements, type AssetName } from './planned-settlements.js';

const LONG = process.env['EVIDENCE'] === 'long';
const ASSETS: readonly AssetName[] = LONG ? ['USDT', 'DAI', 'ETH'] : ['USDT', 'ETH'];
const COUNTS = LONG ? [1, 20, 100] : [1, 20];

describe('A settlement that is planned on a node', () => {
  let world: PlannedSettlements;

  beforeAll(async () => {
    world = await PlannedSettlements.open();
  });
  afterAll(() => world?.close());

  describe.each(ASSETS)('of %s', (asset) => {
    it.each(COUNTS)('pays %d addresses exactly what was planned, first and again', async (count) => {
      const due = world.due(asset, count);
      for (const turn of ['first', 'repeat']) {
        await world.payAll(due);

        const [batch, ...others] = await world.plan(due);
        const { sent, gasUsed, events } = await world.send(batch!);

        expect([turn, others]).toEqual([turn, []]);
        expect(sent).toEqual(world.expected(due));
        expect(events).toBe(count);
        expect(gasUsed).toBeLessThanOrEqual(batch!.call.gas);
        process.stdout.write(`${asset} × ${count}, ${turn}: ${gasUsed / BigInt(count)} gas each\n`);
      }
    });
  });

  it('is cut into transactions that a small block can hold, several assets and terms together', async () => {
    const due = [...world.due('USDT', 12), ...world.due('ETH', 3), ...world.due('USDT', 5, 250)];
    await world.payAll(due);

    const batches = await world.withBlocksOf(5_000_000n, () => world.plan(due));

    expect(batches.length).toBeGreaterThan(1);
    expect(batches.filter(({ call }) => call.gas > 2_500_000n)).toEqual([]);
    expect(batches.flatMap(({ payouts }) => payouts)).toHaveLength(20);
    for (const batch of batches) expect((await world.send(batch)).events).toBe(batch.payouts.length);
  });

  it('differs by name where no block could hold what one payout may use', async () => {
    const due = world.due('USDT', 2);
    await world.payAll(due);

    const tooSmall = world.withBlocksOf(1_200_000n, () => world.plan(due));

    await expect(tooSmall).rejects.toMatchObject({
      differences: [{ kind: 'too_costly' }, { kind: 'too_costly' }],
    });
  });

  it('is halved where a payout among others costs more than the first one did alone', async () => {
    const due = world.due('USDT', 24);
    await world.payAll(due);

    const batches = await world.withBlocksOf(5_000_000n, () => world.planWithFirstCostDividedBy(due, 10n));

    expect(batches.map(({ payouts }) => payouts.length)).toEqual([12, 12]);
    for (const batch of batches) expect((await world.send(batch)).events).toBe(12);
  });

  it('is proven by a trace where the node has no eth_simulateV1, and by nothing else', async () => {
    const due = world.due('USDT', 2);
    await world.payAll(due);

    const traced = await world.planWithout(due, ['eth_simulateV1']);
    await expect(world.planWithout(due, ['eth_simulateV1', 'debug_traceCall'])).rejects.toThrow(
      'the endpoint could not simulate the transaction: eth_simulateV1 (',
    );

    expect(traced).toHaveLength(1);
    expect((await world.send(traced[0]!)).sent).toEqual(world.expected(due));
  });

  it('is proven by another endpoint where the one that is read from does not answer', async () => {
    const due = world.due('USDT', 1);
    await world.payAll(due);

    expect(await world.planBeside('http://127.0.0.1:9', due)).toHaveLength(1);
  });

  it('differs by the reason of a call that is reverted, which is not the gas', async () => {
    const due = world.due('USDT', 2);
    await world.payAll(due);

    // Reverts with the word 1.
    const reverted = world.withFactoryCode('0x600160005260206000fd', () =>
      world.planWithCreationOf(due, 60_000n),
    );

    await expect(reverted).rejects.toMatchObject({
      differences: [{ kind: 'failed' }, { kind: 'failed' }],
      message: expect.stringMatching(/the whole call is reverted \(0x0{63}1\)/),
    });
  });

  it('differs where creation is stated to cost less than it does; nothing is lost, and with more it settles', async () => {
    const due = world.due('USDT', 2);
    await world.payAll(due);

    const understated = world.planWithCreationOf(due, 30_000n);

    await expect(understated).rejects.toThrow(SettlementPlanDiffers);
    await expect(understated).rejects.toMatchObject({
      differences: [{ kind: 'failed' }, { kind: 'failed' }],
    });
    const [batch] = await world.plan(due);
    expect((await world.send(batch!)).sent).toEqual(world.expected(due));
  });

  it('differs by name where an address holds more, holds nothing, is listed twice or is none of these terms', async () => {
    const [more, nothing, good] = world.due('USDT', 3) as [Due, Due, Due];
    const foreign = { ...good, terms: { ...good.terms, settlementAddress: `0x${'77'.repeat(20)}` } };
    await world.payAll([more, more, good]);
    const kinds = (due: readonly Due[]) =>
      world.plan(due).then(
        () => [],
        (error: SettlementPlanDiffers) =>
          error.differences.map(({ kind, depositAddress }) => [kind, depositAddress]),
      );

    expect(await kinds([more, nothing, good])).toEqual([
      ['other_amounts', more.depositAddress],
      ['not_paid_out', nothing.depositAddress],
    ]);
    expect(await kinds([good, good])).toEqual([['listed_twice', good.depositAddress]]);
    expect(await kinds([foreign])).toEqual([['not_derived', good.depositAddress]]);
    expect(await kinds([good])).toEqual([]);
  });
});

type Due = ReturnType<PlannedSettlements['due']>[number];
