import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type AccountId, type OrganizationId, type PaymentRequestId } from '#shared/kernel/ids.js';
import type { ConfirmedPayment } from '../domain/movement.js';
import { confirmedPayment, receivedDeposit, reversalOf, USDC } from '../testing/movements.js';
import { openLedger, type TestLedger } from '../testing/open-ledger.js';
import { eventually } from '#test/support/eventually.js';

let ledger: TestLedger;
beforeEach(async () => {
  ledger = await openLedger();
});
// Also checks all invariants after the last test.
afterEach(() => ledger.close());

describe('The posting of movements', () => {
  const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
    ledger.database.query<Row>(sql, values);
  const ownerOf = ({ organizationId, accountId }: ConfirmedPayment) => ({ organizationId, accountId });
  const payments = (count: number, facts: Partial<ConfirmedPayment>) =>
    Array.from({ length: count }, () => confirmedPayment(facts));

  it('writes the record, its entries and the balances', async () => {
    const payment = confirmedPayment({
      receivedAmount: 10_000_001n,
      feeBasisPoints: 100,
      referenceId: 'order-1',
    });
    await ledger.happen([payment]);
    const before = await ledger.clock.now();

    await ledger.post([payment]);

    const [record] = await rows<Record<string, unknown>>('SELECT * FROM ledger.transactions');
    expect(record).toMatchObject({
      ...{ organizationId: payment.organizationId, accountId: payment.accountId },
      ...{ organizationSequence: 1, accountSequence: 1, type: 'payment_in', status: 'completed' },
      ...{ grossAmount: 10000001n, netAmount: 9900001n, expectedAmount: 10000000n },
      ...{ paymentRequestId: payment.paymentRequestId, referenceId: 'order-1' },
      transactionHash: payment.transactionHash,
    });
    expect(record!['updatedAt']).toEqual(record!['createdAt']);
    expect((record!['createdAt'] as Date).getTime()).toBeGreaterThanOrEqual(before.getTime());
    const balances = await rows(
      'SELECT ledger_account, unique_asset_id, amount FROM ledger.balances ORDER BY 1',
    );
    expect(balances).toEqual([
      { ledgerAccount: 'custody', uniqueAssetId: USDC, amount: 10000001n },
      { ledgerAccount: 'merchant_payable', uniqueAssetId: USDC, amount: -9900001n },
      { ledgerAccount: 'service_fees', uniqueAssetId: USDC, amount: -100000n },
    ]);
  });

  it('keeps the external id of the account at the time of posting', async () => {
    const owner = { organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() };
    await rows(`INSERT INTO identity.organizations VALUES ($1, 'Organization', NULL, now(), now())`, [
      owner.organizationId,
    ]);
    await rows(`INSERT INTO identity.accounts VALUES ($2, $1, 'shop-7', 'Shop', now(), now())`, [
      owner.organizationId,
      owner.accountId,
    ]);
    const both = payments(2, owner);
    await ledger.happen(both);
    await ledger.post([both[0]!]);

    await rows(`UPDATE identity.accounts SET external_id = 'shop-8'`);
    await ledger.post([both[1]!]);

    const scope = { organizationId: owner.organizationId, accountId: null };
    const { items } = await ledger.queries.page(scope, { created: {} }, { page: 1, pageSize: 5 });
    expect(items.map(({ accountExternalId }) => accountExternalId)).toEqual(['shop-8', 'shop-7']);
  });

  it('posts the largest amount of a chain repeatedly', async () => {
    const owner = { organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() };
    const largest = payments(20, { ...owner, receivedAmount: 2n ** 256n - 1n, feeBasisPoints: 10_000 });
    await ledger.happen(largest);

    await ledger.post(largest);

    const [custody] = await rows(`SELECT amount FROM ledger.balances WHERE ledger_account = 'custody'`);
    expect(custody).toEqual({ amount: 20n * (2n ** 256n - 1n) });
  });

  it('posts each payment, deposit and reversal once, even if repeated', async () => {
    const payment = confirmedPayment({ feeBasisPoints: 100 });
    const deposit = receivedDeposit({ ...ownerOf(payment), paymentRequestId: payment.paymentRequestId });
    const movements = [payment, deposit, reversalOf(deposit), reversalOf(payment, { after: 5n })];
    await ledger.happen(movements);

    await ledger.post([...movements, ...movements]);
    await ledger.post([...movements].reverse());

    expect(
      await rows('SELECT type, gross_amount, transfer_id FROM ledger.transactions ORDER BY account_sequence'),
    ).toEqual([
      { type: 'payment_in', grossAmount: 10000000n, transferId: null },
      { type: 'deposit', grossAmount: 4000000n, transferId: deposit.transferId },
      { type: 'adjustment', grossAmount: -4000000n, transferId: deposit.transferId },
      { type: 'adjustment', grossAmount: -9999995n, transferId: expect.any(String) },
    ]);
    expect(await rows('SELECT DISTINCT last FROM ledger.sequences')).toEqual([{ last: 4 }]);
    expect(await rows('SELECT ledger_account, amount FROM ledger.balances ORDER BY ledger_account')).toEqual([
      { ledgerAccount: 'custody', amount: 5n },
      { ledgerAccount: 'merchant_payable', amount: -5n },
      { ledgerAccount: 'service_fees', amount: 0n },
    ]);
  });

  it('needs as many SQL statements for 200 movements as for one', async () => {
    const organizationId = newId<OrganizationId>();
    const accounts = Array.from({ length: 7 }, () => newId<AccountId>());
    const one = confirmedPayment({ feeBasisPoints: 50 });
    const many = Array.from({ length: 50 }, (_, n) => {
      const facts = { organizationId, accountId: accounts[n % 7], feeBasisPoints: 50, referenceId: `${n}` };
      const payment = confirmedPayment(facts);
      const deposit = receivedDeposit(facts);
      return [payment, reversalOf(payment), deposit, reversalOf(deposit)];
    }).flat();
    await ledger.happen([one, ...many]);

    await ledger.post([one]);
    const forOne = ledger.counted.statements;
    await ledger.post(many);

    expect(ledger.counted.statements - forOne).toBe(forOne);
    expect(forOne).toBe(6);
    const order = await rows(
      `SELECT reference_id, type FROM ledger.transactions WHERE organization_id = $1
       ORDER BY organization_sequence`,
      [organizationId],
    );
    expect(order).toEqual(many.map(({ referenceId, type }) => ({ referenceId, type })));
    const inAccounts = await rows(
      `SELECT reference_id, type FROM ledger.transactions WHERE account_id = $1 ORDER BY account_sequence`,
      [accounts[3]],
    );
    expect(inAccounts).toEqual(
      many
        .filter(({ accountId }) => accountId === accounts[3])
        .map(({ referenceId, type }) => ({ referenceId, type })),
    );
  });

  it('dates no record before one with a lower number, even if the clock steps back', async () => {
    const organizationId = newId<OrganizationId>();
    const [first, second] = payments(2, { organizationId });
    await ledger.happen([first!, second!]);
    await ledger.advance(3_600);
    await ledger.post([first!]);
    await ledger.advance(-3_600);

    await ledger.post([second!]);

    const times = await rows<{ createdAt: Date }>('SELECT DISTINCT created_at FROM ledger.transactions');
    expect(times).toHaveLength(1);
    expect(await rows('SELECT DISTINCT last_created_at AS created_at FROM ledger.sequences')).toEqual(times);
  });

  it('posts nothing of a batch with an impossible payment', async () => {
    const good = confirmedPayment();
    const bad = confirmedPayment({ paymentRequestId: newId<PaymentRequestId>(), receivedAmount: 0n });

    await expect(ledger.post([good, bad])).rejects.toThrow('cannot have been received');

    expect(await rows('SELECT 1 FROM ledger.entries UNION ALL SELECT 1 FROM ledger.sequences')).toEqual([]);
  });
});

