import { describe, expect, it } from '@jest/globals';
import { SettlementPlanMismatch } from '#contexts/networks/contract/settlement-planning.js';
import {
  confirmedEvent,
  DOLLARS,
  paidOutAddress,
  payoutsRemoved,
  payoutsSeen,
  someAddress,
  USDC,
} from '../../testing/settling/payout-events.js';
import { type Runs, withRuns } from '../../testing/settling/with-runs.js';

let runs: Runs;
withRuns((opened) => {
  runs = opened;
});

describe('A due payout', () => {
  it('is planned if it is worth the gas of a run, or after a day if it is worth its own gas', async () => {
    // At 1 gwei, 65,000 gas cost 0.065 dollars: 1% of 6.50 dollars.
    await runs.wait(1, 6n * DOLLARS);
    const [worthy] = await runs.wait(1, (65n * DOLLARS) / 10n);
    const [dust] = await runs.wait(1, DOLLARS / 100n);

    expect(await runs.chosen()).toEqual([worthy!.address]);
    expect(await runs.sums()).toEqual({ in_flight: 1, not_worth_its_gas: 2 });
    await runs.passes(25 * 3_600);

    expect(await runs.sums()).toEqual({ in_flight: 1, due: 1, not_worth_its_gas: 1 });
    expect(dust).toBeDefined();
  });

  it('is planned for each organization and asset, however many older addresses another one has', async () => {
    await runs.wait(320, 100n * DOLLARS);
    await runs.passes(60);
    const [other] = await runs.wait(1, 100n * DOLLARS, { of: someAddress() });
    const [both] = await runs.wait(1, 100n * DOLLARS);
    const inCoin = confirmedEvent(both!, 10n ** 18n, await runs.clock.now());
    const coin = { uniqueAssetId: 'nsandbox_tETH', currency: 'ETH', decimals: 18 };
    await runs.happen({ ...inCoin, data: { ...inCoin.data, ...coin } });

    const { plan } = await runs.run.run('sandbox');

    expect([plan.due.length, plan.isFull]).toEqual([300, true]);
    expect(plan.due.slice(0, 3).map(({ address }) => address)).toEqual(
      expect.arrayContaining([both!.address, other!.address]),
    );
    expect(await runs.addressesOf((await runs.batches.listOpen('sandbox'))[0]!.id)).toContain(other!.address);
  });

  it('covers the data fee, and the higher gas of native coin', async () => {
    runs.planning.dataFeeOfPayout = 10n ** 13n;

    const { terms } = (await runs.planSettlementRun.plan('sandbox', '0x5e')).terms;

    const minimums = terms.map(({ minimum }) => minimum.first);
    expect(minimums).toEqual([(75n * DOLLARS) / 10n, 85n * 10n ** 14n]);
  });

  it('depends only on age if there is no price', async () => {
    runs.quotes.price = null;
    await runs.wait(1, 1_000n * DOLLARS);
    expect(await runs.chosen()).toBeNull();

    await runs.passes(25 * 3_600);

    expect(await runs.chosen()).toHaveLength(1);
  });

  it('costs less once the address was settled before', async () => {
    const [one] = await runs.wait(1, 100n * DOLLARS);
    await runs.happen(payoutsSeen(runs.owner, [paidOutAddress(one!, 97n * DOLLARS)], await runs.clock.now()));
    await runs.wait(1, 3n * DOLLARS);
    runs.balances.hold(one!.address, 3n * DOLLARS);

    expect(await runs.chosen()).toEqual([one!.address]);
  });

  it('is worth exactly its own gas once its address was settled and it is old', async () => {
    const [one] = await runs.wait(1, 100n * DOLLARS);
    const paid = paidOutAddress(one!, 100n * DOLLARS - 20_000n);
    await runs.happen(payoutsSeen(runs.owner, [paid], await runs.clock.now()));

    expect(await runs.sums()).toEqual({ not_worth_its_gas: 1 });
    await runs.passes(25 * 3_600);
    expect(await runs.sums()).toEqual({ due: 1 });
  });

  it('costs as much as a first payout after the block that settled the address was removed', async () => {
    const [one] = await runs.wait(1, 3n * DOLLARS);
    const seen = payoutsSeen(runs.owner, [paidOutAddress(one!, 3n * DOLLARS)], await runs.clock.now());
    await runs.happen(seen, payoutsRemoved(seen));

    expect(await runs.sums()).toEqual({ not_worth_its_gas: 1 });
  });

  it('is not planned for an address that is held', async () => {
    const [held, free] = await runs.wait(2, 100n * DOLLARS);
    await runs.database.run(async () => {
      await runs.database.queryInTransaction('SET LOCAL session_replication_role = replica');
      await runs.database.queryInTransaction(
        `INSERT INTO payments.settlement_holds (id, network, address, payment_request_id, organization_id, account_id,
           transfer_id, held_at) SELECT id, network, address, id, id, id, id, platform.now()
         FROM UNNEST($1::uuid[], '{sandbox,base}'::text[], $2::text[]) AS t (id, network, address)`,
        [[held!, free!].map((each) => each.paymentRequestId), [held!, free!].map((each) => each.address)],
      );
    });

    // The test holds funds without a stored reversed transfer.
    runs.makesUp(['reversed-money-is-held']);

    expect(await runs.chosen()).toEqual([free!.address]);
    expect(await runs.sums()).toEqual({ held: 1, in_flight: 1 });
  });

  it('is not planned before the chain has finalized the last posted transfer of its address', async () => {
    const [early, other] = await runs.wait(2, 100n * DOLLARS);
    await runs.acceptBeforeFinality(early!);

    expect(await runs.chosen()).toEqual([other!.address]);
    expect(await runs.sums()).toEqual({ awaits_finality: 1, in_flight: 1 });
  });

  it('was checked for internal transfers before its first settlement', async () => {
    const [looked, other] = await runs.wait(2, 100n * DOLLARS);
    runs.look.compared = new Set([looked!.address]);

    const { plan, sent } = await runs.run.run('sandbox');

    expect(await runs.addressesOf(sent!.batch.id)).toEqual([looked!.address]);
    expect(plan.awaitingComparison.map(({ address }) => address)).toEqual([other!.address]);
    expect(runs.look.asked.sort()).toEqual([looked!.address, other!.address].sort());
  });
});

