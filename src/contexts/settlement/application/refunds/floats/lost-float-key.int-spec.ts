import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { nativeAsset, sampleAsset } from '#contexts/networks/testing/sample-configuration.js';
import { MasterSecret } from '#contexts/networks/infrastructure/networks-settings.js';
import { sendingProcess } from '#contexts/networks/testing/sending-process.js';
import { NATIVE } from '#contexts/settlement/domain/refunds/refund-float.js';
import { RefundsOnChain, SUM } from '#contexts/settlement/testing/refunds/refunds-on-chain.js';
import { NETWORK, PAYER, type RefundsWorld } from '#contexts/settlement/testing/refunds/refunds-world.js';

const DAY = 24 * 60 * 60;

let refunds: RefundsOnChain;
let world: RefundsWorld;
beforeEach(async () => {
  refunds = await RefundsOnChain.open();
  ({ world } = refunds);
});
afterEach(() => refunds.close());

/** Another secret takes the place of that of the floats. */
function losesTheKey(): void {
  const random = () => randomBytes(32).toString('hex');
  const floats = { kind: 'master_secret', secret: new MasterSecret(random()) } as const;
  const assets = { assets: [sampleAsset(), nativeAsset()] };
  const { sender } = sendingProcess(world.platform, `0x${random()}`, [refunds.chain.url], assets, floats);
  Object.assign(world.chain, { sender });
}
const hasTheKey = () => Object.assign(world.chain, { sender: refunds.sending.sender });

const reserved = async (count: number) => {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await refunds.refund(PAYER));
  await world.turn();
  return ids;
};
const statuses = (ids: readonly string[]) => Promise.all(ids.map((id) => world.status(id)));
const sendings = () => world.rows('SELECT nonce, state FROM networks.sendings ORDER BY created_at, nonce');

describe('Refunds that have a nonce and no signature while their float’s key is lost', () => {
  it('fail after seven days, the last nonce first, and the key pays the next one under the first of them', async () => {
    const ids = await reserved(2);
    losesTheKey();
    await world.turn();
    await world.platform.advance(7 * DAY - 60);
    await world.turn();
    const before = await statuses(ids);
    await world.platform.advance(60);
    for (const _ of ids) await world.turn();

    expect([before, await statuses(ids)]).toEqual([
      ['processing', 'processing'],
      ['failed', 'failed'],
    ]);
    const failure = expect.stringMatching(/^No process had the key of the refund float 0x\w+ for 7 days\./);
    expect(await world.rows('SELECT failure FROM settlement.refund_float_payouts')).toEqual([
      { failure },
      { failure },
    ]);
    hasTheKey();
    const next = await refunds.refund(PAYER);
    await refunds.paid();
    expect(await world.status(next)).toBe('completed');
    expect(await sendings()).toEqual([
      { nonce: 0, state: 'foreign' },
      { nonce: 1, state: 'foreign' },
      { nonce: 0, state: 'final' },
    ]);
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 0n, refunded: SUM });
  });

  it('are paid where the key is back, and the days begin anew', async () => {
    const ids = await reserved(1);
    losesTheKey();
    await world.turn();
    await world.platform.advance(6 * DAY);
    hasTheKey();
    await world.turn();
    losesTheKey();
    for (const days of [2, 4]) {
      await world.turn();
      await world.platform.advance(days * DAY);
    }
    await world.turn();
    const before = await statuses(ids);
    hasTheKey();
    await refunds.paid();

    expect([before, await statuses(ids)]).toEqual([['processing'], ['completed']]);
  });
});

describe('A refund that was signed before its float’s key was lost', () => {
  it('waits for its transaction, however long', async () => {
    const ids = await reserved(1);
    await refunds.chain.rpc('evm_setAutomine', [false]);
    await refunds.sending.all.execute(NETWORK);
    losesTheKey();
    for (const _ of [1, 2]) {
      await world.turn();
      await world.platform.advance(8 * DAY);
    }
    await world.turn();
    const before = await statuses(ids);
    await refunds.paid();

    expect([before, await statuses(ids)]).toEqual([['processing'], ['completed']]);
  });
});
