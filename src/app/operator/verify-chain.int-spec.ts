import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceInvariants } from '../../../test/support/source-invariants.js';
import { AuditChain, type ChainAudit } from '../../contexts/payments/application/watching/audit-chain.js';
import { PostgresAuditedPayments } from '../../contexts/payments/infrastructure/watching/persistence/postgres-audited-payments.js';
import {
  DOLLAR,
  HashedAddresses,
  NETWORK,
} from '../../contexts/payments/testing/requests/collecting-world.js';
import { ChainsByNetwork } from '../../contexts/payments/testing/watching/chains-by-network.js';
import { newId, type PaymentRequestId } from '../../shared/kernel/ids.js';
import { openAuditedWorld } from '../testing/audited-world.js';
import { verify } from '../verify-invariants.js';
import { custodyDifferences } from './custody-on-chain.js';

const ALL = { transfers: null, seed: 'any' };
const UNDONE = new Error('undone');

let world: Awaited<ReturnType<typeof openAuditedWorld>>;
beforeAll(async () => {
  world = await openAuditedWorld();
});
afterAll(() => world.close());

const audited = (extent: Parameters<AuditChain['execute']>[1] = ALL) =>
  new AuditChain(
    new ChainsByNetwork(new Map([[NETWORK, world.chain]])),
    world.catalogue,
    new HashedAddresses(),
    new PostgresAuditedPayments(world.database),
    world.tokens,
  ).execute(NETWORK, extent);

const kinds = ({ findings }: ChainAudit) => [...new Set(findings.map(({ kind }) => kind))].sort();
const differences = async (audit: ChainAudit) => custodyDifferences(world.database, audit);

/** @returns what is found once this was done; nothing of it stays */
async function foundAfter(doing: () => Promise<unknown>) {
  let found: { kinds: string[]; custody: string[] } | undefined;
  await world.database
    .run(async () => {
      await world.database.query('SET LOCAL session_replication_role = replica');
      await doing();
      const audit = await audited();
      found = { kinds: kinds(audit), custody: (await differences(audit)).map(({ asset }) => asset) };
      throw UNDONE;
    })
    .catch((error: unknown) => {
      if (error !== UNDONE) throw error;
    });
  return found;
}

const tampered = (sql: string) => foundAfter(() => world.database.query(sql));
const paid = `(SELECT id FROM payments.payment_requests WHERE reference_id = 'paid')`;

describe('Books and a chain that agree', () => {
  it('show nothing, whatever is open, late, reversed, or of a later block', async () => {
    const audit = await audited();

    expect(audit.findings).toEqual([]);
    expect(audit).toMatchObject({ addresses: 5, block: { number: expect.any(Number) } });
    expect(audit.transfers).toBeGreaterThan(3);
    expect(audit.tokens).toBe(5);
    expect(await differences(audit)).toEqual([]);
  });

  it('are compared by as many receipts as are asked for, the same ones for the same seed', async () => {
    const asked: unknown[] = [];
    world.chain.beforeAnswer = (question, about) => void (question === 'holds' && asked.push(about));

    expect((await audited({ transfers: 2, seed: 'a' })).transfers).toBe(2);
    expect((await audited({ transfers: 2, seed: 'a' })).transfers).toBe(2);
    world.chain.beforeAnswer = () => undefined;

    expect(asked.slice(0, 2)).toEqual(asked.slice(2));
  });

  it('are said not to be compared where the node has no state of that block', async () => {
    world.chain.statesKept = 0;
    const audit = await audited();
    world.chain.statesKept = Infinity;

    expect(audit.findings).toMatchObject([{ kind: 'not-audited', says: expect.stringContaining('state') }]);
  });
});

