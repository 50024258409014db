import { describe, expect, it } from '@jest/globals';
import { DOLLARS } from '../../testing/settling/payout-events.js';
import { type Runs, withRuns } from '../../testing/settling/with-runs.js';

let runs: Runs;
withRuns((opened) => {
  runs = opened;
});

describe('A batch', () => {
  it('waits while the key holds too little gas and is planned again after ten minutes', async () => {
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

    expect(await runs.chosen()).toEqual([one!.address]);
  });

  it('keeps its hash and the order of its times if its block is removed and the clock steps back', async () => {
    await runs.wait(1, 100n * DOLLARS);
    const { sent } = await runs.run.execute('sandbox');
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
    const { sent } = await runs.run.execute('sandbox');
    runs.sender.mine(sent!.batch.id);
    runs.sender.becomes(sent!.batch.id, { state: 'final' });
    expect(await runs.advanceAll()).toMatchObject([{ state: 'delivered' }]);
    runs.reading.finalNumber = 6;
    expect(await runs.advanceAll()).toMatchObject([{ state: 'delivered' }]);

    runs.reading.finalNumber = 7;

    expect(await runs.advanceAll()).toMatchObject([{ state: 'final' }]);
  });

  it('keeps its call and its end: the database rejects changes', async () => {
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
