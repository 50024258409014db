import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openRuns } from '../../testing/settling/open-runs.js';
import {
  paidOut,
  payoutsFinal,
  payoutsSeen,
  someAddress,
  type SomeAddress,
} from '../../testing/settling/payout-events.js';

type Runs = Awaited<ReturnType<typeof openRuns>>;

let runs: Runs;
beforeAll(async () => {
  runs = await openRuns();
});
afterEach(async () => {
  expect(await runs.breaches()).toEqual([]);
  await runs.clear();
});
afterAll(() => runs.close());

const DOLLARS = 1_000_000n;
const addressesOf = async (batch: string) =>
  (await runs.batches.payouts(batch)).map(({ address }) => address);
const chosen = async () => {
  const { sent } = await runs.run.execute('sandbox');
  return sent === null ? null : await addressesOf(sent.batch.id);
};
const sums = async () => {
  const [view] = await runs.show.execute();
  return Object.fromEntries(view!.waiting.map(({ standing, addresses }) => [standing, addresses]));
};
/** As payments tells of the batch's transaction. */
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
    expect((await addressesOf(id)).sort()).toEqual(addresses.map(({ address }) => address).sort());

    const hash = runs.sender.mine(id);
    expect(await runs.advanceAll()).toMatchObject([{ state: 'delivered' }]);
    const seen = await paidOutBy(hash, addresses, 100n * DOLLARS);
    await runs.happen(seen);
    runs.sender.becomes(id, { state: 'final' });
    expect(await runs.advanceAll()).toMatchObject([{ state: 'final' }]);
    await runs.happen(payoutsFinal(seen));
    expect(await runs.waiting()).toEqual({});
    expect(await chosen()).toBeNull();
  });

  it('settles the others where a token gives no balance, which is set aside until it does', async () => {
    const [broken, whole] = await runs.wait(2, 100n * DOLLARS);
    runs.balances.hold(broken!.address, null);

    const run = await runs.run.execute('sandbox');

    expect(await addressesOf(run.sent!.batch.id)).toEqual([whole!.address]);
    expect(run.setAside).toEqual([
      {
        ...{ address: broken!.address, uniqueAssetId: expect.any(String), reason: 'unreadable' },
        says: `The token gives no balance of ${broken!.address}.`,
      },
    ]);
    expect((await runs.planRun.execute('sandbox', '0x5e')).due).toEqual([]);
    await runs.passes(60);
    runs.balances.hold(broken!.address, 100n * DOLLARS);
    runs.sender.mine(run.sent!.batch.id);
    runs.sender.becomes(run.sent!.batch.id, { state: 'foreign' });
    await runs.advanceAll();
    expect(await chosen()).toContain(broken!.address);
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
    expect(await chosen()).toBeNull();

    runs.sender.mine(sent!.batch.id);
    await runs.advanceAll();

    expect((await chosen())!.sort()).toEqual(later.map(({ address }) => address).sort());
    expect(await sums()).toEqual({ in_flight: first.length + later.length });
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
      const taken = await addressesOf(sent!.batch.id);
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

describe('What is due', () => {
  it('is worth its gas, or has waited for long and is worth it at all', async () => {
    // 65,000 gas at 1 gwei are 0.065 dollars: 1% of 6.50.
    await runs.wait(1, 6n * DOLLARS);
    const [worthy] = await runs.wait(1, (65n * DOLLARS) / 10n);
    const [dust] = await runs.wait(1, DOLLARS / 100n);

    expect(await chosen()).toEqual([worthy!.address]);
    expect(await sums()).toEqual({ in_flight: 1, not_worth_its_gas: 2 });
    await runs.passes(25 * 3_600);

    expect(await sums()).toEqual({ in_flight: 1, due: 1, not_worth_its_gas: 1 });
    expect(dust).toBeDefined();
  });

  it('pays what a rollup charges for its data too', async () => {
    // A thousandth of the coin is a dollar: 1 cent of data, 7.5 cents in all.
    runs.planning.dataFeeOfPayout = 10n ** 13n;
    await runs.wait(1, 7n * DOLLARS);
    const [worthy] = await runs.wait(1, (75n * DOLLARS) / 10n);

    expect(await chosen()).toEqual([worthy!.address]);
  });

  it('is of every organization, however many addresses of another have waited for longer', async () => {
    await runs.wait(320, 100n * DOLLARS);
    await runs.passes(60);
    const [other] = await runs.wait(1, 100n * DOLLARS, { of: someAddress() });

    const { plan } = await runs.run.execute('sandbox');

    expect(plan.due).toHaveLength(300);
    expect(plan.due.slice(0, 2).map(({ address }) => address)).toContain(other!.address);
    expect(await addressesOf((await runs.batches.open('sandbox'))[0]!.id)).toContain(other!.address);
  });

  it('is decided by age alone without a price', async () => {
    runs.quotes.price = null;
    await runs.wait(1, 1_000n * DOLLARS);
    expect(await chosen()).toBeNull();

    await runs.passes(25 * 3_600);

    expect(await chosen()).toHaveLength(1);
  });

  it('costs less once the address was settled before', async () => {
    const [one] = await runs.wait(1, 100n * DOLLARS);
    await runs.happen(payoutsSeen(runs.owner, [paidOut(one!, 97n * DOLLARS)], await runs.clock.now()));
    await runs.wait(1, 3n * DOLLARS);
    runs.balances.hold(one!.address, 3n * DOLLARS);

    expect(await chosen()).toEqual([one!.address]);
  });

  it('leaves out held addresses', async () => {
    const [held, free] = await runs.wait(2, 100n * DOLLARS);
    await runs.database.run(async () => {
      await runs.database.write('SET LOCAL session_replication_role = replica');
      await runs.database.write(
        `INSERT INTO payments.settlement_holds (id, network, address, payment_request_id, organization_id, account_id,
           transfer_id, held_at) VALUES ($1, 'sandbox', $2, $1, $1, $1, $1, platform.now())`,
        [held!.paymentRequestId, held!.address],
      );
    });

    // Held for no transfer that there was.
    runs.makesUp(['reversed-money-is-held']);

    expect(await chosen()).toEqual([free!.address]);
    expect(await sums()).toEqual({ held: 1, in_flight: 1 });
  });

  it('was looked at for internal transfers before it is settled for the first time', async () => {
    const [looked, other] = await runs.wait(2, 100n * DOLLARS);
    runs.look.compared = new Set([looked!.address]);

    const { plan, sent } = await runs.run.execute('sandbox');

    expect(await addressesOf(sent!.batch.id)).toEqual([looked!.address]);
    expect(plan.awaitingLook.map(({ address }) => address)).toEqual([other!.address]);
    expect(runs.look.asked.sort()).toEqual([looked!.address, other!.address].sort());
  });
});

describe('What would not do what is planned', () => {
  it('is set aside with longer and longer pauses while the others go on', async () => {
    const [bad, good] = await runs.wait(2, 100n * DOLLARS);
    runs.planning.differing.set(bad!.address, 'failed');

    const first = await runs.run.execute('sandbox');
    expect(first.setAside).toMatchObject([
      { address: bad!.address, reason: 'failed', says: 'It is failed.' },
    ]);
    expect(await addressesOf(first.sent!.batch.id)).toEqual([good!.address]);
    expect(await sums()).toEqual({ in_flight: 1, set_aside: 1 });

    await runs.passes(61);
    const second = await runs.run.execute('sandbox');
    expect(second).toMatchObject({ setAside: [], sent: null });
    const [aside] = await runs.setAside.list('sandbox', 10);
    expect(aside!.times).toBe(2);
    expect(aside!.retryAt.getTime() - (await runs.clock.now()).getTime()).toBeGreaterThan(100_000);

    runs.planning.differing.clear();
    runs.sender.mine(first.sent!.batch.id);
    await runs.advanceAll();
    expect(await chosen()).toBeNull();
    expect(await runs.setAside.retryAll('sandbox')).toBe(1);
    expect(await chosen()).toEqual([bad!.address]);
    expect(await runs.setAside.list('sandbox', 10)).toEqual([]);
  });

  it('is paid out whole where more has come than is booked, and set aside where less is there', async () => {
    const [more, less] = await runs.wait(2, 100n * DOLLARS);
    runs.balances.hold(more!.address, 101n * DOLLARS);
    runs.balances.hold(less!.address, 99n * DOLLARS);

    const { sent, setAside } = await runs.run.execute('sandbox');

    expect(await runs.batches.payouts(sent!.batch.id)).toMatchObject([
      { address: more!.address, toSettlement: 99_990_000n, toFee: 1_010_000n },
    ]);
    expect(setAside).toMatchObject([{ address: less!.address, reason: 'holds_less' }]);
  });

  it('is forgotten once somebody else has settled it', async () => {
    const [bad] = await runs.wait(1, 100n * DOLLARS);
    runs.planning.differing.set(bad!.address, 'failed');
    await runs.run.execute('sandbox');
    await runs.happen(payoutsSeen(runs.owner, [paidOut(bad!, 100n * DOLLARS)], await runs.clock.now()));
    await runs.wait(1, 100n * DOLLARS);

    expect(await chosen()).toHaveLength(1);

    expect(await runs.setAside.list('sandbox', 10)).toEqual([]);
  });

  it('pays all to the settlement address, and says so, where the fee recipient does not take its share', async () => {
    const [feeless] = await runs.wait(1, 100n * DOLLARS);
    runs.planning.feeless.add(feeless!.address);

    const { sent, setAside, refusedFees } = await runs.run.execute('sandbox');

    expect(setAside).toEqual([]);
    expect(refusedFees).toMatchObject([{ depositAddress: feeless!.address }]);
    expect(await runs.batches.payouts(sent!.batch.id)).toMatchObject([
      { toSettlement: 100n * DOLLARS, toFee: 0n },
    ]);
  });
});

describe('A batch', () => {
  it('waits while the key holds too little gas, and is planned anew after ten minutes', async () => {
    await runs.wait(1, 100n * DOLLARS);
    runs.sender.refusal = '5 are missing.';
    expect((await runs.run.execute('sandbox')).sent).toMatchObject({
      state: 'chosen',
      refused: '5 are missing.',
    });
    expect(await runs.advanceAll()).toMatchObject([{ state: 'chosen', refused: '5 are missing.' }]);

    await runs.passes(601);
    expect(await runs.advanceAll()).toMatchObject([{ state: 'abandoned' }]);
    runs.sender.refusal = null;

    expect((await runs.run.execute('sandbox')).sent).toMatchObject({ state: 'sent' });
  });

  it.each([
    ['another transaction has used its nonce', 'foreign', {}],
    ['the operator had its nonce used up', 'cancelled', { transactionHash: '0x01', succeeded: false }],
  ] as const)('frees its addresses when %s', async (_, state, fate) => {
    const [one] = await runs.wait(1, 100n * DOLLARS);
    const { sent } = await runs.run.execute('sandbox');
    runs.sender.becomes(sent!.batch.id, { ...fate, state });

    expect(await runs.advanceAll()).toMatchObject([{ state }]);

    expect(await chosen()).toEqual([one!.address]);
  });

  it('stays open until its payouts are recorded, or its block was read as final', async () => {
    await runs.wait(1, 100n * DOLLARS);
    const { sent } = await runs.run.execute('sandbox');
    runs.sender.mine(sent!.batch.id);
    runs.sender.becomes(sent!.batch.id, { state: 'final' });
    expect(await runs.advanceAll()).toMatchObject([{ state: 'delivered' }]);
    runs.reading.finalNumber = 6;
    expect(await runs.advanceAll()).toMatchObject([{ state: 'delivered' }]);

    runs.reading.finalNumber = 7;

    expect(await runs.advanceAll()).toMatchObject([{ state: 'final' }]);
  });

  it('keeps its call and its end, in the database itself', async () => {
    await runs.wait(1, 100n * DOLLARS);
    await runs.run.execute('sandbox');
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
});
