import { describe, expect, it } from '@jest/globals';
import {
  DOLLARS,
  paidOutAddress,
  payoutsFinal,
  payoutsSeen,
  type SomeAddress,
} from '../../testing/settling/payout-events.js';
import { type Runs, withRuns } from '../../testing/settling/with-runs.js';
import { FindBatchOfCall } from './find-batch-of-call.js';

let runs: Runs;

withRuns((opened) => {
  runs = opened;
});

/** Applies the event that reports the payouts of the batch's transaction. */
const paidOutBy = async (hash: string, addresses: readonly SomeAddress[], amount: bigint) => {
  const seen = payoutsSeen(
    runs.owner,
    addresses.map((each) => paidOutAddress(each, amount)),
    await runs.clock.now(),
  );
  return { ...seen, data: { ...seen.data, transactionHash: hash } };
};

describe('The check for waiting funds', () => {
  it('finds funds that are not worth their gas', async () => {
    const before = await runs.dueFunds.isAnyWaiting('sandbox');
    await runs.wait(1, 1n);

    expect([before, await runs.dueFunds.isAnyWaiting('sandbox')]).toEqual([false, true]);
    expect(await runs.dueFunds.isAnyWaiting('base')).toBe(false);
  });
});

describe('A settlement run', () => {
  it('stores the exact call before it is sent, and follows it to its end', async () => {
    const addresses = await runs.wait(3, 100n * DOLLARS);

    const { sent } = await runs.run.run('sandbox');

    const { id } = sent!.batch;
    expect(sent).toMatchObject({ state: 'sent', refused: null, batch: { payoutCount: 3 } });
    const [stored] = await runs.batches.listOpen('sandbox');
    const { call } = runs.sender.orders.get(id)!;
    expect(call).toEqual({
      to: stored!.call.to,
      data: stored!.call.data,
      value: 0n,
      gasLimit: stored!.call.gas,
    });
    expect((await runs.addressesOf(id)).sort()).toEqual(addresses.map(({ address }) => address).sort());

    const hash = runs.sender.mine(id);
    expect(await runs.advanceAll()).toMatchObject([{ state: 'delivered' }]);
    const seen = await paidOutBy(hash, addresses, 100n * DOLLARS);
    await runs.happen(seen);
    runs.sender.becomes(id, { state: 'final' });
    expect(await runs.advanceAll()).toMatchObject([{ state: 'final' }]);
    await runs.happen(payoutsFinal(seen));
    expect(await runs.waiting()).toEqual({});
    expect(await runs.chosen()).toBeNull();
  });

  it('settles the other assets if a token returns no balance', async () => {
    const [broken, whole] = await runs.wait(2, 100n * DOLLARS);
    runs.balances.hold(broken!.address, null);

    const run = await runs.run.run('sandbox');

    expect(await runs.addressesOf(run.sent!.batch.id)).toEqual([whole!.address]);
    expect(run.setAside).toEqual([
      {
        ...{ address: broken!.address, uniqueAssetId: expect.any(String), reason: 'unreadable' },
        says: `The token returns no balance of ${broken!.address}.`,
      },
    ]);
    expect((await runs.planSettlementRun.plan('sandbox', '0x5e')).due).toEqual([]);
    await runs.passes(60);
    runs.balances.hold(broken!.address, 100n * DOLLARS);
    runs.sender.mine(run.sent!.batch.id);
    runs.sender.becomes(run.sent!.batch.id, { state: 'foreign' });
    await runs.advanceAll();
    expect(await runs.chosen()).toContain(broken!.address);
  });

  it('sends the stored call once after a crash between storing and sending', async () => {
    await runs.wait(2, 100n * DOLLARS);
    runs.sender.isKilled = true;
    await expect(runs.run.run('sandbox')).rejects.toThrow('killed');
    const [stored] = await runs.batches.listOpen('sandbox');
    runs.sender.isKilled = false;
    await runs.wait(1, 100n * DOLLARS);

    expect((await runs.run.run('sandbox')).sent).toBeNull();
    await runs.advanceAll();
    await runs.advanceAll();

    expect([...runs.sender.orders.values()]).toMatchObject([
      { id: stored!.id, call: { data: stored!.call.data } },
    ]);
  });

  it('sends one batch at a time, and the next after that one is in a block', async () => {
    const first = await runs.wait(2, 100n * DOLLARS);
    const { sent } = await runs.run.run('sandbox');
    const later = await runs.wait(2, 100n * DOLLARS);
    runs.planning.feeless.add(later[0]!.address);
    expect(await runs.run.run('sandbox')).toMatchObject({ sent: null, refusedFees: [] });

    runs.sender.mine(sent!.batch.id);
    await runs.advanceAll();

    expect((await runs.chosen())!.sort()).toEqual(later.map(({ address }) => address).sort());
    expect(await runs.sums()).toEqual({ in_flight: first.length + later.length });
    const open = (await runs.batches.listOpen('sandbox')).map(({ id }) => id);
    expect(open[0]).toBe(sent!.batch.id);
    expect((await runs.batches.newest('sandbox', 2)).map(({ id }) => id)).toEqual(open.toReversed());
  });

  it('pays out in batches of bounded size, the longest waiting first', async () => {
    const old = await runs.wait(250, 100n * DOLLARS);
    await runs.passes(1);
    await runs.wait(400, 100n * DOLLARS);
    const sizes: number[] = [];
    runs.planning.mostOfBatch = 200;

    for (let left = 650; left > 0;) {
      const { sent, plan } = await runs.run.run('sandbox');
      expect(plan.due.length).toBeLessThanOrEqual(300);
      const taken = await runs.addressesOf(sent!.batch.id);
      if (sizes.length === 0)
        expect(old.map(({ address }) => address)).toEqual(expect.arrayContaining(taken));
      sizes.push(taken.length);
      left -= taken.length;
      runs.sender.mine(sent!.batch.id);
      await runs.advanceAll();
    }

    expect(sizes).toEqual([200, 200, 200, 50]);
  });
});

