import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NETWORK, PAYER } from '#contexts/settlement/testing/refunds/refunds-world.js';
import { RestoredFloat } from '../testing/restored-float.js';

let restored: RestoredFloat;
let world: RestoredFloat['world'];
beforeEach(async () => {
  restored = await RestoredFloat.open();
  ({ world } = restored);
});
afterEach(() => restored.close());

describe('A refund that was paid after the moment a database is restored to', () => {
  it('is held, nothing else is promised, and it is completed by the payment that was made', async () => {
    const id = await restored.refund();
    const restore = await restored.moment();
    await restored.paid();
    expect([await restored.statuses(), await restored.received()]).toEqual([['completed'], 10_000_000n]);

    await restore();
    await restored.paid();
    const whileHeld = [await restored.statuses(), await restored.received(), await restored.sent()];
    const [{ held: why }] = (await restored.held()) as [{ held: string }];
    await expect(restored.refund()).rejects.toMatchObject({ code: 'state_conflict', message: why });
    const { status, nonces } = await restored.reconcile();
    await restored.paid();

    expect(why).toMatch(new RegExp(`nonce 0\\..*sender reconcile ${NETWORK} ${restored.float}$`, 'i'));
    expect(whileHeld).toEqual([['processing'], 10_000_000n, 1]);
    expect([status, nonces]).toMatchObject([
      0,
      [{ nonce: 0, outcome: 'adopted', purpose: 'refund', sending_id: id, pays_units: '10000000' }],
    ]);
    expect([await restored.statuses(), await restored.received(), await restored.sent()]).toEqual([
      ['completed'],
      10_000_000n,
      1,
    ]);
    await restored.refund();
    await restored.paid();
    expect([await restored.received(), await restored.sent(), (await restored.reconcile()).nonces]).toEqual([
      20_000_000n,
      2,
      [],
    ]);
  });

  it('is one of two alike by one transaction each, the older one first', async () => {
    const ids = [await restored.refund(), await restored.refund()];
    const restore = await restored.moment();
    await restored.paid(4);

    await restore();
    const { nonces } = await restored.reconcile();
    await restored.paid();

    expect(nonces.map(({ sending_id }) => sending_id)).toEqual(ids);
    expect([await restored.statuses(), await restored.received(), await restored.sent()]).toEqual([
      ['completed', 'completed'],
      20_000_000n,
      2,
    ]);
  });

  it('is listed with its recipient where nothing is left of it, and stored where that is accepted', async () => {
    const restore = await restored.moment();
    await restored.refund();
    await restored.paid();

    await restore();
    const first = await restored.reconcile();
    const hash = String(first.nonces[0]!.transaction_hash);
    const second = await restored.reconcile('--accept-unknown', hash, '--yes');
    await restored.paid();

    expect([first.status, first.nonces]).toMatchObject([
      1,
      [
        {
          outcome: 'unknown',
          pays_to: expect.stringMatching(new RegExp(PAYER, 'i')),
          pays_units: '10000000',
        },
      ],
    ]);
    expect([second.status, second.nonces]).toMatchObject([0, [{ outcome: 'adopted', purpose: 'unknown' }]]);
    expect(await world.rows('SELECT state, purpose FROM networks.sendings')).toEqual([
      { state: 'final', purpose: 'unknown' },
    ]);
    await restored.refund();
    await restored.paid();
    expect([await restored.statuses(), await restored.sent()]).toEqual([['completed'], 2]);
  });
});
