import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MADE_UP_TERMS } from '#test/support/partial-worlds.js';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import { RICH_BALANCE_WEI } from '#contexts/networks/testing/outbound-world.js';
import {
  NETWORK,
  PAYER,
  SETTLED_TO,
  RefundsWorld,
} from '#contexts/settlement/testing/refunds/refunds-world.js';
import { newId } from '#shared/kernel/ids.js';
import { randomBytes } from 'node:crypto';
import { type Hex, encodeFunctionData, parseAbi } from 'viem';
import { startTestChain, type TestChain } from '#test/support/chain.js';
import { ReconcileSender } from '#contexts/networks/application/outbound/reconcile-sender.js';
import { OutboundTransactionSender } from '#contexts/networks/contract/outbound-transaction-sender.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { FloatMasterSecret } from '#contexts/networks/infrastructure/networks-settings.js';
import { deployTestToken, sendToToken } from '#chains/evm/testing/chain-contracts.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { sendingProcess } from '#contexts/networks/testing/outbound-process.js';
import { transferPlanning } from '#contexts/networks/testing/outbound-parts.js';
import { FindFloatPayoutOfCall } from '#contexts/settlement/application/refunds/floats/find-float-payout-of-call.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';
import { PostgresTransferOrders } from '#contexts/settlement/infrastructure/refunds/persistence/postgres-transfer-orders.js';
import { Database } from '#shared/platform/database/database.js';
import { runCommand } from '../testing/run-command.js';

const ACCOUNTS_OWN = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65';
let restored: RestoredFloat;
let chain: RestoredFloat['chain'];
let world: RestoredFloat['world'];
let sending: RestoredFloat['sending'];
beforeEach(async () => {
  restored = await RestoredFloat.open();
  ({ chain, world, sending } = restored);
});
afterEach(() => restored.close());

const FLOAT_SECRET = new FloatMasterSecret(randomBytes(32).toString('hex'));
const TOKENS = 100_000_000n;

/** Tables that the test restores to an earlier moment. */
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

/** A refund float on a chain, with a database that can be restored to an earlier moment and the operator's commands. */
class RestoredFloat {
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
      new PostgresTransferOrders(world.platform.database),
    );
    world.sending = { sender: sending.sender, planning: transferPlanning(settings) };
    const float = (await world.fund(TOKENS, 10n ** 18n)) as Hex;
    await sendToToken(chain.url, token, 'mint', [float, TOKENS]);
    await chain.rpc('anvil_setBalance', [float, RICH_BALANCE_WEI]);
    return new RestoredFloat(world, chain, sending, float);
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.chain.stop();
  }

  /** Creates an approved refund. @returns its id */
  async refund(): Promise<string> {
    return (await this.world.create({ of: this.world.request() })).refund.id;
  }

  /** Creates a refund with an address of the payer that is not approved yet. */
  async claimed(paidTo?: string): Promise<{ id: string }> {
    const { world } = this;
    const of = paidTo === undefined ? world.request() : await world.requestPaidTo(paidTo);
    const { refund: made, claim } = await world.create({ of, claim: {} });
    await world.process().claim.claim({ claim: claim!, refundToAddress: PAYER, confirmed: true });
    return made;
  }

  /** Runs cycles of the workers and mines blocks between them. */
  async paid(turns = 3): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) {
      await this.world.turn();
      await this.sending.all.advance(NETWORK);
      await this.chain.mine(2);
    }
    await this.sending.all.advance(NETWORK);
    await this.world.turn();
  }

  /** Runs `sender reconcile` for the float. @param words further words of the command line */
  async reconcile(...words: string[]) {
    const { floats, findPayout } = this.world.process();
    const parts = new Map<unknown, object>([
      [Database, this.world.platform.database],
      [RefundFloats, floats],
      [FindFloatPayoutOfCall, findPayout],
      [ReconcileSender, this.sending.reconcile],
      [OutboundTransactionSender, this.sending.sender],
      [Chains, new SameChain({ transferPlanning: this.world.sending.planning })],
    ]);
    const float = `float:${this.world.organizationId}`;
    const { status, out, err } = await runCommand(parts, [
      'sender reconcile',
      NETWORK,
      float,
      ...words,
      '--json',
    ]);
    return { status, nonces: (out === '' ? [] : JSON.parse(out)) as Record<string, unknown>[], err };
  }

  /** @returns a function that restores the database to this moment */
  async moment(): Promise<() => Promise<void>> {
    const { world } = this;
    const copies = new Map<string, string>();
    for (const table of RESTORED) {
      const [row] = await world.rows<{ copy: string }>(`SELECT json_agg(t)::text AS copy FROM ${table} t`);
      copies.set(table, row!.copy ?? '[]');
    }
    return () =>
      world.platform.database.run(async () => {
        await world.rows(`SET LOCAL session_replication_role = 'replica'`);
        for (const [table, copy] of copies) {
          await world.rows(`DELETE FROM ${table}`);
          await world.rows(
            `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, $1)`,
            [copy],
          );
        }
      });
  }

  /** Amount of tokens that the payer has received. */
  async received(): Promise<bigint> {
    const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [PAYER as Hex] });
    return BigInt(await this.chain.rpc<Hex>('eth_call', [{ to: this.world.token.token, data }, 'latest']));
  }

  /** Number of mined transactions of the float. */
  async sent(): Promise<number> {
    return Number(await this.chain.rpc<Hex>('eth_getTransactionCount', [this.float, 'latest']));
  }

  /** Reads the statuses of all refunds. */
  async statuses(): Promise<string[]> {
    const rows = await this.world.rows<{ status: string }>(
      'SELECT status FROM settlement.refunds ORDER BY id',
    );
    return rows.map(({ status }) => status);
  }

  /** Statuses of all refunds, amount that the payer received, and number of mined transactions of the float. */
  async outcome() {
    return [await this.statuses(), await this.received(), await this.sent()];
  }

  /** Reasons why refund payouts are held. */
  held(): Promise<{ held: string }[]> {
    return this.world.rows<{ held: string }>('SELECT held FROM settlement.refund_float_payouts');
  }
}

