import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drawn } from '../support/drawn.js';
import { SettledWorld } from './settled-world.js';

const LONG = process.env['EVIDENCE'] === 'long';
/** `late` arrives, in smallest units, at an address that was settled before. */
const ASSETS = [
  { symbol: 'USDC', amount: '3.000001', late: 1_000_003n },
  { symbol: 'DAI', amount: '3.000000000000000001', late: 10n ** 18n + 3n },
  { symbol: 'ETH', amount: '0.003000000000000001', late: 10n ** 15n + 3n },
];
const COUNTS = LONG ? [1, 20, 100] : [2];
const MANY = 10_000;
/** An ERC-20 payment without a fee, in a batch of a hundred, may use so much at most: the goals. */
const MAX_GAS = { first: 55_000n, repeat: 12_000n };

describe('A batch that an operator has sent', () => {
  let world: SettledWorld;
  beforeAll(async () => {
    // The worker carries on what the operator begins, and begins nothing.
    world = await SettledWorld.open({
      paused: true,
      every_seconds: 0.2,
      max_gas_share_percent: 100,
      after_hours: 0,
    });
  });
  afterAll(async () => {
    expect(await world.service.breaches()).toEqual([]);
    await world.close();
  });

  const run = async () => {
    const { sent } = await world.operator.run<{ sent: { payouts: number } | null }>(
      'settlement',
      'run',
      'sandbox',
      '--yes',
    );
    return sent?.payouts ?? null;
  };

  it.each(COUNTS.flatMap((count) => drawn(ASSETS, 1).map((asset) => [count, asset.symbol, asset] as const)))(
    'of %d payments in %s brings to the unit what is recorded, first and again',
    async (count, symbol, { amount, late }) => {
      const asset = world.asset(symbol);
      const units = BigInt(amount.replace('.', '').padEnd(asset.decimals + amount.indexOf('.'), '0'));
      const basisPoints = count === 100 ? 0n : 50n;
      await world.setFee(basisPoints);
      const requests = await world.request(asset, count, amount);
      for (const [turn, paid] of [
        ['first', units],
        ['repeat', late],
      ] as const) {
        const before = await world.balances(asset);
        const recordedBefore = await world.recorded(asset);
        await world.pay(asset, requests, paid);
        await world.untilWaiting(count);

        // The first run has payments look for internal transfers.
        for (let sent = await run(); sent !== count; sent = await run()) await world.service.chain.mine(1);
        await world.untilSettled();

        const after = await world.balances(asset);
        const fee = (paid * basisPoints) / 10_000n;
        const expected = [(paid - fee) * BigInt(count), fee * BigInt(count)];
        expect(after.map((held, i) => held - before[i]!)).toEqual(expected);
        const { records, addresses } = await world.recorded(asset);
        expect(records.map((sum, i) => sum - recordedBefore.records[i]!)).toEqual(expected);
        expect(addresses).toEqual(records);
        const { payouts, each } = await world.gasOfLast();
        expect(payouts).toBe(count);
        if (count === 100 && symbol !== 'ETH') expect(each).toBeLessThanOrEqual(MAX_GAS[turn]);
        process.stdout.write(`${symbol} × ${count}, ${turn}: ${each} gas each\n`);
      }
    },
  );
});

(LONG ? describe : describe.skip)('Ten thousand addresses', () => {
  let world: SettledWorld;
  beforeAll(async () => {
    world = await SettledWorld.open({ every_seconds: 0.2, max_gas_share_percent: 100, after_hours: 0 });
  });
  afterAll(async () => {
    await world.close();
  });

  it('are settled in batches one after the other, each once', async () => {
    const asset = world.asset('USDC');
    const requests = await world.request(asset, MANY, '1');
    const before = await world.balances(asset);
    await world.pay(asset, requests, 1_000_000n);
    await world.service.chain.mine(6);

    await world.untilSettled(1_800_000);

    const after = await world.balances(asset);
    expect(after.map((held, i) => held - before[i]!)).toEqual([9_950_000_000n, 50_000_000n]);
    const [figures] = await world.service.query<{ batches: number; payouts: number; seconds: number }>(
      `SELECT count(*)::integer AS batches, sum(payout_count)::integer AS payouts,
         extract(epoch FROM max(updated_at) - min(created_at))::integer AS seconds
       FROM settlement.batches WHERE state = 'final'`,
    );
    expect(figures!.payouts).toBe(MANY);
    const perMinute = Math.round((60 * MANY) / figures!.seconds);
    process.stdout.write(
      `${MANY} addresses in ${figures!.batches} batches, ${figures!.seconds} s: ${perMinute} a minute\n`,
    );
    expect(await world.service.breaches()).toEqual([]);
  }, 1_800_000);
});
