import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  NETWORK,
  PAYER,
  RefundsWorld,
  SETTLED_TO,
} from '#contexts/settlement/testing/refunds/refunds-world.js';
import { PostgresTransferOrders } from './postgres-transfer-orders.js';

const THIEF = `0x${'0d'.repeat(20)}`;
let world: RefundsWorld;
let float: string;
beforeEach(async () => {
  world = await RefundsWorld.open();
  float = await world.fund();
  await world.settleTo(SETTLED_TO);
});
afterEach(() => world.platform.close('any'));

const find = (id: string) => new PostgresTransferOrders(world.platform.database).find(id);
const refunded = async () => (await world.create({ of: world.request() })).refund.id;

const withdrawn = async () =>
  (
    await world.process().withdraw.withdraw({
      ...{ organizationId: world.organizationId, network: NETWORK, amount: '5', actor: 'test' },
      uniqueAssetId: world.token.uniqueAssetId,
    })
  ).id;

/** Changes rows as the owner of the tables, with triggers disabled. */
const runAsTableOwner = (sql: string) =>
  world.platform.database.run(async () => {
    await world.platform.database.queryInTransaction('SET LOCAL session_replication_role = replica');
    for (const statement of sql.split(';')) await world.platform.database.queryInTransaction(statement);
  });

describe('A transfer that was ordered', () => {
  it('equals the approved refund and its event', async () => {
    expect(await find(await refunded())).toEqual({
      ...{ purpose: 'refund', network: NETWORK, organizationId: world.organizationId, from: float },
      ...{ to: PAYER, uniqueAssetId: world.token.uniqueAssetId, amount: 10_000_000n, isRevoked: false },
    });
  });

  it('is revoked after the settlement address changes', async () => {
    const id = await withdrawn();
    const withdrawal = { purpose: 'float_withdrawal', to: SETTLED_TO, amount: 5_000_000n };
    expect(await find(id)).toMatchObject({ ...withdrawal, isRevoked: false });

    await world.settleTo(PAYER);

    expect(await find(id)).toMatchObject({ ...withdrawal, isRevoked: true });
  });

  it('is rejected if no terms ever named its address', async () => {
    const id = await withdrawn();

    await runAsTableOwner(
      `UPDATE settlement.refund_float_payouts SET to_address = '${THIEF}';
       UPDATE platform.events SET data = data || '{"to": "${THIEF}"}' WHERE type = 'refund_float.withdrawal_status_changed'`,
    );

    expect(await find(id)).toBeNull();
  });

  it('is absent after its end', async () => {
    const id = await refunded();
    await world.turn();
    world.chain.mine(id, 'final');
    await world.turn();

    expect([await world.status(id), await find(id)]).toEqual(['completed', null]);
  });

  const PAYOUT = `UPDATE settlement.refund_float_payouts SET`;
  const REFUND = `UPDATE settlement.refunds SET`;
  const EVENT = (
    change: string,
  ) => `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
    SELECT gen_random_uuid(), type, aggregate_id, organization_id, account_id, occurred_at, data || '${change}' FROM platform.events
    WHERE type = 'refund.status_changed' AND data ->> 'status' = 'processing'`;

  it.each([
    ['the payout’s address', `${PAYOUT} to_address = '${THIEF}'`],
    ['the payout’s amount', `${PAYOUT} amount = 11000000`],
    ['the refund’s address', `${REFUND} to_address = '${THIEF}'`],
    ['both addresses', `${PAYOUT} to_address = '${THIEF}'; ${REFUND} to_address = '${THIEF}'`],
    ['both amounts', `${PAYOUT} amount = 11000000; ${REFUND} amount = 11000000`],
    [
      'the float',
      `UPDATE settlement.refund_floats SET address = '${THIEF}'; ${REFUND} float_address = '${THIEF}'`,
    ],
    ['the payout’s kind', `${PAYOUT} kind = 'withdrawal'`],
    ['the refund’s status', `${REFUND} status = 'failed'`],
    [
      'both addresses, with an event',
      `${PAYOUT} to_address = '${THIEF}'; ${REFUND} to_address = '${THIEF}'; ${EVENT(`{"to": "${THIEF}"}`)}`,
    ],
    ['only its end, by an event', EVENT('{"status": "failed"}')],
  ])('is absent if someone has changed %s', async (_, sql) => {
    const id = await refunded();

    await runAsTableOwner(sql);

    expect(await find(id)).toBeNull();
  });
});
