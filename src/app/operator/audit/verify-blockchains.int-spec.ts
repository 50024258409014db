import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceInvariants } from '#test/support/source-invariants.js';
import {
  COIN,
  DOLLAR,
  EURO,
  NETWORK,
  SmallCatalogue,
} from '#contexts/payments/testing/requests/collecting-world.js';
import { HashedAddresses } from '#contexts/payments/testing/requests/hashed-addresses.js';
import { newId } from '#shared/kernel/ids.js';
import { openAuditedWorld } from '../../testing/audited-world.js';
import { forgePayment } from '../../testing/forge-payment.js';
import { verifyInvariants } from '../../verify-invariants.js';
import type { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { AuditRecordsAgainstChain } from '#contexts/payments/application/audit/audit-records-against-chain.js';
import type { ChainAudit } from '#contexts/payments/infrastructure/audit/persistence/chain-audits.js';
import { ChainAuditQueries } from '#contexts/payments/infrastructure/audit/persistence/chain-audit-queries.js';
import { ChainsByNetwork } from '#contexts/chain-watching/testing/chains-by-network.js';
import { UpdateSettlements } from '#contexts/settlement/application/settling/update-settlements.js';
import { PostgresSettlements } from '#contexts/settlement/infrastructure/settling/persistence/postgres-settlements.js';
import { SettlementProjection } from '#contexts/settlement/infrastructure/settling/settlement-projection.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { logSettled } from '#shared/platform/event-log/testing/log-settled.js';
import type { TestPlatform } from '#test/support/open-database.js';
import { PostgresCustodyRecords } from '../../between-contexts/custody-records.js';
import { auditNetworkCompletely } from './verify-blockchains.js';

let world: Awaited<ReturnType<typeof openAuditedWorld>>;
let chain: AuditedChain;
beforeAll(async () => {
  world = await openAuditedWorld();
  chain = new AuditedChain(world);
});
afterAll(() => world.close());

const paid = `(SELECT id FROM payments.payment_requests WHERE reference_id = 'paid')`;
const ALL = { transfers: null, seed: 'any' };
const CUSTODY = 'custody-is-not-on-chain';
const UNDONE = new Error('undone');

/** Compares the records of an audited world with its blockchain. */
class AuditedChain {
  private isPaidOut = false;

  constructor(private readonly world: Awaited<ReturnType<typeof openAuditedWorld>>) {}

  audit(
    extent: ChainAudit['extent'] = ALL,
    catalogue: NetworkCatalogue = this.world.catalogue,
  ): Promise<ChainAudit> {
    const { chain, database, tokens } = this.world;
    const auditRecordsAgainstChain = new AuditRecordsAgainstChain(
      new ChainsByNetwork(new Map([[NETWORK, chain]]), undefined, new HashedAddresses()),
      catalogue,
      new ChainAuditQueries(database),
      tokens,
      new PostgresCustodyRecords(database),
    );
    return auditNetworkCompletely(auditRecordsAgainstChain, NETWORK, extent, 0);
  }

  /** Runs `doing` with triggers disabled, audits, and rolls back. @returns the findings */
  async foundAfter(
    doing: () => Promise<unknown>,
    catalogue?: NetworkCatalogue,
  ): Promise<{ kinds: string[]; custody: string[] } | undefined> {
    const { database } = this.world;
    let found: { kinds: string[]; custody: string[] } | undefined;
    await database
      .run(async () => {
        await database.query('SET LOCAL session_replication_role = replica');
        await doing();
        const audit = await this.audit(ALL, catalogue);
        found = { kinds: kindsIn(audit), custody: custodyIn(audit) };
        throw UNDONE;
      })
      .catch((error: unknown) => {
        if (error !== UNDONE) throw error;
      });
    return found;
  }

  tampered(sql: string, catalogue?: NetworkCatalogue) {
    return this.foundAfter(() => this.world.database.query(sql), catalogue);
  }

  /** @param reference reference of the payment request @returns its deposit address */
  async addressOf(reference: string): Promise<string> {
    const [row] = await this.world.database.query<{ address: string }>(
      `SELECT a.address FROM payments.payment_requests r
       JOIN payments.deposit_addresses a ON a.payment_request_id = r.id WHERE r.reference_id = $1`,
      [reference],
    );
    return row!.address;
  }

  /** Pays out the deposit of the request `paid`, once. @param between called between the steps and at the end */
  async payOut(between: () => Promise<unknown> = async () => undefined): Promise<void> {
    if (this.isPaidOut) return;
    this.isPaidOut = true;
    const { chain, database, platform } = this.world;
    const settling = new SubscriberRunner(database, settlementProjectionOn(platform));
    await settling.register();
    const record = async () => {
      await logSettled(database);
      while (await settling.applyNextBatch());
    };
    const to = await this.addressOf('paid');
    chain.mine({ to, amount: 12_500_000n, fee: 125_000n, token: DOLLAR.token, kind: 'payout' });
    await this.world.follow();
    await between();
    await record();
    await between();
    await this.world.settle();
    await between();
    chain.mineEmpty(4);
    await this.world.follow();
    await between();
    await record();
    await this.world.settle();
    await between();
  }
}

/** Kinds of the findings of an audit, except custody. */
function kindsIn({ findings }: ChainAudit): string[] {
  return [...new Set(findings.map(({ kind }) => kind).filter((kind) => kind !== CUSTODY))].sort();
}

/** Assets whose custody balance does not match the blockchain. */
function custodyIn({ findings }: ChainAudit): string[] {
  return findings.filter(({ kind }) => kind === CUSTODY).map(({ about }) => about);
}

/** Creates settlement's projection of the events in a test database. */
function settlementProjectionOn({ clock, database, eventLog }: TestPlatform): SettlementProjection {
  return new SettlementProjection(new UpdateSettlements(clock, new PostgresSettlements(database, eventLog)));
}

describe('The chain audit of intact books', () => {
  it('finds nothing for open, late and reversed payments, or for later blocks', async () => {
    const audit = await chain.audit();

    expect(audit.findings).toEqual([]);
    expect(audit).toMatchObject({ addresses: 5, block: { number: expect.any(Number) } });
    expect(audit.transfers).toBeGreaterThan(3);
    expect(audit.tokens).toBe(5);
  });

  it('finds nothing while a confirmed payment is not posted yet', async () => {
    const to = await chain.addressOf('processing');
    world.chain.mine({ to, amount: 7_000_000n, token: DOLLAR.token });
    world.chain.mineEmpty(4);
    await world.follow();
    const unposted = await chain.audit();
    await world.settle();

    expect(unposted).toMatchObject({ findings: [], custodyTries: 0 });
    expect(await chain.audit()).toMatchObject({ findings: [], custodyTries: 0 });
  });

  it('finds nothing before, during and after a payout', async () => {
    const found: object[] = [];
    await chain.payOut(async () => found.push(await chain.audit()));

    expect(found).toMatchObject(Array(5).fill({ findings: [], custodyTries: 0 }));
    const settled = await world.database.query('SELECT status FROM settlement.settlements');
    expect(settled).toEqual([{ status: 'completed' }]);
  });

  it('checks the requested number of receipts, the same ones for the same seed', async () => {
    const asked: unknown[] = [];
    world.chain.beforeAnswer = (question, about) => void (question === 'holds' && asked.push(about));

    expect((await chain.audit({ transfers: 2, seed: 'a' })).transfers).toBe(2);
    expect((await chain.audit({ transfers: 2, seed: 'a' })).transfers).toBe(2);
    world.chain.beforeAnswer = () => undefined;

    expect(asked.slice(0, 2)).toEqual(asked.slice(2));
  });
});

describe('The chain audit of changed books', () => {
  beforeAll(() => chain.payOut());

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
      'a payout, erased',
      `DELETE FROM payments.payouts WHERE payment_request_id = ${paid}`,
      ['address-holds-less'],
    ],
    [
      'the amount of a payout',
      `UPDATE payments.payouts SET to_fee = to_fee + 1 WHERE payment_request_id = ${paid}`,
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
  ])('detects a change of rows: %s', async (_, sql, expected) => {
    expect(await chain.tampered(sql)).toMatchObject({ kinds: expected });
  });

  it('reports money in custody that no address holds', async () => {
    const sql = `UPDATE ledger.entries SET amount = amount + 5 WHERE ledger_account = 'custody' AND line = 1
      AND transaction_id = (SELECT id FROM ledger.transactions WHERE type = 'payment_in' AND reference_id = 'paid')`;

    expect(await chain.tampered(sql)).toEqual({ kinds: [], custody: [DOLLAR.uniqueAssetId] });
  });

  it('accepts native coin that the balance sweep has not found yet', async () => {
    const [row] = await world.database.query<{ address: string }>(
      'SELECT address FROM payments.selections WHERE unique_asset_id = $1',
      [EURO.uniqueAssetId],
    );
    world.chain.mine({ to: row!.address, amount: 5n, token: COIN.token, kind: 'internal' });
    world.chain.mineEmpty(4);
    await world.follow();
    const native = `UPDATE payments.selections SET unique_asset_id = '${COIN.uniqueAssetId}'
      WHERE unique_asset_id = '${EURO.uniqueAssetId}'`;

    expect(await chain.tampered(native, SmallCatalogue.withCoin())).toEqual({ kinds: [], custody: [] });
  });

  describe('for the addresses of pruned requests', () => {
    const id = newId();
    const terms = {
      settlementAddress: `0x${'5e'.repeat(20)}`,
      feeRecipient: `0x${'fe'.repeat(20)}`,
      feeBasisPoints: 1,
    };
    const { address, derivation } = new HashedAddresses()
      .find(NETWORK)
      .depositAddresses.derive(terms, { requestId: id });
    const pruned = (settlement: string, storedDerivation: object = derivation) =>
      chain.foundAfter(async () => {
        await world.database.query(
          `WITH selection AS (INSERT INTO payments.pruned_values (digest, value)
             VALUES (sha256('selection'), jsonb_build_object('unique_asset_id', $1::text)) RETURNING id),
           terms AS (INSERT INTO payments.pruned_values (digest, value) VALUES (sha256('terms'), jsonb_build_object(
             'derivation', $2::jsonb, 'settlement_address', $3::text, 'fee_recipient', $4::text, 'fee_basis_points', 1))
             RETURNING id)
           INSERT INTO payments.pruned_addresses (network, address, payment_request_id, selection_value, terms_value, amount,
             selected_at) SELECT $5, $6, $7, selection.id, terms.id, 1, platform.now() FROM selection, terms`,
          [DOLLAR.uniqueAssetId, storedDerivation, settlement, terms.feeRecipient, NETWORK, address, id],
        );
      });

    it('reports other terms, another factory and unrecorded money', async () => {
      expect(await pruned(terms.settlementAddress)).toEqual({ kinds: [], custody: [] });
      expect(await pruned(terms.feeRecipient)).toMatchObject({ kinds: ['address-is-not-derived'] });
      expect(await pruned(terms.settlementAddress, { factory: '0x00' })).toMatchObject({
        kinds: ['address-is-not-derived'],
      });

      world.chain.mine({ to: address, amount: 7n, token: DOLLAR.token });
      world.chain.mineEmpty(4);
      await world.follow();
      expect(await pruned(terms.settlementAddress)).toEqual({
        kinds: ['address-holds-more'],
        custody: [DOLLAR.uniqueAssetId],
      });
    });
  });

  it('reports a forged payment whose records are complete', async () => {
    const { database } = world;
    const { id, address } = await forgePayment(world);

    const broken = (await verifyInvariants(await sourceInvariants(), (text) => database.rows(text))).filter(
      ({ breaches }) => breaches.length > 0,
    );
    const audit = await chain.audit();
    const [posted] = await database.query(
      `SELECT type FROM ledger.transactions WHERE payment_request_id = $1`,
      [id],
    );

    expect(broken.map(({ name }) => name)).toEqual([]);
    expect(posted).toEqual({ type: 'payment_in' });
    expect(kindsIn(audit)).toEqual(['address-holds-less', 'transfer-is-not-on-chain']);
    expect(audit.findings[0]).toMatchObject({
      about: address,
      says: expect.stringContaining('10000000'),
    });
    expect(custodyIn(audit)).toEqual([DOLLAR.uniqueAssetId]);
  });
});
