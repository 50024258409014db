import { describe, expect, it } from '@jest/globals';
import { GAS_ACCOUNT } from '../../testing/settling/memory-sender.js';
import {
  confirmedEvent,
  DOLLARS,
  OTHER_SETTLEMENT_ADDRESS,
  paidOutAddress,
  payoutsSeen,
  someAddress,
  type SomeAddress,
  USDC,
} from '../../testing/settling/payout-events.js';
import { type Runs, withRuns } from '../../testing/settling/with-runs.js';

let runs: Runs;
withRuns((opened) => {
  runs = opened;
});

const HOUR = 3_600;
const MAX_BATCHES = 10;
const HOSTILE = `0x${'ba'.repeat(20)}`;

const fail = (addresses: readonly SomeAddress[]) => {
  for (const { address } of addresses) runs.planning.failing.add(address);
};
/** Deposit addresses whose payouts to HOSTILE all fail in execution. */
const hostile = async (count: number, settlementAddress = HOSTILE) => {
  const addresses = await runs.wait(count, 100n * DOLLARS, { of: someAddress(), settlementAddress });
  fail(addresses);
  return addresses;
};
/**
 * Runs settlement until nothing more is sent.
 * @returns the addresses of each batch; all batches are mined
 */
const batches = async () => {
  const sent: string[][] = [];
  for (let run = await runs.run.run('sandbox'); run.sent !== null;) {
    const { id } = run.sent.batch;
    if (sent.length > MAX_BATCHES) throw new Error('It is sent again and again.');
    sent.push((await runs.addressesOf(id)).sort());
    const hash = runs.sender.mine(id);
    await runs.advanceAll();
    await paysOut(id, hash);
    run = await runs.run.run('sandbox');
  }
  return sent;
};
/** Records the batch's payouts that did not fail, and ends the batch. */
const paysOut = async (id: string, hash: string) => {
  const isPaid = ({ address }: { address: string }) =>
    !runs.planning.failing.has(address) && !runs.planning.silent.has(address);
  const paid = (await runs.batches.payouts(id)).filter(isPaid);
  for (const payout of paid) {
    const one = payout as unknown as SomeAddress;
    const out = paidOutAddress(one, payout.toSettlement + payout.toFee);
    const seen = payoutsSeen(one, [out], await runs.clock.now());
    await runs.happen({ ...seen, data: { ...seen.data, transactionHash: hash } });
  }
  runs.reading.finalNumber = 7;
  runs.sender.becomes(id, { state: 'final' });
  await runs.advanceAll();
};
const stored = () =>
  Promise.all(
    ['batches', 'failing_terms', 'set_aside'].map((table) =>
      runs.database.query(`SELECT * FROM settlement.${table} ORDER BY 1`),
    ),
  );
const of = (addresses: readonly SomeAddress[]) => addresses.map(({ address }) => address).sort();
const failing = () => runs.setAside.listFailingTerms('sandbox', 10);
/** Returns the pause after the last failure, in seconds. */
const pause = async () => {
  const [terms] = await failing();
  return (Number(terms!.retryAt) - Number(terms!.failedAt)) / 1_000;
};

