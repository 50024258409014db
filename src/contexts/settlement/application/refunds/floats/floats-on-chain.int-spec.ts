import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { FloatMasterSecret } from '#contexts/networks/infrastructure/networks-settings.js';
import { sendingProcess } from '#contexts/networks/testing/outbound-process.js';
import { NATIVE_HOLDING_KEY } from '#contexts/settlement/domain/refunds/refund-float.js';
import {
  NETWORK,
  PAYER,
  RefundsWorld,
  SETTLED_TO,
} from '#contexts/settlement/testing/refunds/refunds-world.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { type TestChain, startTestChain } from '#test/support/chain.js';
import { floatKeyName } from '#contexts/networks/contract/outbound-transaction-sender.js';
import { GWEI, RICH_BALANCE_WEI } from '#contexts/networks/testing/outbound-world.js';
import { transferPlanning } from '#contexts/networks/testing/outbound-parts.js';
import type { FloatPayout } from '#contexts/settlement/domain/refunds/float-payouts.js';
import { PostgresTransferOrders } from '#contexts/settlement/infrastructure/refunds/persistence/postgres-transfer-orders.js';

const WEI_PER_REFUND = 5_000_000_000_000_000n;
/** Contract code that loops until it has used 26 million gas. */
const GAS_BURNING_CODE = '0x5a5b5a3b50805a900363018cba801160015700';

/** Refunds whose payouts are planned, signed and mined on a local chain. */
class RefundsOnChain {
  private constructor(
    readonly world: RefundsWorld,
    readonly chain: TestChain,
    readonly sending: ReturnType<typeof sendingProcess>,
    readonly float: string,
  ) {}

  static async open(): Promise<RefundsOnChain> {
    const [world, chain] = await Promise.all([RefundsWorld.open(), startTestChain()]);
    const changes = { assets: [sampleAsset(), nativeAsset()] };
    const sending = sendingProcess(
      world.platform,
      `0x${randomBytes(32).toString('hex')}`,
      ...([[chain.url], changes, undefined, new PostgresTransferOrders(world.platform.database)] as const),
    );
    Object.assign(world.chain, {
      planning: transferPlanning(settingsFor(chain.url, changes)),
      sender: sending.sender,
    });
    const float = await world.fund(0n, 100n * 10n ** 18n);
    await chain.rpc('anvil_setBalance', [float, RICH_BALANCE_WEI]);
    return new RefundsOnChain(world, chain, sending, float);
  }

  async close(brokenOnPurpose: readonly string[] = []): Promise<void> {
    await this.chain.stop();
    await this.world.close(brokenOnPurpose);
  }

  async refund(refundToAddress: string): Promise<string> {
    const of = this.world.request({}, { asset: this.world.coin, asked: 0n, paid: WEI_PER_REFUND });
    return (await this.world.create({ of, refundToAddress })).refund.id;
  }

  async withdraw(): Promise<string> {
    const { organizationId, coin } = this.world;
    const order = {
      organizationId,
      network: NETWORK,
      amount: formatAmount(WEI_PER_REFUND, 18),
      actor: 'test',
    };
    return (await this.world.process().withdraw.withdraw({ ...order, uniqueAssetId: coin.uniqueAssetId })).id;
  }

  /** Reserves a nonce for the refund without signing a transaction. */
  async reserve(
    id: string,
    purpose: 'refund' | 'float_withdrawal',
    call: NonNullable<FloatPayout['call']>,
  ): Promise<void> {
    const key = floatKeyName(this.world.organizationId);
    const order = { id, network: NETWORK, sender: this.float, key, purpose, call, feeCeiling: 500n * GWEI };
    await this.sending.sendings.reserve(order, { latestCount: 0, mostCount: 0 }, async () => {
      await this.world.process().payouts.markSent(id, call);
    });
  }

  becomesHostile(address: string): Promise<unknown> {
    return this.chain.rpc('anvil_setCode', [address, GAS_BURNING_CODE]);
  }

  async turns(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      await this.world.turn();
      await this.sending.all.advance(NETWORK);
    }
  }

  async paid(): Promise<void> {
    await this.turns();
    await this.chain.mine(3);
    await this.turns();
  }
}

const DAY = 24 * 60 * 60;
const HOSTILE = `0x${'0e'.repeat(20)}`;
let refunds: RefundsOnChain;
let world: RefundsWorld;
beforeEach(async () => {
  refunds = await RefundsOnChain.open();
  ({ world } = refunds);
  await world.settleTo(SETTLED_TO);
});
// The settlement terms in this test have no history or audit entries.
afterEach(() => refunds.close(['settlement-terms-are-versioned', 'settlement-terms-are-as-audited']));

const reservedNonces = () =>
  world
    .rows<{ id: string }>('SELECT id FROM networks.sendings ORDER BY nonce')
    .then((rows) => rows.map(({ id }) => id));

