import { randomBytes } from 'node:crypto';
import { type Hex, encodeFunctionData, parseAbi } from 'viem';
import { startTestChain, type TestChain } from '#test/support/chain.js';
import { ReconcileSender } from '#contexts/networks/application/sending/reconcile-sender.js';
import { Sender } from '#contexts/networks/contract/sender.js';
import { TransferPlanning } from '#contexts/networks/contract/transfer-planning.js';
import { MasterSecret } from '#contexts/networks/infrastructure/networks-settings.js';
import { deployTestToken, sendToToken } from '#contexts/networks/testing/chain-contracts.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { sendingProcess } from '#contexts/networks/testing/sending-process.js';
import { RICH } from '#contexts/networks/testing/sending-world.js';
import { transferPlanning } from '#contexts/networks/testing/sending-parts.js';
import { FindPayoutOfCall } from '#contexts/settlement/application/refunds/floats/find-payout-of-call.js';
import { RefundFloats } from '#contexts/settlement/domain/refunds/refund-floats.js';
import { PostgresOrderedTransfers } from '#contexts/settlement/infrastructure/refunds/persistence/postgres-ordered-transfers.js';
import { NETWORK, PAYER, RefundsWorld } from '#contexts/settlement/testing/refunds/refunds-world.js';
import { Database } from '#shared/platform/database/database.js';
import { runCommand } from './run-command.js';

export const FLOAT_SECRET = new MasterSecret(randomBytes(32).toString('hex'));
const TOKENS = 100_000_000n;
/** A restore to an earlier moment takes these tables back. */
const RESTORED = [
  'networks.sendings',
  'networks.sending_attempts',
  'settlement.refund_float_payouts',
  'settlement.refund_float_holdings',
  'settlement.refunds',
  'settlement.refunded_sums',
  'platform.events',
  'settlement.refund_allotments',
];
const abi = parseAbi(['function balanceOf(address) view returns (uint256)']);

/** Refunds of a float on a chain, whose database can be taken back to an earlier moment, and the operator's commands for it. */
export class RestoredFloat {
  private constructor(
    readonly world: RefundsWorld,
    readonly chain: TestChain,
    readonly sending: ReturnType<typeof sendingProcess>,
    readonly float: Hex,
  ) {}

  static async open(): Promise<RestoredFloat> {
    const chain = await startTestChain();
    const token = await deployTestToken(chain.url, 6);
    const assets = { assets: [sampleAsset({ token }), nativeAsset()] };
    const settings = settingsFor(chain.url, assets);
    const world = await RefundsWorld.open(settings);
    const gasKey: Hex = `0x${randomBytes(32).toString('hex')}`;
    const floats = { kind: 'master_secret', secret: FLOAT_SECRET } as const;
    const sending = sendingProcess(
      ...([world.platform, gasKey, [chain.url], assets, floats] as const),
      new PostgresOrderedTransfers(world.platform.database),
    );
    world.sending = { sender: sending.sender, planning: transferPlanning(settings) };
    const float = (await world.fund(TOKENS, 10n ** 18n)) as Hex;
    await sendToToken(chain.url, token, 'mint', [float, TOKENS]);
    await chain.rpc('anvil_setBalance', [float, RICH]);
    return new RestoredFloat(world, chain, sending, float);
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.chain.stop();
  }

  /** @returns the id of an approved one */
  async refund(): Promise<string> {
    return (await this.world.create({ of: this.world.request() })).refund.id;
  }

  /** A refund whose payer has named an address, and that nobody has approved. */
  async claimed(paidTo?: string): Promise<{ id: string }> {
    const { world } = this;
    const of = paidTo === undefined ? world.request() : await world.requestPaidTo(paidTo);
    const { refund: made, claim } = await world.create({ of, claim: {} });
    await world.process().claim.execute({ claim: claim!, refundToAddress: PAYER, confirmed: true });
    return made;
  }

  /** Turns of the workers, with blocks between them. */
  async paid(turns = 3): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) {
      await this.world.turn();
      await this.sending.all.execute(NETWORK);
      await this.chain.mine(2);
    }
    await this.sending.all.execute(NETWORK);
    await this.world.turn();
  }

  /** `sender reconcile` of the float. @param words more of the command line */
  async reconcile(...words: string[]) {
    const { floats, findPayout } = this.world.process();
    const parts = new Map<unknown, object>([
      [Database, this.world.platform.database],
      [RefundFloats, floats],
      [FindPayoutOfCall, findPayout],
      [ReconcileSender, this.sending.reconcile],
      [Sender, this.sending.sender],
      [TransferPlanning, this.world.sending.planning],
    ]);
    const float = `float:${this.world.organizationId}`;
    const { status, out, err } = await runCommand(parts, [
      'sender',
      'reconcile',
      NETWORK,
      float,
      ...words,
      '--json',
    ]);
    return { status, nonces: (out === '' ? [] : JSON.parse(out)) as Record<string, unknown>[], err };
  }

  /** @returns what takes the database back to this moment */
  async moment(): Promise<() => Promise<void>> {
    const { world } = this;
    const schema = `moment_${randomBytes(4).toString('hex')}`;
    await world.rows(`CREATE SCHEMA ${schema}`);
    const copies = RESTORED.map((table) => [table, `${schema}.${table.replace('.', '_')}`] as const);
    for (const [table, copy] of copies) await world.rows(`CREATE TABLE ${copy} AS TABLE ${table}`);
    return () =>
      world.platform.database.run(async () => {
        await world.rows(`SET LOCAL session_replication_role = 'replica'`);
        for (const [table, copy] of copies) {
          await world.rows(`DELETE FROM ${table}`);
          await world.rows(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM ${copy}`);
        }
      });
  }

  /** The tokens that the payer has received. */
  async received(): Promise<bigint> {
    const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [PAYER as Hex] });
    return BigInt(await this.chain.rpc<Hex>('eth_call', [{ to: this.world.token.token, data }, 'latest']));
  }

  /** Transactions of the float in blocks. */
  async sent(): Promise<number> {
    return Number(await this.chain.rpc<Hex>('eth_getTransactionCount', [this.float, 'latest']));
  }

  /** The statuses of all refunds. */
  async statuses(): Promise<string[]> {
    const rows = await this.world.rows<{ status: string }>(
      'SELECT status FROM settlement.refunds ORDER BY id',
    );
    return rows.map(({ status }) => status);
  }

  /** The reasons for which payouts are held. */
  held(): Promise<{ held: string }[]> {
    return this.world.rows<{ held: string }>('SELECT held FROM settlement.refund_float_payouts');
  }
}
