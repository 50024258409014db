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
import { AuditedChain, custodyIn, kindsIn } from '../../testing/audited-chain.js';
import { openAuditedWorld } from '../../testing/audited-world.js';
import { forgePayment } from '../../testing/forge-payment.js';
import { verify } from '../../verify-invariants.js';

let world: Awaited<ReturnType<typeof openAuditedWorld>>;
let chain: AuditedChain;
beforeAll(async () => {
  world = await openAuditedWorld();
  chain = new AuditedChain(world);
});
afterAll(() => world.close());

const paid = `(SELECT id FROM payments.payment_requests WHERE reference_id = 'paid')`;

describe('Books and a chain that agree', () => {
  it('show nothing, whatever is open, late, reversed, or of a later block', async () => {
    const audit = await chain.audit();

    expect(audit.findings).toEqual([]);
    expect(audit).toMatchObject({ addresses: 5, block: { number: expect.any(Number) } });
    expect(audit.transfers).toBeGreaterThan(3);
    expect(audit.tokens).toBe(5);
  });

  it('show nothing while the ledger has still to post what was confirmed', async () => {
    const to = await chain.addressOf('processing');
    world.chain.mine({ to, amount: 7_000_000n, token: DOLLAR.token });
    world.chain.mineEmpty(4);
    await world.follow();
    const unposted = await chain.audit();
    await world.settle();

    expect(unposted).toMatchObject({ findings: [], custodyTries: 0 });
    expect(await chain.audit()).toMatchObject({ findings: [], custodyTries: 0 });
  });

  it('show nothing before, while and after it is booked what was paid out', async () => {
    const found: object[] = [];
    await chain.payOut(async () => found.push(await chain.audit()));

    expect(found).toMatchObject(Array(5).fill({ findings: [], custodyTries: 0 }));
    const settled = await world.database.query('SELECT status FROM settlement.settlements');
    expect(settled).toEqual([{ status: 'completed' }]);
  });

  it('are compared by as many receipts as are asked for, the same ones for the same seed', async () => {
    const asked: unknown[] = [];
    world.chain.beforeAnswer = (question, about) => void (question === 'holds' && asked.push(about));

    expect((await chain.audit({ transfers: 2, seed: 'a' })).transfers).toBe(2);
    expect((await chain.audit({ transfers: 2, seed: 'a' })).transfers).toBe(2);
    world.chain.beforeAnswer = () => undefined;

    expect(asked.slice(0, 2)).toEqual(asked.slice(2));
  });

  it('are compared for the rest where a token shows no balances, which is reported once', async () => {
    world.chain.unreadable.add(DOLLAR.token);
    const audit = await chain.audit();
    world.chain.unreadable.clear();

    expect(audit.findings).toMatchObject([
      {
        kind: 'balance-is-unreadable',
        about: DOLLAR.uniqueAssetId,
        says: expect.stringContaining('no balance'),
      },
    ]);
    expect(audit).toMatchObject({ stage: 'ended', addresses: 5, tokens: 5, custodyTries: 0 });
    expect(audit.transfers).toBeGreaterThan(3);
  });

  it('are reported as not compared where the node has no state of that block', async () => {
    world.chain.statesKept = 0;
    const audit = await chain.audit();
    world.chain.statesKept = Infinity;

    expect(audit.findings).toMatchObject([{ kind: 'not-audited', says: expect.stringContaining('state') }]);
  });
});

describe('Tampering that only a chain can show', () => {
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
  ])('shows: %s', async (_, sql, expected) => {
    expect(await chain.tampered(sql)).toMatchObject({ kinds: expected });
  });

  it('shows: custody that no address holds', async () => {
    const sql = `UPDATE ledger.entries SET amount = amount + 5 WHERE ledger_account = 'custody' AND line = 1
      AND transaction_id = (SELECT id FROM ledger.transactions WHERE type = 'payment_in' AND reference_id = 'paid')`;

    expect(await chain.tampered(sql)).toEqual({ kinds: [], custody: [DOLLAR.uniqueAssetId] });
  });

  it('is not what a sweep of balances has still to find', async () => {
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

  describe('of addresses of pruned requests', () => {
    const id = newId();
    const terms = {
      settlementAddress: `0x${'5e'.repeat(20)}`,
      feeRecipient: `0x${'fe'.repeat(20)}`,
      feeBasisPoints: 1,
    };
    const { address, derivation } = new HashedAddresses().derive(NETWORK, terms, { requestId: id });
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

    it('shows: other terms, another factory, and money that nobody recorded', async () => {
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

  it('shows: a payment put in with all that the service would have stored, posted and delivered', async () => {
    const { database } = world;
    const { id, address } = await forgePayment(world);

    const broken = (await verify(await sourceInvariants(), (text) => database.rows(text))).filter(
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