describe('A receiver that burns 26 million gas', () => {
  it('gets no nonce if it becomes hostile after approval, and later refunds are paid', async () => {
    const hostile = await refunds.refund(HOSTILE);
    await refunds.becomesHostile(HOSTILE);
    const later = await refunds.refund(PAYER);

    await refunds.paid();

    expect(await reservedNonces()).toEqual([later]);
    expect([await world.status(hostile), await world.status(later)]).toEqual(['processing', 'completed']);
    await world.process().cancel.cancel(world.scope, hostile);
    expect(await world.holding(NATIVE_HOLDING_KEY)).toMatchObject({ reserved: 0n, refunded: WEI_PER_REFUND });
  });

  it('blocks a refund float only until an operator cancels its nonce', async () => {
    const hostile = await refunds.refund(HOSTILE);
    await refunds.reserve(hostile, 'refund', {
      to: HOSTILE,
      data: '0x',
      value: WEI_PER_REFUND,
      gasLimit: 32_500_000n,
    });
    await refunds.becomesHostile(HOSTILE);
    const later = await refunds.refund(PAYER);
    await refunds.paid();
    const jammed = [
      await refunds.sending.state(hostile),
      await refunds.sending.situation(hostile),
      await world.status(later),
    ];

    await refunds.sending.cancel(hostile);
    await refunds.paid();

    expect(jammed).toEqual(['signed', 'above_block', 'processing']);
    expect([await world.status(hostile), await world.status(later)]).toEqual(['failed', 'completed']);
    const [{ failure, gas }] = (await world.rows<{ failure: string; gas: string }>(
      'SELECT failure, gas FROM settlement.refund_float_payouts WHERE id = $1',
      [hostile],
    )) as [{ failure: string; gas: string }];
    expect(failure).toBe('The operator cancelled its transaction before it was executed.');
    expect(BigInt(gas)).toBe((await refunds.sending.sender.status(hostile))!.gasCost);
    expect(await world.holding(NATIVE_HOLDING_KEY)).toMatchObject({ reserved: 0n, refunded: WEI_PER_REFUND });
  });
});

/** Replaces the secret from which the keys of the floats are derived. */
function replaceFloatKey(): void {
  const random = () => randomBytes(32).toString('hex');
  const floats = { kind: 'master_secret', secret: new FloatMasterSecret(random()) } as const;
  const assets = { assets: [sampleAsset(), nativeAsset()] };
  const { sender } = sendingProcess(world.platform, `0x${random()}`, [refunds.chain.url], assets, floats);
  Object.assign(world.chain, { sender });
}
const restoreFloatKey = () => Object.assign(world.chain, { sender: refunds.sending.sender });

const reserved = async (count: number) => {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await refunds.refund(PAYER));
  await world.turn();
  return ids;
};
const statuses = (ids: readonly string[]) => Promise.all(ids.map((id) => world.status(id)));
const sendings = () => world.rows('SELECT nonce, state FROM networks.sendings ORDER BY created_at, nonce');

describe('A refund with a nonce and no signature whose refund float has lost its key', () => {
  it('fails after seven days and frees its nonce, the last nonce first', async () => {
    const ids = await reserved(2);
    replaceFloatKey();
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
    restoreFloatKey();
    const next = await refunds.refund(PAYER);
    await refunds.paid();
    expect(await world.status(next)).toBe('completed');
    expect(await sendings()).toEqual([
      { nonce: 0, state: 'foreign' },
      { nonce: 1, state: 'foreign' },
      { nonce: 0, state: 'final' },
    ]);
    expect(await world.holding(NATIVE_HOLDING_KEY)).toMatchObject({ reserved: 0n, refunded: WEI_PER_REFUND });
  });

  it('waits for another seven days if the key was back once, and is paid when it is back again', async () => {
    const ids = await reserved(1);
    replaceFloatKey();
    await world.turn();
    await world.platform.advance(6 * DAY);
    restoreFloatKey();
    await world.turn();
    replaceFloatKey();
    for (const days of [2, 4]) {
      await world.turn();
      await world.platform.advance(days * DAY);
    }
    await world.turn();
    const before = await statuses(ids);
    restoreFloatKey();
    await refunds.paid();

    expect([before, await statuses(ids)]).toEqual([['processing'], ['completed']]);
  });
});

describe('A signed refund whose refund float has lost its key', () => {
  it('waits for its transaction without a limit', async () => {
    const ids = await reserved(1);
    await refunds.chain.rpc('evm_setAutomine', [false]);
    await refunds.sending.all.advance(NETWORK);
    replaceFloatKey();
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

describe('A withdrawal whose settlement address changes', () => {
  it('fails without effect after a nonce is reserved, and later refunds are paid', async () => {
    const id = await refunds.withdraw();
    await refunds.reserve(id, 'float_withdrawal', {
      to: SETTLED_TO,
      data: '0x',
      value: WEI_PER_REFUND,
      gasLimit: 21_000n,
    });

    await world.settleTo(PAYER);
    const later = await refunds.refund(PAYER);
    await refunds.paid();

    expect(await world.status(later)).toBe('completed');
    expect(await ended(id)).toEqual({
      status: 'failed',
      failure: expect.stringContaining('settlement address was changed'),
    });
    expect(await world.holding(NATIVE_HOLDING_KEY)).toMatchObject({
      reserved: 0n,
      refunded: WEI_PER_REFUND,
      withdrawn: 0n,
    });
  });

  it('fails without a nonce before one is reserved', async () => {
    const id = await refunds.withdraw();

    await world.settleTo(PAYER);
    await refunds.paid();

    expect(await ended(id)).toEqual({
      status: 'failed',
      failure: expect.stringContaining('no longer the settlement address'),
    });
    expect(await refunds.sending.sender.status(id)).toBeNull();
    expect(await world.holding(NATIVE_HOLDING_KEY)).toMatchObject({ reserved: 0n, withdrawn: 0n });
  });
});

const ended = async (id: string) =>
  (await world.rows('SELECT status, failure FROM settlement.refund_float_payouts WHERE id = $1', [id]))[0];