describe('A payout that would differ from the plan', () => {
  it('is set aside with growing pauses while the others continue', async () => {
    const [bad, good] = await runs.wait(2, 100n * DOLLARS);
    runs.planning.differing.set(bad!.address, 'failed');

    const first = await runs.run.run('sandbox');
    expect(first.setAside).toMatchObject([
      { address: bad!.address, reason: 'failed', says: 'It is failed.' },
    ]);
    expect(await runs.addressesOf(first.sent!.batch.id)).toEqual([good!.address]);
    expect(await runs.sums()).toEqual({ in_flight: 1, set_aside: 1 });

    await runs.passes(61);
    const second = await runs.run.run('sandbox');
    expect(second).toMatchObject({ setAside: [], sent: null });
    const [aside] = await runs.setAside.list('sandbox', 10);
    expect(aside!.times).toBe(2);
    expect(aside!.retryAt.getTime() - (await runs.clock.now()).getTime()).toBeGreaterThan(100_000);

    runs.planning.differing.clear();
    runs.sender.mine(first.sent!.batch.id);
    await runs.advanceAll();
    expect(await runs.chosen()).toBeNull();
    expect(await runs.setAside.endAllPauses('sandbox')).toBe(1);
    expect(await runs.chosen()).toEqual([bad!.address]);
    expect(await runs.setAside.list('sandbox', 10)).toEqual([]);
  });

  it('is set aside in one asset while another one at its address is paid', async () => {
    const [both] = await runs.wait(1, 100n * DOLLARS);
    const inCoin = confirmedEvent(both!, 10n ** 18n, await runs.clock.now());
    const coin = { uniqueAssetId: 'nsandbox_tETH', currency: 'ETH', decimals: 18 };
    await runs.happen({ ...inCoin, data: { ...inCoin.data, ...coin } });
    const aside = {
      address: both!.address,
      uniqueAssetId: coin.uniqueAssetId,
      reason: 'failed',
      says: 'No.',
    };
    await runs.setAside.add('sandbox', [aside]);
    await runs.setAside.add('base', [{ ...aside, uniqueAssetId: USDC }]);

    const { sent } = await runs.run.run('sandbox');

    expect(await runs.batches.payouts(sent!.batch.id)).toMatchObject([{ uniqueAssetId: USDC }]);
    expect(await runs.sums()).toEqual({ in_flight: 1, set_aside: 1 });
    expect(await runs.setAside.list('sandbox', 9)).toMatchObject([aside]);
  });

  it('is set aside if the difference names no asset, and stops the run if it names no payout', async () => {
    const [bad] = await runs.wait(1, 100n * DOLLARS);
    const runWithDifference = (depositAddress: string) => {
      const difference = { kind: 'failed', depositAddress, uniqueAssetId: null, says: 'No.' } as const;
      runs.planning.plan = () => Promise.reject(new SettlementPlanMismatch('sandbox', [difference]));
      return runs.run.run('sandbox').finally(() => Reflect.deleteProperty(runs.planning, 'plan'));
    };

    const { setAside } = await runWithDifference(bad!.address);
    expect(setAside).toMatchObject([{ address: bad!.address, uniqueAssetId: USDC }]);
    await runs.passes(61);
    await expect(runWithDifference('0x1')).rejects.toThrow(SettlementPlanMismatch);
  });

  it('is set aside for six hours at most or until its balance is gone, and reported again for another reason', async () => {
    const [one, other] = await runs.wait(2, 100n * DOLLARS);
    const add = (reason: string, { address } = one!) =>
      runs.setAside.add('sandbox', [{ address, uniqueAssetId: USDC, reason, says: reason }]);
    const first = await add('failed');
    for (let times = 2; times <= 30; times += 1) expect(await add('failed')).toEqual([]);
    const [aside] = await runs.setAside.list('sandbox', 10);

    expect([first, await add('holds_less')]).toMatchObject([
      [{ reason: 'failed' }],
      [{ reason: 'holds_less' }],
    ]);
    expect(aside!.times).toBe(30);
    const hours = (aside!.retryAt.getTime() - (await runs.clock.now()).getTime()) / 3_600_000;
    expect(Math.round(hours)).toBe(6);
    await add('failed', other);
    const listed = await runs.setAside.list('sandbox', 10);
    expect(listed.map(({ address, says }) => [address, says])).toEqual([
      [one!.address, 'holds_less'],
      [other!.address, 'failed'],
    ]);
    // More was paid out than is booked.
    await runs.happen(
      payoutsSeen(runs.owner, [paidOutAddress(one!, 101n * DOLLARS)], await runs.clock.now()),
    );
    const inCoin = { address: other!.address, uniqueAssetId: 'nsandbox_tETH', reason: 'failed', says: 'No.' };
    await runs.setAside.add('sandbox', [inCoin]);
    await runs.setAside.remove('sandbox', []);
    expect(await runs.setAside.list('sandbox', 10)).toMatchObject([
      { address: other!.address, uniqueAssetId: USDC },
    ]);
  });

  it('is paid in full if more was received than booked, and set aside if less is there', async () => {
    const [more, less] = await runs.wait(2, 100n * DOLLARS);
    runs.balances.hold(more!.address, 101n * DOLLARS);
    runs.balances.hold(less!.address, 99n * DOLLARS);

    const { sent, setAside } = await runs.run.run('sandbox');

    expect(await runs.batches.payouts(sent!.batch.id)).toMatchObject([
      { address: more!.address, toSettlement: 99_990_000n, toFee: 1_010_000n },
    ]);
    expect(setAside).toMatchObject([{ address: less!.address, reason: 'holds_less' }]);
  });

  it('pays and reports the full amount to the settlement address if the fee recipient rejects its share', async () => {
    const [feeless] = await runs.wait(1, 100n * DOLLARS);
    runs.planning.feeless.add(feeless!.address);

    const { sent, setAside, refusedFees } = await runs.run.run('sandbox');

    expect(setAside).toEqual([]);
    expect(refusedFees).toMatchObject([{ depositAddress: feeless!.address }]);
    expect(await runs.batches.payouts(sent!.batch.id)).toMatchObject([
      { toSettlement: 100n * DOLLARS, toFee: 0n },
    ]);
  });
});