describe('The protection from settlement terms whose payouts fail in execution', () => {
  it('pauses all addresses of the terms after a mined failure, while others are paid', async () => {
    const [honest, bad] = [await runs.wait(2, 100n * DOLLARS), await hostile(3)];
    const first = await runs.run.run('sandbox');
    const hash = runs.sender.mine(first.sent!.batch.id);

    const [advanced] = await runs.advanceAll();

    expect(advanced).toMatchObject({ state: 'delivered' });
    expect(advanced!.failing).toMatchObject([{ settlementAddress: HOSTILE, times: 1 }]);
    expect(of([...honest, ...bad])).toEqual((await runs.addressesOf(first.sent!.batch.id)).sort());
    await hostile(2);
    expect(await batches()).toEqual([]);
    await paysOut(first.sent!.batch.id, hash);
    const later = await runs.wait(2, 100n * DOLLARS);
    expect(await batches()).toEqual([of(later)]);
    const [view] = await runs.show.show();
    expect(view!.waiting).toMatchObject([{ standing: 'set_aside', addresses: 5 }]);
    expect(view!.failingTerms).toMatchObject([{ settlementAddress: HOSTILE, times: 1 }]);
  });

  it('retries a single payout after pauses that grow fourfold, up to a week', async () => {
    await hostile(3);
    const pauses: number[] = [];
    const sizes: number[][] = [];
    for (let i = 0; i < 6; i += 1) {
      const [honest] = await runs.wait(1, 100n * DOLLARS);
      const sent = await batches();
      expect(sent.filter((batch) => batch.includes(honest!.address))).toHaveLength(1);
      sizes.push(sent.map((batch) => batch.length).sort());
      pauses.push(await pause());
      await runs.passes(pauses.at(-1)! + 1);
    }

    expect(pauses).toEqual([1, 4, 16, 64, 168, 168].map((hours) => hours * HOUR));
    expect(sizes).toEqual([[4], ...Array.from({ length: 5 }, () => [1, 1])]);
  });

  it('settles all addresses again after one payout, and remembers failures for four weeks', async () => {
    const [oldest] = await hostile(1);
    await runs.passes(1);
    await hostile(2);
    await batches();
    await runs.passes(HOUR + 1);
    runs.planning.failing.clear();

    expect((await runs.planSettlementRun.plan('sandbox', GAS_ACCOUNT)).due).toMatchObject([
      { isTrial: true, address: oldest!.address },
    ]);
    expect((await batches()).map(({ length }) => length)).toEqual([1, 2]);

    expect(await failing()).toEqual([]);
    await hostile(1);
    await batches();
    expect(await pause()).toBe(4 * HOUR);
    await runs.passes(28 * 24 * HOUR + 1);
    await batches();
    expect(await pause()).toBe(HOUR);
    expect(await failing()).toMatchObject([{ times: 1 }]);
  });

  it('allows at most one failure an hour per asset', async () => {
    const addresses = Array.from({ length: 5 }, (_, i) => `0x${`b${i}`.repeat(20)}`);
    for (const each of addresses) await hostile(2, each);
    expect(await batches()).toHaveLength(1);
    expect(await failing()).toHaveLength(5);

    await runs.passes(HOUR + 1);
    expect((await batches()).map(({ length }) => length)).toEqual([1]);
    await runs.passes(HOUR / 2);
    expect(await batches()).toEqual([]);
    await runs.passes(HOUR / 2 + 1);
    expect((await batches()).map(({ length }) => length)).toEqual([1]);
    const retries = (await failing()).map(({ retryAt }) => Number(retryAt));
    expect(retries).toEqual(retries.toSorted((a, b) => b - a));
  });

  it('applies only to the asset whose payout failed', async () => {
    const [bad] = await hostile(1);
    await batches();
    const inCoin = confirmedEvent(bad!, 10n ** 18n, await runs.clock.now());
    const coin = { uniqueAssetId: 'nsandbox_tETH', currency: 'ETH', decimals: 18 };
    await runs.happen({ ...inCoin, data: { ...inCoin.data, ...coin } });

    const { due } = await runs.planSettlementRun.plan('sandbox', GAS_ACCOUNT);
    await runs.setAside.endFailingTermsPause('sandbox', due);

    expect(due).toMatchObject([{ uniqueAssetId: coin.uniqueAssetId, isTrial: false }]);
    expect(await failing()).toHaveLength(1);
  });

  it('applies to any spelling of the settlement address', async () => {
    await hostile(1);
    await batches();

    await hostile(1, HOSTILE.replaceAll('ba', 'Ba'));

    expect(await batches()).toEqual([]);
  });

  it('includes a token that hides its balance, but no address settled by others', async () => {
    const [liar] = await runs.wait(1, 100n * DOLLARS, { settlementAddress: HOSTILE });
    const [emptied] = await runs.wait(1, 100n * DOLLARS, { settlementAddress: OTHER_SETTLEMENT_ADDRESS });
    for (const { address } of [liar!, emptied!]) runs.planning.silent.add(address);
    const { sent } = await runs.run.run('sandbox');
    // Received after another transaction settled the address.
    runs.balances.hold(emptied!.address, 1n);
    runs.sender.mine(sent!.batch.id);

    await runs.advanceAll();

    expect(await failing()).toMatchObject([{ settlementAddress: HOSTILE }]);
  });

  it('pauses all terms of a reverted transaction until each was tried separately', async () => {
    const [one] = await runs.wait(1, 100n * DOLLARS, { settlementAddress: HOSTILE });
    const others = await runs.wait(2, 100n * DOLLARS);
    const { sent } = await runs.run.run('sandbox');
    runs.sender.mine(sent!.batch.id, false);
    expect(await runs.advanceAll()).toMatchObject([{ state: 'sent' }]);
    runs.sender.becomes(sent!.batch.id, { state: 'reverted' });
    expect(await runs.advanceAll()).toMatchObject([{ state: 'reverted', failing: [{}, {}] }]);

    expect(await batches()).toEqual([]);
    await runs.passes(HOUR + 1);

    const sent2 = await batches();
    expect(sent2.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(sent2.flat().sort()).toEqual(of([one!, ...others]));
    expect(await failing()).toEqual([]);
  });

  it('excludes terms whose fee was not taken, and reports them', async () => {
    const [feeless, refused] = await runs.wait(2, 100n * DOLLARS);
    for (const { address } of [feeless!, refused!]) runs.planning.losingFees.add(address);
    // The payout is planned without a fee, so no fee is lost.
    runs.planning.feeless.add(refused!.address);
    const { sent } = await runs.run.run('sandbox');
    runs.sender.mine(sent!.batch.id);

    expect(await runs.advanceAll()).toMatchObject([
      { failing: [], lostFees: [{ address: feeless!.address }] },
    ]);
  });

  it('affects no other network on which the same addresses exist', async () => {
    const bad = await hostile(2);
    const [odd] = await runs.wait(1, 100n * DOLLARS);
    runs.planning.differing.set(odd!.address, 'failed');
    await runs.wait(1, 100n * DOLLARS);
    await batches();
    await runs.wait(1, 100n * DOLLARS);
    await runs.run.run('sandbox');
    const { setAside, dueFunds } = runs;
    const [settled] = await runs.database.query<{ hash: string }>(
      'SELECT transaction_hash AS hash FROM settlement.settlements WHERE transaction_hash IS NOT NULL',
    );
    const keys = [...bad, odd!].map(({ address }) => ({ address, uniqueAssetId: USDC }));
    const before = await stored();

    expect(before.map((rows) => rows.length)).toEqual([2, 1, 1]);
    expect(await setAside.add('base', [])).toEqual([]);
    await setAside.remove('base', keys);
    expect(await setAside.addFailingTerms('base', keys, 'It failed.')).toEqual([]);
    await setAside.endFailingTermsPause('base', keys);
    expect(await setAside.endAllPauses('base')).toBe(0);
    expect([await setAside.list('base', 9), await setAside.listFailingTerms('base', 9)]).toEqual([[], []]);
    expect([await runs.batches.listOpen('base'), await runs.batches.newest('base', 9)]).toEqual([[], []]);
    const isRecorded = (network: string) => runs.batches.isSettlementRecorded(network, settled!.hash);
    expect([await isRecorded('sandbox'), await isRecorded('base')]).toEqual([true, false]);
    expect(await dueFunds.sumWaitingFunds('base', [], 1)).toEqual([]);
    expect(await stored()).toEqual(before);
    const { reason, says, ...key } = (await setAside.list('sandbox', 1))[0]!;
    const difference = { address: key.address, uniqueAssetId: key.uniqueAssetId, reason, says };
    expect(await setAside.add('base', [difference])).toEqual([difference]);
    await setAside.remove('base', []);
    expect(await setAside.list('base', 9)).toEqual([]);
  });
});
