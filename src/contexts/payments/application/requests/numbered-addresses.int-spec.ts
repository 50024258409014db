import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OUTPUT_NETWORK } from '#contexts/networks/testing/output-family.js';
import { newId, type CredentialId } from '#shared/kernel/ids.js';
import { KeyTaken } from '#shared/kernel/keyed-creation.js';
import { MAX_TOKEN_LENGTH } from '#shared/naspip/naspip-token.js';
import {
  addressOf,
  openWalletPayments,
  type WalletPayments,
} from '../../testing/links/open-wallet-payments.js';
import { PostgresAddressNumbers } from '../../infrastructure/requests/persistence/postgres-address-numbers.js';
import { DOLLAR } from '../../testing/requests/collecting-world.js';
import { refusal } from '../../testing/requests/open-payments.js';

let bench: WalletPayments;
beforeEach(async () => {
  bench = await openWalletPayments();
});
afterEach(() => bench.close());

describe('A numbered address', () => {
  it('is the next one of the wallet, whatever terms and points of sale name it', async () => {
    const other = await bench.openShop('OWN', { organizationId: bench.shop.organizationId });

    const created = [await bench.requestCoins(), await bench.requestCoins(other), await bench.requestCoins()];

    expect(created.map(({ address }) => address)).toEqual([0, 1, 2].map((n) => addressOf('OWN', n)));
    const [locked] = await bench.database.run(() => bench.requests.lock([created[1]!.id]));
    expect(locked!.selected!.depositAddress).toMatchObject({
      number: 1,
      isDelivered: true,
      derivation: { wallet: 'wallet(OWN)' },
    });
    expect(await bench.numbers()).toEqual({ 'wallet(OWN)': { taken: [0, 1, 2], next: 3 } });
  });

  it('costs one statement more, and an address without a number none', async () => {
    const dollars = await bench.openShop('OWN', { paymentOptions: [DOLLAR.uniqueAssetId] });

    const numbered = await bench.database.sentBy(() => bench.requestCoins());
    const hashed = await bench.database.sentBy(() => bench.request({}, dollars));

    expect([numbered.length, hashed.length]).toEqual([2, 1]);
  });

  it('goes back where nothing is stored: a changed shop, an order that no token carries, a network that is away, a taken key', async () => {
    await bench.requestCoins();
    await bench.pointsOfSale.change(bench.shop, {});

    const second = await bench.requestCoins();
    await refusal(
      bench.requestCoins(bench.shop, {
        referenceId: 'r'.repeat(4_000),
        order: { description: 'd'.repeat(MAX_TOKEN_LENGTH) },
      }),
    );
    bench.catalogue.taking = false;
    await refusal(bench.requestCoins());
    bench.catalogue.taking = true;
    const keyed = {
      ...{
        credentialId: newId<CredentialId>(),
        key: 'order-7',
        operation: 'POST',
        requestDigest: new Uint8Array(32),
      },
      ...{ executionId: newId<string>(), at: await bench.platform.clock.now() },
      answerOf: ({ id }: { id: string }) => ({ objectId: id, answer: '{}' }),
    };
    const third = await bench.requestCoins(bench.shop, { keyed });
    await expect(
      bench.requestCoins(bench.shop, { keyed: { ...keyed, executionId: newId<string>() } }),
    ).rejects.toThrow(KeyTaken);

    expect([second, third].map(({ address }) => address)).toEqual([1, 2].map((n) => addressOf('OWN', n)));
    expect(await bench.numbers()).toEqual({ 'wallet(OWN)': { taken: [0, 1, 2], next: 3 } });
  });

  it('is shown to payers of one organization alone', async () => {
    const stranger = await bench.openShop('OWN');
    await bench.requestCoins();

    const refused = await refusal(bench.requestCoins(stranger));

    expect(refused).toMatchObject({ code: 'state_conflict' });
    expect(refused.message).toContain('another organization');
    expect(await bench.numbers()).toEqual({ 'wallet(OWN)': { taken: [0], next: 1 } });
  });

  it('is open until its request has ended', async () => {
    const [first] = [await bench.requestCoins(), await bench.requestCoins()];
    const numbers = new PostgresAddressNumbers(bench.database);
    const open = () =>
      numbers.open({ network: OUTPUT_NETWORK, numbering: 'wallet(OWN)' } as never, undefined);
    const before = await open();
    const undone = new Error('undone');

    const ended = bench.database.run(async () => {
      await bench.database.query(`UPDATE payments.payment_requests SET status = 'expired' WHERE id = $1`, [
        first!.id,
      ]);
      expect([before.count, (await open()).count]).toEqual([2, 1]);
      throw undone;
    });

    await expect(ended).rejects.toBe(undone);
  });

  it('takes the place of the open one on a physical point of sale', async () => {
    const till = await bench.openShop('OWN', { type: 'physical', organizationId: bench.shop.organizationId });
    const first = await bench.requestCoins(till);

    const second = await bench.requestCoins(till);

    expect(second.address).toBe(addressOf('OWN', 1));
    expect((await bench.read(first)).expiresAt).toEqual(second.createdAt);
  });

  it.each([
    ['taken twice', 'UPDATE payments.address_numbers SET next_number = 1'],
    ['left out', 'UPDATE payments.address_numbers SET next_number = next_number + 2'],
    ['forgotten', 'DELETE FROM payments.address_numbers'],
  ])('has a number that cannot be %s by a statement', async (_, sql) => {
    await bench.requestCoins();
    await bench.requestCoins();

    await expect(bench.database.query(sql)).rejects.toThrow(/goes on from|append-only/);
  });
});

describe('The invariants of numbered addresses', () => {
  it.each([
    ['an address with another number', 'UPDATE payments.deposit_addresses SET number = 7 WHERE number = 1'],
    [
      'an address that is gone',
      'UPDATE payments.deposit_addresses SET number = NULL, numbering_id = NULL WHERE number = 1',
    ],
    ['an address of no wallet', 'UPDATE payments.deposit_addresses SET numbering_id = 77 WHERE number = 1'],
  ])('report %s', async (_, sql) => {
    await bench.requestCoins();
    await bench.requestCoins();

    expect(await bench.breachesAfter(sql)).toEqual(['numbers-are-gapless']);
  });

  it('report an address of another organization', async () => {
    await bench.requestCoins();

    const sql = 'UPDATE payments.deposit_addresses SET organization_id = gen_random_uuid()';
    expect(await bench.breachesAfter(sql)).toEqual(['numbered-addresses-are-of-one-organization']);
  });
});
