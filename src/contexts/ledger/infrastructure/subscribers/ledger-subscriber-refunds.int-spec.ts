import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type AccountId } from '#shared/kernel/ids.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { logSettled } from '#shared/platform/event-log/testing/log-settled.js';
import { GAS_COST } from '#contexts/settlement/testing/refunds/made-up-chain.js';
import {
  NETWORK,
  PAYER,
  RefundsWorld,
  SETTLED_TO,
} from '#contexts/settlement/testing/refunds/refunds-world.js';
import { sourceTransactionsInvariants } from '../persistence/source-transactions-invariants.js';
import { sourceEventsInvariants } from '../persistence/source-events-invariants.js';
import { ledgerSubscriberOn } from '../../testing/open-ledger.js';

/** Use cases of settlement, wired as in the service, with a simulated chain. */
let world: RefundsWorld;
beforeAll(async () => {
  world = await RefundsWorld.openDelivering();
});
afterAll(() => world.close());

async function postToLedger(): Promise<void> {
  const { database } = world.platform;
  const runner = new SubscriberRunner(database, ledgerSubscriberOn(database));
  await runner.register();
  await logSettled(database);
  while (await runner.applyNextBatch());
}

/** Returns the organization's balance in a ledger account. */
async function balance(ledgerAccount: string, uniqueAssetId: string, accountId?: string): Promise<bigint> {
  const [row] = await world.rows<{ amount: bigint }>(
    `SELECT COALESCE(sum(amount), 0) AS amount FROM ledger.balances
     WHERE ledger_account = $1 AND unique_asset_id = $2 AND organization_id = $3 AND ($4::uuid IS NULL OR account_id = $4)`,
    [ledgerAccount, uniqueAssetId, world.organizationId, accountId ?? null],
  );
  return row!.amount;
}

async function expectWhole(): Promise<void> {
  for (const { name, breaches } of [...sourceTransactionsInvariants, ...sourceEventsInvariants])
    expect({ [name]: await world.rows(breaches) }).toEqual({ [name]: [] });
}

describe('A refund float in the books', () => {
  it('agrees with the balance on the chain after every outcome of a refund', async () => {
    const float = await world.fund();
    const branch = newId<AccountId>();
    const send = async (
      facts: Parameters<RefundsWorld['request']>[0],
      fate: 'final' | 'reverted' | 'foreign',
    ) => {
      const { id } = (await world.create({ of: world.request(facts) })).refund;
      await world.turn();
      world.chain.mine(id, fate);
      await world.turn();
      return id;
    };
    const paid = await send({}, 'final');
    const [reverted, foreign] = [await send({}, 'reverted'), await send({}, 'foreign')];
    const ofBranch = await send({ accountId: branch, referenceId: 'order-9' }, 'final');
    const { id: withdrawn } = await world.process().withdraw.withdraw({
      organizationId: world.organizationId,
      network: NETWORK,
      uniqueAssetId: world.token.uniqueAssetId,
      amount: '30',
      actor: 'operator',
    });
    await world.turn();
    world.chain.mine(withdrawn, 'final');
    await world.turn();
    const waiting = (await world.create({ of: world.request() })).refund;

    await postToLedger();

    const { token, coin } = world;
    expect(await balance('refund_float', token.uniqueAssetId)).toBe(world.chain.held(float, token.token));
    expect(await balance('refund_float', token.uniqueAssetId, branch)).toBe(-10_000_000n);
    expect(await balance('gas_spent', coin.uniqueAssetId)).toBe(4n * GAS_COST);
    expect(await balance('merchant_payable', token.uniqueAssetId)).toBe(-50_000_000n);
    const booked = await world.rows<{
      source: string;
      status: string;
      type: string;
      reference: string;
      to: string;
    }>(
      `SELECT source_id AS source, type, reference_id AS reference, lower(to_address) AS to, COALESCE((SELECT status
         FROM ledger.status_changes WHERE transaction_id = t.id ORDER BY step DESC LIMIT 1), status) AS status
       FROM ledger.transactions t`,
    );
    const of = (id: string) => booked.find(({ source }) => source === id);
    expect([paid, reverted, foreign, ofBranch, withdrawn, waiting.id].map((id) => of(id)?.status)).toEqual([
      ...['completed', 'failed', 'failed', 'completed', 'completed', 'processing'],
    ]);
    expect(of(ofBranch)).toMatchObject({ type: 'refund', reference: 'order-9', to: PAYER });
    expect(of(withdrawn)).toMatchObject({ type: 'withdraw', to: SETTLED_TO });
    await expectWhole();
  });
});
