import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DerivedFloatKeys } from '#contexts/networks/infrastructure/evm/sending/float-keys.js';
import { GWEI } from '#contexts/networks/testing/sending-world.js';
import { NETWORK, PAYER } from '#contexts/settlement/testing/refunds/refunds-world.js';
import { FLOAT_SECRET, RestoredFloat } from '../testing/restored-float.js';

let restored: RestoredFloat;
let chain: RestoredFloat['chain'];
let world: RestoredFloat['world'];
let sending: RestoredFloat['sending'];
beforeEach(async () => {
  restored = await RestoredFloat.open();
  ({ chain, world, sending } = restored);
});
afterEach(() => restored.close());

describe('A refund that was paid after the moment a database is restored to', () => {
  it('is completed where its payment used the nonce that another was given meanwhile', async () => {
    const first = await restored.refund();
    const coin = world.request({}, { asset: world.coin, asked: 0n, paid: 5_000_000_000_000_000n });
    world.chain.put(restored.float, 'native', 10n ** 18n);
    await world.process().look.execute(NETWORK);
    const second = (await world.create({ of: coin })).refund.id;
    const restore = await restored.moment();
    await chain.rpc('evm_setAutomine', [false]);
    await world.turn();
    await sending.all.execute(NETWORK);
    const raws = await world.rows<{ raw: string }>(
      `SELECT '0x' || encode(raw, 'hex') AS raw FROM networks.sending_attempts JOIN networks.sendings s ON s.id = sending_id
       ORDER BY s.nonce`,
    );

    // Both leave the pool, and are mined after all once their payments were given each other's nonce.
    await restore();
    await chain.rpc('anvil_dropAllTransactions');
    await world.rows(`UPDATE settlement.refund_float_payouts SET due_at = 'infinity' WHERE id = $1`, [first]);
    await world.process().advance.execute(NETWORK);
    await world.turn();
    for (const { raw } of raws) await chain.rpc('eth_sendRawTransaction', [raw]);
    await chain.mine(4);
    await restored.paid(1);
    const before = await restored.statuses();
    const { status, nonces } = await restored.reconcile();
    await chain.rpc('evm_setAutomine', [true]);
    await restored.paid();

    expect(before).toEqual(['processing', 'processing']);
    expect([status, nonces]).toMatchObject([0, [{ outcome: 'adopted' }, { outcome: 'adopted' }]]);
    expect(nonces.map(({ sending_id }) => sending_id)).not.toContain(first);
    expect(nonces.map(({ sending_id }) => sending_id)).not.toContain(second);
    expect([await restored.statuses(), await restored.received(), await restored.sent()]).toEqual([
      ['completed', 'completed'],
      10_000_000n,
      2,
    ]);
  });

  it('is not paid once more under the nonce it was given meanwhile', async () => {
    const paidOne = await restored.refund();
    const restore = await restored.moment();
    await chain.rpc('evm_setAutomine', [false]);
    await world.turn();
    await sending.all.execute(NETWORK);
    const [{ raw }] = (await world.rows<{ raw: string }>(
      `SELECT '0x' || encode(raw, 'hex') AS raw FROM networks.sending_attempts`,
    )) as [{ raw: string }];

    // It is in no pool while its payment and another one are given nonces, the other one first.
    await restore();
    await chain.rpc('anvil_dropAllTransactions');
    await world.rows(`UPDATE settlement.refund_float_payouts SET due_at = 'infinity'`);
    const coin = world.request({}, { asset: world.coin, asked: 0n, paid: 5_000_000_000_000_000n });
    world.chain.put(restored.float, 'native', 10n ** 18n);
    await world.process().look.execute(NETWORK);
    await world.create({ of: coin });
    await world.process().advance.execute(NETWORK);
    await world.rows(`UPDATE settlement.refund_float_payouts SET due_at = platform.now() WHERE id = $1`, [
      paidOne,
    ]);
    await world.process().advance.execute(NETWORK);
    await chain.rpc('eth_sendRawTransaction', [raw]);
    await chain.mine(4);
    await sending.all.execute(NETWORK);
    await chain.mine(4);
    const sendings = await world.rows('SELECT nonce, state FROM networks.sendings ORDER BY nonce');
    const first = await restored.reconcile();
    const hash = String(first.nonces[0]!.transaction_hash);
    const accepted = await restored.reconcile('--accept-unknown', hash, '--yes');
    await sending.cancelSending.execute({ network: NETWORK, sending: paidOne, feeCeiling: null });
    await sending.all.execute(NETWORK);
    await chain.mine(4);
    await sending.all.execute(NETWORK);
    const { nonces } = await restored.reconcile();

    expect(sendings).toEqual([
      { nonce: 0, state: 'foreign' },
      { nonce: 1, state: 'reserved' },
    ]);
    for (const { status, nonces: found } of [first, accepted])
      expect([status, found]).toMatchObject([
        1,
        [
          {
            nonce: 0,
            outcome: 'under_way',
            sending_id: paidOne,
            says: expect.stringContaining('sender cancel'),
          },
        ],
      ]);
    expect(nonces).not.toMatchObject([{ outcome: 'under_way' }]);
    expect([await restored.received(), await restored.sent()]).toEqual([10_000_000n, 2]);
  });

  it('is not freed where another transaction used its nonce, before that one is looked at', async () => {
    const id = await restored.refund();
    await chain.rpc('evm_setAutomine', [false]);
    await world.turn();
    const outside = await new DerivedFloatKeys(FLOAT_SECRET).floatKey(NETWORK, world.organizationId)!.sign({
      chainId: 31_337,
      nonce: 0,
      fees: { maxFee: 90n * GWEI, priorityFee: 80n * GWEI },
      call: { to: PAYER, data: '0x', value: 1n, gasLimit: 21_000n },
    });
    await chain.rpc('eth_sendRawTransaction', [outside.raw]);
    await chain.mine(4);
    await restored.paid();
    const before = await restored.statuses();
    await restored.reconcile('--accept-unknown', outside.hash, '--yes');
    await restored.paid();

    expect(before).toEqual(['processing']);
    expect([await world.status(id), await restored.received()]).toEqual(['failed', 0n]);
  });
});
