import { PostgresOrderedTransfers } from '../../../contexts/settlement/infrastructure/refunds/persistence/postgres-ordered-transfers.js';
import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Hex, encodeFunctionData, parseAbi } from 'viem';
import { startTestChain, type TestChain } from '../../../../test/support/chain.js';
import { MADE_UP_TERMS } from '../../../../test/support/partial-worlds.js';
import { ReconcileSender } from '../../../contexts/networks/application/sending/reconcile-sender.js';
import { Sender } from '../../../contexts/networks/contract/sender.js';
import { TransferPlanning } from '../../../contexts/networks/contract/transfer-planning.js';
import { MasterSecret } from '../../../contexts/networks/infrastructure/master-secret.js';
import { DerivedFloatKeys } from '../../../contexts/networks/infrastructure/evm/sending/derived-float-keys.js';
import { deployTestToken, sendToToken } from '../../../contexts/networks/testing/chain-contracts.js';
import {
  nativeAsset,
  sampleAsset,
  settingsFor,
} from '../../../contexts/networks/testing/sample-configuration.js';
import { GWEI, RICH, sendingProcess } from '../../../contexts/networks/testing/sending-world.js';
import { transferPlanning } from '../../../contexts/networks/testing/transfer-planning.js';
import { FindPayoutOfCall } from '../../../contexts/settlement/application/refunds/find-payout-of-call.js';
import { RefundFloats } from '../../../contexts/settlement/domain/refunds/refund-floats.js';
import {
  NETWORK,
  PAYER,
  RefundsWorld,
  SETTLED_TO,
} from '../../../contexts/settlement/testing/refunds/refunds-world.js';
import { newId } from '../../../shared/kernel/ids.js';
import { Database } from '../../../shared/platform/database/database.js';
import { runCommand } from '../testing/run-command.js';

const SECRET = new MasterSecret(randomBytes(32).toString('hex'));
const ACCOUNTS_OWN = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65';
/** What a restore to an earlier moment takes back. */
const RESTORED = [
  ...['networks.sendings', 'networks.sending_attempts', 'settlement.refund_float_payouts'],
  ...[
    'settlement.refund_float_holdings',
    'settlement.refunds',
    'settlement.refunded_sums',
    'platform.events',
    'settlement.refund_allotments',
  ],
];

let chain: TestChain;
let world: RefundsWorld;
let float: Hex;
let sending: ReturnType<typeof sendingProcess>;

beforeEach(async () => {
  chain = await startTestChain();
  const token = await deployTestToken(chain.url, 6);
  const assets = { assets: [sampleAsset({ token }), nativeAsset()] };
  const settings = settingsFor(chain.url, assets);
  world = await RefundsWorld.open(settings);
  const gasKey: Hex = `0x${randomBytes(32).toString('hex')}`;
  const floats = { kind: 'master_secret', secret: SECRET } as const;
  sending = sendingProcess(
    ...([world.platform, gasKey, [chain.url], assets, floats] as const),
    new PostgresOrderedTransfers(world.platform.database),
  );
  world.sending = { sender: sending.sender, planning: transferPlanning(settings) };
  float = (await world.fund(100_000_000n, 10n ** 18n)) as Hex;
  await sendToToken(chain.url, token, 'mint', [float, 100_000_000n]);
  await chain.rpc('anvil_setBalance', [float, RICH]);
});
afterEach(async () => {
  await world.close();
  await chain.stop();
});

const refund = async () => (await world.create({ of: world.request() })).refund.id;

/** Turns of the workers, with blocks between them. */
async function paid(turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await world.turn();
    await sending.all.execute(NETWORK);
    await chain.mine(2);
  }
  await sending.all.execute(NETWORK);
  await world.turn();
}

async function operator(...words: string[]) {
  const { floats, findPayout } = world.process();
  const parts = new Map<unknown, object>([
    [Database, world.platform.database],
    [RefundFloats, floats],
    [FindPayoutOfCall, findPayout],
    [ReconcileSender, sending.reconcile],
    [Sender, sending.sender],
    [TransferPlanning, world.sending.planning],
  ]);
  const context = { get: (part: unknown) => parts.get(part) } as unknown as INestApplicationContext;
  const { status, out, err } = await runCommand(context, [...words, '--json']);
  return { status, nonces: (out === '' ? [] : JSON.parse(out)) as Record<string, unknown>[], err };
}

const reconcile = (...words: string[]) =>
  operator('sender', 'reconcile', NETWORK, `float:${world.organizationId}`, ...words);

/** @returns what takes the database back to this moment */
async function moment(): Promise<() => Promise<void>> {
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

const abi = parseAbi(['function balanceOf(address) view returns (uint256)']);
async function received(): Promise<bigint> {
  const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [PAYER as Hex] });
  return BigInt(await chain.rpc<Hex>('eth_call', [{ to: world.token.token, data }, 'latest']));
}
const sent = async () => Number(await chain.rpc<Hex>('eth_getTransactionCount', [float, 'latest']));
const statuses = async () =>
  (await world.rows<{ status: string }>('SELECT status FROM settlement.refunds ORDER BY id')).map(
    ({ status }) => status,
  );
