import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { addMonths, type Period } from '../domain/periods/period.js';
import { bookedEvent, receivedDeposit, reversalOf } from '../testing/movements.js';
import type { FileRecord } from '../testing/open-books.js';
import type { TestLedger } from '../testing/open-ledger.js';
import { openMonth, type OpenMonth } from '../testing/open-month.js';
import { anOwner, type Owner } from '../testing/source-events.js';
import { BooksCurrencies } from '../infrastructure/persistence/recorded-rates.js';

/**
 * A transfer that is part of an aggregated deposit. Parameters: $1 id, $2 the deposit, $3 payment request, $4
 * organization.
 */
const INSERT_AGGREGATED_TRANSFER = `INSERT INTO payments.transfers (id, deposit_id, payment_request_id, organization_id, account_id, network, kind,
    transaction_hash, index, block_number, block_hash, block_time, unique_asset_id, currency, decimals, required_confirmations,
    from_address, to_address, amount, counted, final, gathered_on, detected_at, deposited_at)
  SELECT $1, $2, $3, $4, $4, 'sandbox', 'log', '0x1', 0, 1, '0x1', now(), 'a', 'USDC', 6, 1, '0x1', '0x2', 300, false, true, now(), now(), now()`;

describe('The valuation of the journal', () => {
  let world: OpenMonth;
  let ledger: TestLedger;
  let books: OpenMonth['books'];
  let next: Period;
  beforeAll(async () => {
    world = await openMonth();
    ({ ledger, books, next } = world);
  });
  afterAll(() => world.close('any'));

  it('uses only rates recorded before the money was received', async () => {
    const owner = anOwner();
    const now = () => ledger.clock.now();
    const pay = async () => world.post({ ...world.paid(owner, 10_000_000n), occurredAt: await now() });
    await pay();
    await expect(books.setCurrency(owner, 'eur')).rejects.toThrow('currency: must be an ISO 4217');
    await books.setCurrency(owner, 'EUR');
    await pay();
    await books.rates.record('USDC', 'EUR', {
      price: '0.92',
      sources: ['coinbase', 'kraken'],
      at: await now(),
    });
    for (const [symbol, currency] of [['USDX', 'EUR'] as const, ['USDC', 'GBP'] as const])
      await books.rates.record(symbol, currency, { price: '7', sources: ['kraken'], at: await now() });
    await pay();

    const file = await books.journalFile(owner, next);

    const custody = (lines: readonly FileRecord[]) =>
      lines.filter((line) => line.ledger_account === 'custody');
    expect(
      custody(file).map(({ value, value_currency, rate_basis, rate_sources }) => [
        ...[rate_basis, value_currency, value, rate_sources],
      ]),
    ).toEqual([
      ['missing', undefined, undefined, undefined],
      ['missing', 'EUR', undefined, undefined],
      ['recorded', 'EUR', '9.2', 'coinbase kraken'],
    ]);
    expect(await books.xeroFile(owner, next)).toEqual([
      expect.objectContaining({ '*AccountCode': 'PC-HELD', '*Amount': '0' }),
      expect.objectContaining({ '*AccountCode': 'PC-HELD', '*Amount': '9.11' }),
      expect.objectContaining({ '*AccountCode': 'PC-SALES', '*Amount': '-9.2' }),
      expect.objectContaining({ '*AccountCode': 'PC-FEES', '*Amount': '0.09' }),
    ]);
    await books.setCurrency(owner, 'USD');
    await ledger.advance(3_000);
    await books.rates.record('USDC', 'EUR', { price: '0.5', sources: ['kraken'], at: await now() });
    expect(await books.journalFile(owner, next)).toEqual(file);
    await pay();
    const month = (await now()).toISOString().slice(0, 7);
    expect(custody(await books.journalFile(owner, month)).at(-1)).toMatchObject({
      ...{ value_currency: 'USD', rate_basis: 'missing' },
    });
    expect(
      await ledger.database.query(
        'SELECT action, before, after FROM identity.audit_log WHERE organization_id = $1 ORDER BY position',
        [owner.organizationId],
      ),
    ).toEqual(
      [
        [null, 'EUR'],
        ['EUR', 'USD'],
      ].map(([before, after]) => ({
        action: 'account.books_currency_changed',
        before: { books_currency: before },
        after: { books_currency: after },
      })),
    );
  });

  it('records rates at most every half hour, in the current currencies of the books', async () => {
    const [owner, stranger] = [anOwner(), anOwner()];
    const rate = { price: '0.9', sources: ['kraken'], at: await ledger.clock.now() };
    const record = () => books.rates.record('ETH', 'CHF', rate);
    const count = () => ledger.database.query(`SELECT at FROM ledger.recorded_rates WHERE symbol = 'ETH'`);
    const currencies = async () =>
      (await books.rates.currencies()).filter(({ currency }) => ['CHF', 'SEK'].includes(currency));
    const own = async (accounts: Owner[]) => {
      const ids = accounts.map(({ accountId }) => accountId);
      return [
        ...(await new BooksCurrencies(ledger.database).findByAccounts(owner.organizationId, ids)).values(),
      ];
    };
    for (const currency of ['SEK', 'CHF', 'CHF']) await books.setCurrency(owner, currency);
    await books.setCurrency(stranger, 'SEK');
    for (let i = 0; i < 2; i += 1) await record();

    expect(await count()).toHaveLength(1);
    expect(await currencies()).toEqual(
      expect.arrayContaining([
        { currency: 'CHF', recorded: ['ETH'] },
        { currency: 'SEK', recorded: [] },
      ]),
    );
    expect(await own([owner, stranger])).toEqual(['CHF']);
    const acts = await ledger.database.query('SELECT FROM identity.audit_log WHERE organization_id = $1', [
      owner.organizationId,
    ]);
    expect(acts).toHaveLength(2);
    await ledger.advance(1_801);
    await record();
    expect(await count()).toHaveLength(2);
    await ledger.advance(3_601);
    await books.setCurrency(stranger, '');
    expect(await currencies()).toEqual([{ currency: 'CHF', recorded: [] }]);
    await books.setCurrency(owner, '');
    expect(await own([owner])).toEqual([]);
  });

  it('values only the payment itself by the rate that its request locked for the asset', async () => {
    const owner = anOwner();
    const pay = { ...world.paid(owner, 10_000_000n), occurredAt: await ledger.clock.now() };
    const deposit = receivedDeposit({ ...pay, type: 'deposit', transferId: newId(), amount: 500n });
    await ledger.database.run(async () => {
      await ledger.database.queryInTransaction('SET LOCAL session_replication_role = replica');
      await ledger.database.queryInTransaction(
        `WITH checkout AS (INSERT INTO payments.checkouts (payment_request_id, organization_id, account_id, session_id,
             amount, coin_code, payment_options, merchant, created_at)
           VALUES ($1, $2, $3, md5($4::text), '1', 'EUR', '{a}', '{}', now()))
         INSERT INTO payments.selections (payment_request_id, unique_asset_id, organization_id, account_id, network,
           currency, decimals, amount, inclusion_grace_seconds, address, rate, rate_sources, rate_at, selected_at)
         SELECT $1, asset, $2, $3, 'sandbox', 'USDC', 6, 1, 0, '0x1', '0.9', '{kraken}', now(), now()
         FROM unnest($4::text[]) asset`,
        [pay.paymentRequestId, owner.organizationId, owner.accountId, [pay.uniqueAssetId, 'other']],
      );
    });
    await world.post(pay, deposit);

    const lines = await books.journalFile(owner, pay.occurredAt.toISOString().slice(0, 7));

    expect(lines.map(({ type, rate_basis }) => `${type} ${rate_basis}`)).toEqual([
      ...Array<string>(3).fill('payment_in locked'),
      ...Array<string>(3).fill('deposit missing'),
    ]);
  });

  it('values a reversed part of an aggregated deposit by the rate of that deposit', async () => {
    const owner = anOwner();
    const [transferId, part] = [newId<string>(), newId<string>()];
    /** Advances the clock before recording a rate, because rates are recorded at most once an hour. */
    const record = async (price: string) => {
      await ledger.advance(3_000);
      await books.rates.record('USDC', 'EUR', { price, sources: ['kraken'], at: await ledger.clock.now() });
    };
    await books.setCurrency(owner, 'EUR');
    const pay = world.paid(owner, 10_000_000n);
    const gathered = receivedDeposit({ ...pay, type: 'deposit', transferId, amount: 500n });
    await record('0.92');
    await world.post({ ...pay, occurredAt: await ledger.clock.now() });
    await record('0.5');
    await world.post({ ...gathered, occurredAt: await ledger.clock.now() });
    await record('0.7');
    await ledger.database.run(async () => {
      await ledger.database.queryInTransaction('SET LOCAL session_replication_role = replica');
      await ledger.database.queryInTransaction(INSERT_AGGREGATED_TRANSFER, [
        part,
        transferId,
        pay.paymentRequestId,
        owner.organizationId,
      ]);
    });
    const reversal = reversalOf(gathered, { transferId: part, before: 500n, after: 200n });
    const event = bookedEvent(reversal, await ledger.clock.now());
    await ledger.publish([{ ...event, data: { ...event.data, depositId: transferId } as never }]);
    await ledger.post([reversal]);

    const files = await Promise.all(
      [0, 1].map((months) => books.journalFile(owner, addMonths(next, months))),
    );
    const rates = files.flat().map(({ type, rate }) => `${type} ${rate}`);
    expect([...new Set(rates)]).toEqual(['payment_in 0.92', 'deposit 0.5', 'adjustment 0.5']);
  });
});
