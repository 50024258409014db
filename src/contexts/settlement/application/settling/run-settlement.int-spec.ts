import { describe, expect, it } from '@jest/globals';
import {
  DOLLARS,
  paidOut,
  payoutsFinal,
  payoutsSeen,
  type SomeAddress,
} from '../../testing/settling/payout-events.js';
import { type Runs, withRuns } from '../../testing/settling/with-runs.js';

let runs: Runs;
withRuns((opened) => {
  runs = opened;
});

/** The event by which payments reports the batch's transaction. */
const paidOutBy = async (hash: string, addresses: readonly SomeAddress[], amount: bigint) => {
  const seen = payoutsSeen(
    runs.owner,
    addresses.map((each) => paidOut(each, amount)),
    await runs.clock.now(),
  );
  return { ...seen, data: { ...seen.data, transactionHash: hash } };
};

describe('A settlement run', () => {
  it('stores the exact call before it is sent, and carries it to its end', async () => {
    const addresses = await runs.wait(3, 100n * DOLLARS);

    const { sent } = await runs.run.execute('sandbox');

    const { id } = sent!.batch;
    expect(sent).toMatchObject({ state: 'sent', refused: null, batch: { payoutCount: 3 } });
    const [stored] = await runs.batches.open('sandbox');
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

  it('settles the others where a token shows no balance, which is set aside until it does', async () => {
    const [broken, whole] = await runs.wait(2, 100n * DOLLARS);
    runs.balances.hold(broken!.address, null);

    const run = await runs.run.execute('sandbox');

    expect(await runs.addressesOf(run.sent!.batch.id)).toEqual([whole!.address]);
    expect(run.setAside).toEqual([
      {
        ...{ address: broken!.address, uniqueAssetId: expect.any(String), reason: 'unreadable' },
        says: `The token returns no balance of ${broken!.address}.`,
      },
    ]);
    expect((await runs.planRun.execute('sandbox', '0x5e')).due).toEqual([]);
    await runs.passes(60);
    runs.balances.hold(broken!.address, 100n * DOLLARS);
    runs.sender.mine(run.sent!.batch.id);
    runs.sender.becomes(run.sent!.batch.id, { state: 'foreign' });
    await runs.advanceAll();
    expect(await runs.chosen()).toContain(broken!.address);
  });

  it('sends the very same after a crash between storing and sending, once', async () => {
    await runs.wait(2, 100n * DOLLARS);
    runs.sender.isKilled = true;
    await expect(runs.run.execute('sandbox')).rejects.toThrow('killed');
    const [stored] = await runs.batches.open('sandbox');
    runs.sender.isKilled = false;
    await runs.wait(1, 100n * DOLLARS);

    expect((await runs.run.execute('sandbox')).sent).toBeNull();
    await runs.advanceAll();
    await runs.advanceAll();

    expect([...runs.sender.orders.values()]).toMatchObject([
      { id: stored!.id, call: { data: stored!.call.data } },
    ]);
  });

  it('has one batch in flight, and the next one of other addresses once that is in a block', async () => {
    const first = await runs.wait(2, 100n * DOLLARS);
    const { sent } = await runs.run.execute('sandbox');
    const later = await runs.wait(2, 100n * DOLLARS);
    expect(await runs.chosen()).toBeNull();

    runs.sender.mine(sent!.batch.id);
    await runs.advanceAll();

    expect((await runs.chosen())!.sort()).toEqual(later.map(({ address }) => address).sort());
    expect(await runs.sums()).toEqual({ in_flight: first.length + later.length });
  });

  it('pays out many in batches of bounded size, those that wait longest first', async () => {
    const old = await runs.wait(250, 100n * DOLLARS);
    await runs.passes(1);
    await runs.wait(400, 100n * DOLLARS);
    const sizes: number[] = [];
    runs.planning.mostOfBatch = 200;

    for (let left = 650; left > 0;) {
      const { sent, plan } = await runs.run.execute('sandbox');
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

  it('chooses and stores by as many statements for many addresses as for few', async () => {
    const statements = async (count: number) => {
      await runs.wait(count, 100n * DOLLARS);
      const before = runs.counted.statements;
      const { sent } = await runs.run.execute('sandbox');
      const taken = runs.counted.statements - before;
      runs.sender.mine(sent!.batch.id);
      await runs.advanceAll();
      return taken;
    };

    const few = await statements(1);

    expect([few, await statements(150)]).toEqual([6, 6]);
  });
});
