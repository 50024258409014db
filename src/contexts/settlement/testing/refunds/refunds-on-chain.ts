import { randomBytes } from 'node:crypto';
import { formatAmount } from '#shared/kernel/amount.js';
import { type TestChain, startTestChain } from '#test/support/chain.js';
import { floatKeyOf } from '#contexts/networks/contract/sender.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { sendingProcess } from '#contexts/networks/testing/sending-process.js';
import { GWEI, RICH } from '#contexts/networks/testing/sending-world.js';
import { transferPlanning } from '#contexts/networks/testing/sending-parts.js';
import type { FloatPayout } from '../../domain/refunds/float-payouts.js';
import { PostgresOrderedTransfers } from '../../infrastructure/refunds/persistence/postgres-ordered-transfers.js';
import { NETWORK, RefundsWorld } from './refunds-world.js';

/** Native coin for each refund. */
export const SUM = 5_000_000_000_000_000n;
/** Code that goes on until it has used 26 million gas. */
const BURNS = '0x5a5b5a3b50805a900363018cba801160015700';

/** Refunds whose transfers are planned, signed and mined on a chain. */
export class RefundsOnChain {
  private constructor(
    readonly world: RefundsWorld,
    readonly chain: TestChain,
    readonly sending: ReturnType<typeof sendingProcess>,
    /** The address of a float that holds 100 coins. */
    readonly float: string,
  ) {}

  static async open(): Promise<RefundsOnChain> {
    const [world, chain] = await Promise.all([RefundsWorld.open(), startTestChain()]);
    const changes = { assets: [sampleAsset(), nativeAsset()] };
    const sending = sendingProcess(
      world.platform,
      `0x${randomBytes(32).toString('hex')}`,
      ...([[chain.url], changes, undefined, new PostgresOrderedTransfers(world.platform.database)] as const),
    );
    Object.assign(world.chain, {
      planning: transferPlanning(settingsFor(chain.url, changes)),
      sender: sending.sender,
    });
    const float = await world.fund(0n, 100n * 10n ** 18n);
    await chain.rpc('anvil_setBalance', [float, RICH]);
    return new RefundsOnChain(world, chain, sending, float);
  }

  async close(brokenOnPurpose: readonly string[] = []): Promise<void> {
    await this.chain.stop();
    await this.world.close(brokenOnPurpose);
  }

  /** @returns the id of an approved refund */
  async refund(refundToAddress: string): Promise<string> {
    const of = this.world.request({}, { asset: this.world.coin, asked: 0n, paid: SUM });
    return (await this.world.create({ of, refundToAddress })).refund.id;
  }

  /** @returns the id of a withdrawal of `SUM` to the settlement address */
  async withdraw(): Promise<string> {
    const { organizationId, coin } = this.world;
    const order = { organizationId, network: NETWORK, amount: formatAmount(SUM, 18), actor: 'test' };
    return (await this.world.process().withdraw.execute({ ...order, uniqueAssetId: coin.uniqueAssetId })).id;
  }

  /** A nonce is reserved for it, and nothing is signed. */
  async reserve(
    id: string,
    purpose: 'refund' | 'float_withdrawal',
    call: NonNullable<FloatPayout['call']>,
  ): Promise<void> {
    const key = floatKeyOf(this.world.organizationId);
    const order = { id, network: NETWORK, sender: this.float, key, purpose, call, feeCeiling: 500n * GWEI };
    await this.sending.sendings.reserve(order, { latestCount: 0, mostCount: 0 }, async () => {
      await this.world.process().payouts.send(id, call);
    });
  }

  becomesHostile(address: string): Promise<unknown> {
    return this.chain.rpc('anvil_setCode', [address, BURNS]);
  }

  async turns(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      await this.world.turn();
      await this.sending.all.execute(NETWORK);
    }
  }

  async paid(): Promise<void> {
    await this.turns();
    await this.chain.mine(3);
    await this.turns();
  }
}