describe('A refund paid after the moment that a database is restored to', () => {
  it('is held until it is completed by the payment already made', async () => {
    const id = await restored.refund();
    const restore = await restored.moment();
    await restored.paid();
    expect([await restored.statuses(), await restored.received()]).toEqual([['completed'], 10_000_000n]);

    await restore();
    await restored.paid();
    const whileHeld = await restored.outcome();
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
    expect(await restored.outcome()).toEqual([['completed'], 10_000_000n, 1]);
    await restored.refund();
    await restored.paid();
    expect([await restored.received(), await restored.sent(), (await restored.reconcile()).nonces]).toEqual([
      20_000_000n,
      2,
      [],
    ]);
  });

  it('is not paid again under the nonce of another payment', async () => {
    const paidOne = await restored.refund();
    const restore = await restored.moment();
    await chain.rpc('evm_setAutomine', [false]);
    await world.turn();
    await sending.all.advance(NETWORK);
    const [{ raw }] = (await world.rows<{ raw: string }>(
      `SELECT '0x' || encode(raw, 'hex') AS raw FROM networks.sending_attempts`,
    )) as [{ raw: string }];

    // The broadcast transaction is in no mempool while nonces are assigned, first to another payment and then to its
    // own.
    await restore();
    await chain.rpc('anvil_dropAllTransactions');
    await world.rows(`UPDATE settlement.refund_float_payouts SET due_at = 'infinity'`);
    const coin = world.request({}, { asset: world.coin, asked: 0n, paid: 5_000_000_000_000_000n });
    world.chain.put(restored.float, 'native', 10n ** 18n);
    await world.process().look.check(NETWORK);
    await world.create({ of: coin });
    await world.process().advance.advance(NETWORK);
    await world.rows(`UPDATE settlement.refund_float_payouts SET due_at = platform.now() WHERE id = $1`, [
      paidOne,
    ]);
    await world.process().advance.advance(NETWORK);
    await chain.rpc('eth_sendRawTransaction', [raw]);
    await chain.mine(4);
    await sending.all.advance(NETWORK);
    await chain.mine(4);
    const sendings = await world.rows('SELECT nonce, state FROM networks.sendings ORDER BY nonce');
    const first = await restored.reconcile();
    const hash = String(first.nonces[0]!.transaction_hash);
    const accepted = await restored.reconcile('--accept-unknown', hash, '--yes');
    await sending.cancelSending.cancel({ network: NETWORK, sending: paidOne, feeCeiling: null });
    await sending.all.advance(NETWORK);
    await chain.mine(4);
    await sending.all.advance(NETWORK);
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

  it('is approved by its payment if it was not approved before', async () => {
    const { id } = await restored.claimed();
    const restore = await restored.moment();
    await world.process().approve.approve({ scope: world.scope, id, by: 'somebody' });
    await restored.paid();

    await restore();
    expect(await restored.statuses()).toEqual(['pending']);
    const { nonces } = await restored.reconcile();
    await restored.paid();

    expect(nonces).toMatchObject([{ outcome: 'adopted', sending_id: id }]);
    expect(await restored.outcome()).toEqual([['completed'], 10_000_000n, 1]);
  });

  it('uses the allotment of the account as far as it suffices', async () => {
    world.platform.makesUp([
      ...MADE_UP_TERMS,
      ...['settlement-terms-are-versioned', 'settlement-terms-are-as-audited'],
    ]);
    const { organizationId, accountId, token } = world;
    const { allot, setBasis, approve } = world.process();
    const { uniqueAssetId } = token;
    await allot.allot({ organizationId, accountId, uniqueAssetId, amount: '10', actor: 'operator' });
    const ids = [
      (await restored.claimed(SETTLED_TO)).id,
      (await restored.claimed(ACCOUNTS_OWN)).id,
      (await restored.claimed(ACCOUNTS_OWN)).id,
    ];
    const restore = await restored.moment();
    await setBasis.set({ organizationId, basis: 'received', actor: 'operator' });
    for (const id of ids) await approve.approve({ scope: world.scope, id, by: 'somebody' });
    await restored.paid(4);
    await restore();
    await setBasis.set({ organizationId, basis: 'topped_up', actor: 'operator' });
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

describe('The outbound transaction of a payout from a refund float', () => {
  it('cannot be marked later as found on the chain', async () => {
    await restored.refund();
    await world.turn();

    await expect(world.rows('UPDATE networks.sendings SET adopted = true')).rejects.toThrow(
      'keeps whether it was taken up',
    );
  });

  it('belongs to one payout and never changes', async () => {
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
