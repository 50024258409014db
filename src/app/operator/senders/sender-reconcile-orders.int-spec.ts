import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MADE_UP_TERMS } from '#test/support/partial-worlds.js';
import { SETTLED_TO } from '#contexts/settlement/testing/refunds/refunds-world.js';
import { newId } from '#shared/kernel/ids.js';
import { RestoredFloat } from '../testing/restored-float.js';

const ACCOUNTS_OWN = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65';

let restored: RestoredFloat;
let world: RestoredFloat['world'];
beforeEach(async () => {
  restored = await RestoredFloat.open();
  ({ world } = restored);
});
afterEach(() => restored.close());

describe('A refund that was paid after the moment a database is restored to', () => {
  it('is approved by what was paid where it was not approved at that moment', async () => {
    const { id } = await restored.claimed();
    const restore = await restored.moment();
    await world.process().approve.execute({ scope: world.scope, id, by: 'somebody' });
    await restored.paid();

    await restore();
    expect(await restored.statuses()).toEqual(['pending']);
    const { nonces } = await restored.reconcile();
    await restored.paid();

    expect(nonces).toMatchObject([{ outcome: 'adopted', sending_id: id }]);
    expect([await restored.statuses(), await restored.received(), await restored.sent()]).toEqual([
      ['completed'],
      10_000_000n,
      1,
    ]);
  });

  it('comes out of the account’s allotment as far as that reaches, where it was not approved at that moment', async () => {
    world.platform.makesUp([
      ...MADE_UP_TERMS,
      ...['settlement-terms-are-versioned', 'settlement-terms-are-as-audited'],
    ]);
    const { organizationId, accountId, token } = world;
    const { allot, setBasis, approve } = world.process();
    const { uniqueAssetId } = token;
    await allot.execute({ organizationId, accountId, uniqueAssetId, amount: '10', actor: 'operator' });
    const ids = [
      (await restored.claimed(SETTLED_TO)).id,
      (await restored.claimed(ACCOUNTS_OWN)).id,
      (await restored.claimed(ACCOUNTS_OWN)).id,
    ];
    const restore = await restored.moment();
    await setBasis.execute({ organizationId, basis: 'received', actor: 'operator' });
    for (const id of ids) await approve.execute({ scope: world.scope, id, by: 'somebody' });
    await restored.paid(4);
    await restore();
    await setBasis.execute({ organizationId, basis: 'topped_up', actor: 'operator' });
    await world.platform.advance(120);

    await restored.reconcile();
    await restored.paid();

    expect(
      await world.rows('SELECT id, from_allotment, status FROM settlement.refund_float_payouts ORDER BY id'),
    ).toEqual([
      { id: ids[0], fromAllotment: false, status: 'completed' },
      { id: ids[1], fromAllotment: true, status: 'completed' },
      { id: ids[2], fromAllotment: false, status: 'completed' },
    ]);
  });
});

describe('What pays a payout of a float', () => {
  it('never becomes one that was taken up from the chain, which less is asked of', async () => {
    await restored.refund();
    await world.turn();

    await expect(world.rows('UPDATE networks.sendings SET adopted = true')).rejects.toThrow(
      'keeps whether it was taken up',
    );
  });

  it('is one sending, which pays no other, and never becomes another one', async () => {
    const [one, other] = [await restored.refund(), await restored.refund()];
    const paidBy = (id: string, sending: string | null) =>
      world.rows('UPDATE settlement.refund_float_payouts SET sending_id = $2 WHERE id = $1', [id, sending]);
    const found = newId<string>();

    await expect(paidBy(one, other)).rejects.toThrow('refund_float_payouts_sending');
    const changed = world.platform.database.run(async () => {
      await paidBy(one, found);
      await paidBy(one, null);
    });
    await expect(changed).rejects.toThrow('keeps the sending that pays it');
  });
});