describe('Tampering that only a chain can show', () => {
  it.each([
    [
      'an amount that came',
      `UPDATE payments.transfers SET amount = amount + 1 WHERE payment_request_id = ${paid} AND deposited_at IS NULL`,
      ['address-holds-less', 'transfer-is-not-on-chain'],
    ],
    [
      'a transfer that came, erased',
      `DELETE FROM payments.transfers WHERE payment_request_id = ${paid} AND deposited_at IS NOT NULL`,
      ['address-holds-more'],
    ],
    [
      'the sender of a transfer',
      `UPDATE payments.transfers SET from_address = '0x00' WHERE payment_request_id = ${paid}`,
      ['transfer-is-not-on-chain'],
    ],
    [
      'the settlement address that an address was derived from, with its terms',
      `UPDATE payments.deposit_addresses SET settlement_address = '0x00000000000000000000000000000000000000ff'
       WHERE payment_request_id = ${paid}`,
      ['address-is-not-derived'],
    ],
    [
      'a payment token, for that of another request',
      `UPDATE payments.payment_requests SET token = (SELECT token FROM payments.payment_requests WHERE reference_id = 'open')
       WHERE reference_id = 'paid'`,
      ['token-is-not-signed'],
    ],
    [
      'a payment token, made up',
      `UPDATE payments.payment_requests SET token = left(token, -4) || 'AAAA' WHERE reference_id = 'paid'`,
      ['token-is-not-signed'],
    ],
  ])('shows: %s', async (_, sql, expected) => {
    expect(await tampered(sql)).toMatchObject({ kinds: expected });
  });

  it('shows: custody that no address holds', async () => {
    const sql = `UPDATE ledger.entries SET amount = amount + 5 WHERE ledger_account = 'custody' AND line = 1
      AND transaction_id = (SELECT id FROM ledger.transactions WHERE type = 'payment_in' AND reference_id = 'paid')`;

    expect(await tampered(sql)).toEqual({ kinds: [], custody: [DOLLAR.uniqueAssetId] });
  });

  it('shows: a payment put in with all that the service would have stored, posted and delivered', async () => {
    const { database } = world;
    const [row] = await database.query<{ id: PaymentRequestId; address: string }>(
      `SELECT r.id, a.address FROM payments.payment_requests r
       JOIN payments.deposit_addresses a ON a.payment_request_id = r.id WHERE r.reference_id = 'open'`,
    );
    const cursor = (await world.watched.cursor(NETWORK))!;
    const block = (await world.watched.block(NETWORK, cursor.finalNumber!))!;
    const now = await world.platform.clock.now();
    await database.run(async () => {
      const [request] = await world.requests.lock([row!.id]);
      request!.receive(
        [
          {
            ...{
              id: newId(),
              network: NETWORK,
              kind: 'log',
              index: 7,
              transactionHash: `0x${'fa'.repeat(32)}`,
            },
            ...{ blockNumber: block.number, blockHash: block.hash, blockTime: block.time },
            ...{ uniqueAssetId: DOLLAR.uniqueAssetId, currency: DOLLAR.symbol, decimals: DOLLAR.decimals },
            ...{
              requiredConfirmations: 3,
              from: `0x${'f'.repeat(40)}`,
              to: row!.address,
              amount: 10_000_000n,
            },
            awaitsCrossCheck: false,
          },
        ] as never,
        now,
      );
      request!.judge(await world.watched.progress([NETWORK]), now);
      await world.requests.save([request!]);
    });
    await world.settle();

    const broken = (await verify(await sourceInvariants(), (text) => database.query(text))).filter(
      ({ breaches }) => breaches.length > 0,
    );
    const audit = await audited();
    const [posted] = await database.query(
      `SELECT type FROM ledger.transactions WHERE payment_request_id = $1`,
      [row!.id],
    );

    expect(broken.map(({ name }) => name)).toEqual([]);
    expect(posted).toEqual({ type: 'payment_in' });
    expect(kinds(audit)).toEqual(['address-holds-less', 'transfer-is-not-on-chain']);
    expect(audit.findings[0]).toMatchObject({
      about: row!.address,
      says: expect.stringContaining('10000000'),
    });
    expect(await differences(audit)).toMatchObject([{ asset: DOLLAR.uniqueAssetId }]);
  });
});