describe('The concurrent posting of movements', () => {
  const rows = (sql: string) => ledger.database.query(sql);

  it.each([
    ['balances', `SELECT FROM ledger.balances WHERE ledger_account = 'custody' AND account_id`, 'accountId'],
    ['sequences of organizations', 'SELECT FROM ledger.sequences WHERE scope_id', 'organizationId'],
    ['sequences of accounts', 'SELECT FROM ledger.sequences WHERE scope_id', 'accountId'],
  ] as const)('locks %s in the order of their ids', async (_, row, id) => {
    const ids = (): string[] => Array.from({ length: 8 }, () => newId<string>()).sort();
    const [organizations, accounts] = [ids(), ids()];
    const ofAll = () =>
      organizations.map((organizationId, n) =>
        confirmedPayment({
          organizationId: organizationId as OrganizationId,
          accountId: accounts[n] as AccountId,
        }),
      );
    const [before, later] = [ofAll(), ofAll().reverse()];
    await ledger.happen([...before, ...later]);
    await ledger.post(before);
    const [isHeld, isWaited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lock = (movements: readonly ConfirmedPayment[]) =>
      rows(`${row} IN ('${movements.map((each) => each[id]).join(`', '`)}') FOR UPDATE SKIP LOCKED`);
    const holding = ledger.database.run(async () => {
      await lock(before.slice(0, 1));
      isHeld.resolve();
      await isWaited.promise;
      return lock(before.slice(1));
    });
    await isHeld.promise;
    const posting = ledger.post(later);
    await eventually(
      () =>
        rows(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
      ({ length }) => length > 0,
    );
    isWaited.resolve();

    expect(await holding).toHaveLength(7);
    await posting;
  });
});
