import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  NETWORK,
  PAYER,
  RefundsWorld,
  SETTLED_TO,
} from '#contexts/settlement/testing/refunds/refunds-world.js';
import { PostgresOrderedTransfers } from './postgres-ordered-transfers.js';

const THIEF = `0x${'0d'.repeat(20)}`;

let world: RefundsWorld;
let float: string;
beforeEach(async () => {
  world = await RefundsWorld.open();
  float = await world.fund();
  await world.settleTo(SETTLED_TO);
});
afterEach(() => world.platform.close('any'));

const find = (id: string) => new PostgresOrderedTransfers(world.platform.database).find(id);
const refunded = async () => (await world.create({ of: world.request() })).refund.id;

const withdrawn = async () =>
  (
    await world.process().withdraw.execute({
      ...{ organizationId: world.organizationId, network: NETWORK, amount: '5', actor: 'test' },
      uniqueAssetId: world.token.uniqueAssetId,
    })
  ).id;

/** Writes as the owner of the tables, past their triggers. */
const past = (sql: string) =>
  world.platform.database.run(async () => {
    await world.platform.database.write('SET LOCAL session_replication_role = replica');
    for (const statement of sql.split(';')) await world.platform.database.write(statement);
  });

describe('A transfer that was ordered', () => {
  it('is what an approved refund and its event say', async () => {
    expect(await find(await refunded())).toEqual({
      ...{ purpose: 'refund', network: NETWORK, organizationId: world.organizationId, from: float },
      ...{ to: PAYER, uniqueAssetId: world.token.uniqueAssetId, amount: 10_000_000n, isRevoked: false },
    });
  });

  it('is a withdrawal to the settlement address, and revoked once another one is in force', async () => {
    const id = await withdrawn();
    const withdrawal = { purpose: 'float_withdrawal', to: SETTLED_TO, amount: 5_000_000n };
    expect(await find(id)).toMatchObject({ ...withdrawal, isRevoked: false });

    await world.settleTo(PAYER);

    expect(await find(id)).toMatchObject({ ...withdrawal, isRevoked: true });
  });

  it('is no withdrawal to an address that no terms have named, whatever its event says', async () => {
    const id = await withdrawn();

    await past(
      `UPDATE settlement.refund_float_payouts SET to_address = '${THIEF}';
       UPDATE platform.events SET data = data || '{"to": "${THIEF}"}' WHERE type = 'refund_float.withdrawal_status_changed'`,
    );

    expect(await find(id)).toBeNull();
  });

  it('is none once it has ended', async () => {
    const id = await refunded();
    await world.turn();
    world.chain.mine(id, 'final');
    await world.turn();

    expect([await world.status(id), await find(id)]).toEqual(['completed', null]);
  });

  it.each([
    ['the payout’s address', `UPDATE settlement.refund_float_payouts SET to_address = '${THIEF}'`],
    ['the payout’s amount', 'UPDATE settlement.refund_float_payouts SET amount = 11000000'],
    ['the refund’s address', `UPDATE settlement.refunds SET to_address = '${THIEF}'`],
    [
      'address of payout and refund',
      `UPDATE settlement.refund_float_payouts SET to_address = '${THIEF}'; UPDATE settlement.refunds SET to_address = '${THIEF}'`,
    ],
    [
      'amount of payout and refund',
      'UPDATE settlement.refund_float_payouts SET amount = 11000000; UPDATE settlement.refunds SET amount = 11000000',
    ],
    ['the float', `UPDATE settlement.refund_floats SET address = '${THIEF}'`],
    [
      'the float, of the refund too',
      `UPDATE settlement.refund_floats SET address = '${THIEF}'; UPDATE settlement.refunds SET float_address = '${THIEF}'`,
    ],
    ['the payout’s kind', `UPDATE settlement.refund_float_payouts SET kind = 'withdrawal'`],
    ['the refund’s status', `UPDATE settlement.refunds SET status = 'failed'`],
    [
      'address of payout and refund, with an event that says so',
      `UPDATE settlement.refund_float_payouts SET to_address = '${THIEF}'; UPDATE settlement.refunds SET to_address = '${THIEF}';
       INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
       SELECT gen_random_uuid(), type, aggregate_id, organization_id, account_id, occurred_at,
         data || '{"to": "${THIEF}"}' FROM platform.events
       WHERE type = 'refund.status_changed' AND data ->> 'status' = 'processing'`,
    ],
    [
      'its end, by an event alone',
      `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
       SELECT gen_random_uuid(), type, aggregate_id, organization_id, account_id, occurred_at,
         data || '{"status": "failed"}' FROM platform.events WHERE type = 'refund.status_changed'`,
    ],
  ])('is none where somebody has changed %s', async (_, sql) => {
    const id = await refunded();

    await past(sql);

    expect(await find(id)).toBeNull();
  });
});