describe('A batch of payouts', () => {
  it('waits while the key holds too little gas and is planned again after ten minutes', async () => {
    await runs.wait(1, 100n * DOLLARS);
    runs.sender.refusal = '5 are missing.';
    expect((await runs.run.run('sandbox')).sent).toMatchObject({
      state: 'chosen',
      refused: '5 are missing.',
    });
    expect(await runs.advanceAll()).toMatchObject([{ state: 'chosen', refused: '5 are missing.' }]);

    await runs.passes(601);
    expect(await runs.advanceAll()).toMatchObject([{ state: 'abandoned' }]);
    runs.sender.refusal = null;

    expect((await runs.run.run('sandbox')).sent).toMatchObject({ state: 'sent' });
  });

  it.each([
    ['another transaction has used its nonce', 'foreign', {}],
    ['the operator had its nonce used up', 'cancelled', { transactionHash: '0x01', succeeded: false }],
  ] as const)('frees its addresses when %s', async (_, state, fate) => {
    const [one] = await runs.wait(1, 100n * DOLLARS);
    const { sent } = await runs.run.run('sandbox');
    runs.sender.becomes(sent!.batch.id, { ...fate, state });

    expect(await runs.advanceAll()).toMatchObject([{ state }]);

    expect(await runs.chosen()).toEqual([one!.address]);
  });

  it('keeps its hash and the order of its times if its block is removed and the clock steps back', async () => {
    await runs.wait(1, 100n * DOLLARS);
    const { sent } = await runs.run.run('sandbox');
    const hash = runs.sender.mine(sent!.batch.id);
    await runs.advanceAll();
    await runs.passes(-3_600);
    runs.sender.becomes(sent!.batch.id, { state: 'foreign', transactionHash: null });

    expect(await runs.advanceAll()).toMatchObject([{ state: 'foreign' }]);

    const [batch] = await runs.batches.newest('sandbox', 1);
    expect(batch!.transactionHash).toBe(hash);
    expect(batch!.updatedAt.getTime()).toBeGreaterThanOrEqual(batch!.createdAt.getTime());
  });

  it('stays open until its payouts are recorded or its final block was read', async () => {
    await runs.wait(1, 100n * DOLLARS);
    const { sent } = await runs.run.run('sandbox');
    runs.sender.mine(sent!.batch.id);
    runs.sender.becomes(sent!.batch.id, { state: 'final' });
    expect(await runs.advanceAll()).toMatchObject([{ state: 'delivered' }]);
    runs.reading.finalNumber = 6;
    expect(await runs.advanceAll()).toMatchObject([{ state: 'delivered' }]);

    runs.reading.finalNumber = 7;

    expect(await runs.advanceAll()).toMatchObject([{ state: 'final' }]);
  });

  it('rejects changes of its call and its end in the database', async () => {
    await runs.wait(1, 100n * DOLLARS);
    await runs.run.run('sandbox');
    const refused = (sql: string) => expect(runs.database.query(sql)).rejects.toThrow();

    await refused(`UPDATE settlement.batches SET data = '\\x00'`);
    await refused(`UPDATE settlement.batches SET recipient = '0x00'`);
    await refused('DELETE FROM settlement.batches');
    await refused('UPDATE settlement.batch_payouts SET to_fee = 0');
    await refused(
      `INSERT INTO settlement.batches SELECT gen_random_uuid(), network, sender, recipient, data, gas_limit, 1, 'sent',
         transaction_hash, created_at, updated_at FROM settlement.batches`,
    );
  });

  it('is matched to a transaction with the same call, unless the batch already has an outbound transaction', async () => {
    await runs.wait(1, 100n * DOLLARS);
    runs.sender.refusal = 'the key is held';
    const { id, call } = (await runs.run.run('sandbox')).sent!.batch;
    const find = new FindBatchOfCall(runs.batches, runs.sender);
    const lost = { to: call.to.toLowerCase(), data: call.data.toLowerCase() };

    expect(await find.find('sandbox', lost)).toEqual({ id, purpose: 'settlement' });
    expect(await find.find('sandbox', { ...lost, data: `${lost.data}00` })).toBeNull();
    runs.sender.refusal = null;
    await runs.advanceAll();

    expect(await find.find('sandbox', lost)).toBeNull();
  });
});
