import { PostgresOrderedTransfers } from '../../infrastructure/refunds/persistence/postgres-ordered-transfers.js';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestChain, startTestChain } from '../../../../../test/support/chain.js';
import { floatKeyOf } from '../../../networks/contract/sender.js';
import { nativeAsset, sampleAsset, settingsFor } from '../../../networks/testing/sample-configuration.js';
import { GWEI, RICH, sendingProcess } from '../../../networks/testing/sending-world.js';
import { transferPlanning } from '../../../networks/testing/transfer-planning.js';
import { NATIVE } from '../../domain/refunds/refund-float.js';
import { NETWORK, PAYER, RefundsWorld } from '../../testing/refunds/refunds-world.js';

const HOSTILE = `0x${'0e'.repeat(20)}`;
/** Goes on until it has used 26 million gas. */
const BURNS = '0x5a5b5a3b50805a900363018cba801160015700';
const SUM = 5_000_000_000_000_000n;

let world: RefundsWorld;
let chain: TestChain;
let sending: ReturnType<typeof sendingProcess>;
let float: string;

/** Refunds whose transfers are planned, signed and mined on a chain. */
beforeEach(async () => {
  [world, chain] = await Promise.all([RefundsWorld.open(), startTestChain()]);
  const changes = { assets: [sampleAsset(), nativeAsset()] };
  sending = sendingProcess(
    world.platform,
    `0x${randomBytes(32).toString('hex')}`,
    ...([[chain.url], changes, undefined, new PostgresOrderedTransfers(world.platform.database)] as const),
  );
  Object.assign(world.chain, {
    planning: transferPlanning(settingsFor(chain.url, changes)),
    sender: sending.sender,
  });
  float = await world.fund(0n, 100n * 10n ** 18n);
  await chain.rpc('anvil_setBalance', [float, RICH]);
});
afterEach(async () => {
  await chain.stop();
  await world.close();
});

const refund = async (refundToAddress: string) => {
  const of = world.request({}, { asset: world.coin, asked: 0n, paid: SUM });
  return (await world.create({ of, refundToAddress })).refund.id;
};
const becomesHostile = () => chain.rpc('anvil_setCode', [HOSTILE, BURNS]);
const turns = async () => {
  for (let turn = 0; turn < 3; turn += 1) {
    await world.turn();
    await sending.all.execute(NETWORK);
  }
};
const paid = async () => {
  await turns();
  await chain.mine(3);
  await turns();
};
const reservedNonces = () =>
  world
    .rows<{ id: string }>('SELECT id FROM networks.sendings ORDER BY nonce')
    .then((rows) => rows.map(({ id }) => id));

describe('A receiver that burns 26 million gas', () => {
  it('is refused before approval', async () => {
    await becomesHostile();

    await expect(refund(HOSTILE)).rejects.toMatchObject({
      code: 'state_conflict',
      message: expect.stringMatching(/a transfer may take 200000 .* Name another address/),
    });
  });

  it('that becomes one after approval keeps no nonce, and later refunds are paid', async () => {
    const hostile = await refund(HOSTILE);
    await becomesHostile();
    const later = await refund(PAYER);

    await paid();

    expect(await reservedNonces()).toEqual([later]);
    expect([await world.status(hostile), await world.status(later)]).toEqual(['processing', 'completed']);
    await world.process().cancel.execute(world.scope, hostile);
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 0n, refunded: SUM });
  });

  it('that has jammed a float already is passed by once the operator cancels its nonce', async () => {
    const hostile = await refund(HOSTILE);
    const call = { to: HOSTILE, data: '0x', value: SUM, gasLimit: 32_500_000n };
    const key = floatKeyOf(world.organizationId);
    const order = { id: hostile, network: NETWORK, sender: float, key, purpose: 'refund', call } as const;
    await sending.sendings.reserve(
      { ...order, feeCeiling: 500n * GWEI },
      { latestCount: 0, mostCount: 0 },
      async () => {
        await world.process().payouts.send(hostile, call);
      },
    );
    await becomesHostile();
    const later = await refund(PAYER);
    await paid();
    const jammed = [
      await sending.state(hostile),
      await sending.situation(hostile),
      await world.status(later),
    ];

    await sending.cancel(hostile);
    await paid();

    expect(jammed).toEqual(['signed', 'above_block', 'processing']);
    expect([await world.status(hostile), await world.status(later)]).toEqual(['failed', 'completed']);
    const [{ failure, gas }] = (await world.rows<{ failure: string; gas: string }>(
      'SELECT failure, gas FROM settlement.refund_float_payouts WHERE id = $1',
      [hostile],
    )) as [{ failure: string; gas: string }];
    expect(failure).toBe('The operator cancelled its transaction before it was executed.');
    expect(BigInt(gas)).toBe((await sending.sender.fate(hostile))!.gasCost);
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 0n, refunded: SUM });
  });
});