const held = () => world.rows<{ held: string }>('SELECT held FROM settlement.refund_float_payouts');

describe('A refund that was paid after the moment a database is restored to', () => {
  it('is held, nothing else is promised, and it is completed by the payment that was made', async () => {
    const id = await refund();
    const restore = await moment();
    await paid();
    expect([await statuses(), await received()]).toEqual([['completed'], 10_000_000n]);

    await restore();
    await paid();
    const whileHeld = [await statuses(), await received(), await sent()];
    const [{ held: why }] = (await held()) as [{ held: string }];
    await expect(refund()).rejects.toMatchObject({ code: 'state_conflict', message: why });
    const { status, nonces } = await reconcile();
    await paid();

    expect(why).toMatch(new RegExp(`nonce 0\\..*sender reconcile ${NETWORK} ${float}$`, 'i'));
    expect(whileHeld).toEqual([['processing'], 10_000_000n, 1]);
    expect([status, nonces]).toMatchObject([
      0,
      [{ nonce: 0, outcome: 'adopted', purpose: 'refund', sending_id: id, pays_units: '10000000' }],
    ]);
    expect([await statuses(), await received(), await sent()]).toEqual([['completed'], 10_000_000n, 1]);
    await refund();
    await paid();
    expect([await received(), await sent(), (await reconcile()).nonces]).toEqual([20_000_000n, 2, []]);
  });

  it('is approved by what was paid where it was not approved at that moment', async () => {
    const { id } = await claimed();
    const restore = await moment();
    await world.process().approve.execute({ scope: world.scope, id, by: 'somebody' });
    await paid();

    await restore();
    expect(await statuses()).toEqual(['pending']);
    const { nonces } = await reconcile();
    await paid();

    expect(nonces).toMatchObject([{ outcome: 'adopted', sending_id: id }]);
    expect([await statuses(), await received(), await sent()]).toEqual([['completed'], 10_000_000n, 1]);
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
      (await claimed(SETTLED_TO)).id,
      (await claimed(ACCOUNTS_OWN)).id,
      (await claimed(ACCOUNTS_OWN)).id,
    ];
    const restore = await moment();
    await setBasis.execute({ organizationId, basis: 'received', actor: 'operator' });
    for (const id of ids) await approve.execute({ scope: world.scope, id, by: 'somebody' });
    await paid(4);
    await restore();
    await setBasis.execute({ organizationId, basis: 'topped_up', actor: 'operator' });
    await world.platform.advance(120);

    await reconcile();
    await paid();

    expect(
      await world.rows('SELECT id, from_allotment, status FROM settlement.refund_float_payouts ORDER BY id'),
    ).toEqual([
      { id: ids[0], from_allotment: false, status: 'completed' },
      { id: ids[1], from_allotment: true, status: 'completed' },
      { id: ids[2], from_allotment: false, status: 'completed' },
    ]);
  });

  it('is one of two alike by one transaction each, the older one first', async () => {
    const ids = [await refund(), await refund()];
    const restore = await moment();
    await paid(4);

    await restore();
    const { nonces } = await reconcile();
    await paid();

    expect(nonces.map(({ sending_id }) => sending_id)).toEqual(ids);
    expect([await statuses(), await received(), await sent()]).toEqual([
      ['completed', 'completed'],
      20_000_000n,
      2,
    ]);
  });

  it('is completed where its payment used the nonce that another was given meanwhile', async () => {
    const first = await refund();
    const coin = world.request({}, { asset: world.coin, asked: 0n, paid: 5_000_000_000_000_000n });
    world.chain.put(float, 'native', 10n ** 18n);
    await world.process().look.execute(NETWORK);
    const second = (await world.create({ of: coin })).refund.id;
    const restore = await moment();
    await chain.rpc('evm_setAutomine', [false]);
    await world.turn();
    await sending.all.execute(NETWORK);
    const raws = await world.rows<{ raw: string }>(
      `SELECT '0x' || encode(raw, 'hex') AS raw FROM networks.sending_attempts JOIN networks.sendings s ON s.id = sending_id
       ORDER BY s.nonce`,
    );

    // Both leave the pool, and are mined after all once their payments were given each other's nonce.
    await restore();
    await chain.rpc('anvil_dropAllTransactions');
    await world.rows(`UPDATE settlement.refund_float_payouts SET due_at = 'infinity' WHERE id = $1`, [first]);
    await world.process().advance.execute(NETWORK);
    await world.turn();
    for (const { raw } of raws) await chain.rpc('eth_sendRawTransaction', [raw]);
    await chain.mine(4);
    await paid(1);
    const before = await statuses();
    const { status, nonces } = await reconcile();
    await chain.rpc('evm_setAutomine', [true]);
    await paid();

    expect(before).toEqual(['processing', 'processing']);
    expect([status, nonces]).toMatchObject([0, [{ outcome: 'adopted' }, { outcome: 'adopted' }]]);
    expect(nonces.map(({ sending_id }) => sending_id)).not.toContain(first);
    expect(nonces.map(({ sending_id }) => sending_id)).not.toContain(second);
    expect([await statuses(), await received(), await sent()]).toEqual([
      ['completed', 'completed'],
      10_000_000n,
      2,
    ]);
  });

  it('is not paid once more under the nonce it was given meanwhile', async () => {
    const paidOne = await refund();
    const restore = await moment();
    await chain.rpc('evm_setAutomine', [false]);
    await world.turn();
    await sending.all.execute(NETWORK);
    const [{ raw }] = (await world.rows<{ raw: string }>(
      `SELECT '0x' || encode(raw, 'hex') AS raw FROM networks.sending_attempts`,
    )) as [{ raw: string }];

    // It is in no pool while its payment and another one are given nonces, the other one first.
    await restore();
    await chain.rpc('anvil_dropAllTransactions');
    await world.rows(`UPDATE settlement.refund_float_payouts SET due_at = 'infinity'`);
    const coin = world.request({}, { asset: world.coin, asked: 0n, paid: 5_000_000_000_000_000n });
    world.chain.put(float, 'native', 10n ** 18n);
    await world.process().look.execute(NETWORK);
    await world.create({ of: coin });
    await world.process().advance.execute(NETWORK);
    await world.rows(`UPDATE settlement.refund_float_payouts SET due_at = platform.now() WHERE id = $1`, [
      paidOne,
    ]);
    await world.process().advance.execute(NETWORK);
    await chain.rpc('eth_sendRawTransaction', [raw]);
    await chain.mine(4);
    await sending.all.execute(NETWORK);
    await chain.mine(4);
    const sendings = await world.rows('SELECT nonce, state FROM networks.sendings ORDER BY nonce');
    const first = await reconcile();
    const hash = String(first.nonces[0]!.transaction_hash);
    const accepted = await reconcile('--accept-unknown', hash, '--yes');
    await sending.cancelSending.execute({ network: NETWORK, sending: paidOne, feeCeiling: null });
    await sending.all.execute(NETWORK);
    await chain.mine(4);
    await sending.all.execute(NETWORK);
    const { nonces } = await reconcile();

    expect(sendings).toEqual([
      { nonce: '0', state: 'foreign' },
      { nonce: '1', state: 'reserved' },
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
    expect([await received(), await sent()]).toEqual([10_000_000n, 2]);
  });

  it('is listed with its recipient where nothing is left of it, and stored where that is accepted', async () => {
    const restore = await moment();
    await refund();
    await paid();

    await restore();
    const first = await reconcile();
    const hash = String(first.nonces[0]!.transaction_hash);
    const second = await reconcile('--accept-unknown', hash, '--yes');
    await paid();

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
    await refund();
    await paid();
    expect([await statuses(), await sent()]).toEqual([['completed'], 2]);
  });

  it('is not freed where another transaction used its nonce, before that one is looked at', async () => {
    const id = await refund();
    await chain.rpc('evm_setAutomine', [false]);
    await world.turn();
    const outside = await new DerivedFloatKeys(SECRET).of(NETWORK, world.organizationId)!.sign({
      ...{ chainId: 31_337, nonce: 0, fees: { maxFee: 90n * GWEI, priorityFee: 80n * GWEI } },
      call: { to: PAYER, data: '0x', value: 1n, gasLimit: 21_000n },
    });
    await chain.rpc('eth_sendRawTransaction', [outside.raw]);
    await chain.mine(4);
    await paid();
    const before = await statuses();
    await reconcile('--accept-unknown', outside.hash, '--yes');
    await paid();

    expect(before).toEqual(['processing']);
    expect([await world.status(id), await received()]).toEqual(['failed', 0n]);
  });
});

describe('What pays a payout of a float', () => {
  it('never becomes one that was taken up from the chain, which less is asked of', async () => {
    await refund();
    await world.turn();

    await expect(world.rows('UPDATE networks.sendings SET adopted = true')).rejects.toThrow(
      'keeps whether it was taken up',
    );
  });

  it('is one sending, which pays no other, and never becomes another one', async () => {
    const [one, other] = [await refund(), await refund()];
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

/** A refund whose payer has named an address, and that nobody has approved. */
async function claimed(paidTo?: string): Promise<{ id: string }> {
  const of = paidTo === undefined ? world.request() : await world.requestPaidTo(paidTo);
  const { refund: made, claim } = await world.create({ of, claim: {} });
  await world.process().claim.execute({ claim: claim!, refundToAddress: PAYER, confirmed: true });
  return made;
}
