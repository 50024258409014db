import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { confirmedPayment } from '../../testing/movements.js';
import { openLedger, type TestLedger } from '../../testing/open-ledger.js';
import { emptiedAddress, settlementEvent, type Owner } from '../../testing/source-events.js';

const REVERSED = { gross_amount: '-10000000', net_amount: '-10000000', expected_amount: '-10000000' };
const SOURCE = { source_id: newId() };
const UNDER_WAY = { status: 'processing' };

describe('The set of database constraints of the journal', () => {
  let ledger: TestLedger;
  beforeAll(async () => {
    ledger = await openLedger();
    const payment = confirmedPayment();
    await ledger.happen([payment]);
    await ledger.post([payment]);
  });
  afterAll(async () => {
    try {
      expect(await ledger.breaches()).toEqual({});
    } finally {
      await ledger.close();
    }
  });

  type Line = [account: string, asset: string, amount: string];
  const writeEntries = (transaction: string, lines: Line[]) =>
    ledger.database.query(
      `INSERT INTO ledger.entries (transaction_id, line, organization_id, account_id, ledger_account, unique_asset_id, amount)
       SELECT $1, row_number() OVER (), $1, $1, * FROM UNNEST($2::text[], $3::text[], $4::numeric[])`,
      [
        transaction,
        lines.map(([account]) => account),
        lines.map(([, asset]) => asset),
        lines.map(([, , amount]) => amount),
      ],
    );
  const copyRecord = (changes: Record<string, unknown>) =>
    ledger.database.query(
      `INSERT INTO ledger.transactions SELECT copied.* FROM ledger.transactions t,
         jsonb_populate_record(t, $1::jsonb) copied WHERE t.type = 'payment_in' LIMIT 1`,
      [
        JSON.stringify({
          id: newId(),
          organization_sequence: 7,
          account_sequence: 7,
          type: 'dry_run',
          ...changes,
        }),
      ],
    );
  /** Creates one settlement transaction with its own status row and a link, for all tests. */
  const followOne = async () => {
    const [followed] = await ledger.database.query('SELECT FROM ledger.status_changes');
    if (followed !== undefined) return;
    const [payment] = await ledger.database.query<{
      request: string;
      to: string;
      organization: string;
      account: string;
    }>(
      `SELECT payment_request_id AS request, to_address AS "to", organization_id AS organization, account_id AS account
       FROM ledger.transactions`,
    );
    const owner = { organizationId: payment!.organization, accountId: payment!.account } as Owner;
    const place = { paymentRequestId: payment!.request, address: payment!.to };
    const [id, addresses] = [newId(), [emptiedAddress(place, 10_000_000n)]];
    await ledger.publish([
      settlementEvent(owner, id, 'processing', addresses),
      settlementEvent(owner, id, 'failed', addresses),
    ]);
    await ledger.untilRead(ledger.runner());
  };
  const constraint = (name: string) => expect.objectContaining({ constraint: name }) as unknown as Error;

  it.each([
    ['ledger.transactions', 'status'],
    ['ledger.entries', 'amount'],
    ['ledger.status_changes', 'status'],
    ['ledger.settled_transactions', 'settlement_id'],
  ])('rejects a change, a deletion and a truncation of rows: %s', async (table, column) => {
    await followOne();

    for (const change of [
      `UPDATE ${table} SET ${column} = ${column}`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table} CASCADE`,
    ]) {
      await expect(ledger.database.query(change)).rejects.toThrow('append-only');
    }
  });

  it.each<[string, string, string]>([
    ['that do not balance', 'entries_balance', 'usdc -6'],
    ['that balance only across assets', 'entries_balance', 'usdt -7'],
    ['without a record, at the commit', 'entries_transaction_id_fkey', 'usdc -7'],
  ])('rejects entries %s', async (_, name, other) => {
    const [asset, amount] = other.split(' ') as [string, string];
    const lines: Line[] = [
      ['custody', 'usdc', '7'],
      ['merchant_payable', asset, amount],
    ];

    await expect(writeEntries(newId(), lines)).rejects.toEqual(constraint(name));
  });

  it.each(['NaN', '0', (10n ** 95n).toString(), (-(10n ** 95n)).toString()])(
    'rejects an entry with an invalid amount: %s',
    async (amount) => {
      const lines: Line[] = [
        ['custody', 'usdc', amount],
        ['merchant_payable', 'usdc', amount],
      ];

      await expect(writeEntries(newId(), lines)).rejects.toEqual(constraint('entries_amount_check'));
    },
  );

  const WITHDRAW = { ...UNDER_WAY, ...SOURCE, payment_request_id: null, type: 'withdraw' };
  const REFUND = { ...UNDER_WAY, ...SOURCE, type: 'refund' };

  it.each([
    ['gross', { gross_amount: 'NaN' }, 'amounts_in_range'],
    ['net', { net_amount: 'NaN' }, 'amounts_in_range'],
    ['expected', { expected_amount: 'NaN' }, 'amounts_in_range'],
    ['range', { gross_amount: (10n ** 95n).toString() }, 'amounts_in_range'],
    ['net above gross', { gross_amount: '5', net_amount: '6' }, 'amounts_in_range'],
    ['minus', { net_amount: '-1' }, 'amounts_not_negative'],
    ['times', { updated_at: '2000-01-01T00:00:00Z' }, 'times_in_order'],
    ['type', { type: 'gift' }, 'type_check'],
    ['status', { status: 'done' }, 'status_check'],
    ['no entries', { type: 'payment_out' }, 'have_entries'],
    ['source of a withdraw', { ...WITHDRAW, source_id: null }, 'withdraw_complete'],
    ['request of a withdraw', { ...UNDER_WAY, ...SOURCE, type: 'withdraw' }, 'withdraw_complete'],
    ['status of a withdraw', { ...WITHDRAW, status: 'completed' }, 'withdraw_complete'],
    ['source of a refund', { ...UNDER_WAY, type: 'refund' }, 'refund_complete'],
    ['net of a refund', { ...REFUND, net_amount: '1' }, 'refund_complete'],
    ['request of a refund', { ...REFUND, payment_request_id: null }, 'refund_complete'],
    ['request of a top-up', { ...SOURCE, type: 'deposit' }, 'deposit_complete'],
    ['source of a deposit', { ...SOURCE, type: 'deposit', transfer_id: newId() }, 'deposit_complete'],
    ['source of a payment', { ...SOURCE, type: 'payment_out' }, 'source_of_type'],
    ['transfer of a deposit', { type: 'deposit' }, 'deposit_complete'],
    ['transfer of an adjustment', { type: 'adjustment', ...REVERSED }, 'adjustment_complete'],
    ['adjustment', { type: 'adjustment', transfer_id: newId() }, 'adjustment_complete'],
    ['organization number', { organization_sequence: 1 }, 'of_organization'],
    ['account number', { account_sequence: 1 }, 'of_account'],
  ])('rejects a record with a fault: %s', async (_, changes, name) => {
    await expect(copyRecord(changes)).rejects.toEqual(constraint(`transactions_${name}`));
  });

  it('rejects a second payment_in of one payment request', async () => {
    const id = newId();

    const second = ledger.database.run(async () => {
      await writeEntries(id, [
        ['custody', 'usdc', '7'],
        ['merchant_payable', 'usdc', '-7'],
      ]);
      await copyRecord({ id, type: 'payment_in' });
    });

    await expect(second).rejects.toEqual(constraint('transactions_one_payment_in'));
  });

  it.each([
    ['deposit', {}],
    ['adjustment', REVERSED],
  ])('rejects a second %s of one transfer', async (type, amounts) => {
    const [id, transfer] = [newId(), newId()];

    const twice = ledger.database.run(async () => {
      await writeEntries(id, [
        ['custody', 'usdc', '7'],
        ['merchant_payable', 'usdc', '-7'],
      ]);
      await copyRecord({ id, type, ...amounts, transfer_id: transfer });
      const next = { organization_sequence: 8, account_sequence: 8 };
      await copyRecord({ ...next, type, ...amounts, transfer_id: transfer });
    });

    await expect(twice).rejects.toEqual(constraint('transactions_once_for_transfer'));
  });

  it('rejects a balance that is not a number', async () => {
    const change = ledger.database.query(`UPDATE ledger.balances SET amount = 'NaN'`);

    await expect(change).rejects.toEqual(constraint('balances_amount_check'));
  });
});
