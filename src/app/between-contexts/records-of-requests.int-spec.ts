import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId, type PaymentRequestId, type OrganizationId } from '#shared/kernel/ids.js';
import { afterNoon, newTenant, StoredPayments } from '#contexts/payments/testing/requests/stored-payments.js';
import { PostgresSettlementAndRefundRecords } from './settlement-and-refund-records.js';
import { PostgresDownstreamRecords } from './downstream-records.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestDatabase();
});
afterAll(() => platform.close('any'));

const common = { currency: 'USDX', decimals: 6 };

async function settle(id: string, request: string, organization: string, status: string, at: Date) {
  await platform.database.query(
    `INSERT INTO settlement.settlements (id, payouts_id, organization_id, account_id, network, unique_asset_id, currency, decimals,
       amount, fee_amount, settlement_address, paid_from, transaction_hash, payment_count, status, created_at, updated_at)
     VALUES ($1, $1, $2, $1, 'sandbox', 'a', 'USDX', 6, 2000000, 0, '0x5e', '0xfa', '0x1', 1, $3, $4, $4)`,
    [id, organization, status, at],
  );
  await platform.database.query(
    `INSERT INTO settlement.settled_addresses (settlement_id, number, payment_request_id, address, to_settlement, to_fee,
       fee_basis_points) VALUES ($1, 1, $2, '0xda', 1, 0, 0)`,
    [id, request],
  );
}

const refund = (
  id: string,
  request: string,
  organization: string,
  status: string,
  at: Date,
  { hash = null as string | null, amount = 7, asset = 'a' } = {},
) =>
  platform.database.run(async () => {
    await platform.database.queryInTransaction('SET LOCAL session_replication_role = replica');
    await platform.database.queryInTransaction(
      `INSERT INTO settlement.refunds (id, organization_id, account_id, payment_request_id, point_of_sale_id, merchant_name,
         network, token, unique_asset_id, currency, decimals, amount, status, transaction_hash, to_address, approved_at,
         approved_by, float_address, created_at, updated_at)
       VALUES ($1, $2, $1, $3, $1, 'Corner', 'sandbox', '0xd1', $8, 'USDX', 6, $7, $4::text, $6, '0x70',
         CASE WHEN $4 <> 'pending' THEN now() END, CASE WHEN $4 <> 'pending' THEN 'x' END,
         CASE WHEN $4 <> 'pending' THEN '0xf1' END, $5, $5)`,
      [id, organization, request, status, at, hash, amount, asset],
    );
  });

describe('The list of records that are sent with a payment', () => {
  it('contains the newest settlement that has not failed, and all refunds, oldest first', async () => {
    const [delivered, refunded, neither] = [newId(), newId(), newId()] as PaymentRequestId[];
    const [owner, settlements] = [newId(), [newId(), newId(), newId()]];
    for (const [n, status] of ['completed', 'processing', 'failed'].entries())
      await settle(settlements[n]!, delivered!, owner, status, new Date(1_000 * (n + 1)));
    const [failed, completed] = [newId(), newId()];
    await refund(failed, refunded!, owner, 'failed', new Date(2_000));
    await refund(completed, refunded!, owner, 'completed', new Date(1_000), { hash: '0xfe' });

    const of = await new PostgresSettlementAndRefundRecords(platform.database).findByRequests([
      delivered!,
      refunded!,
      neither!,
    ]);

    expect(of.size).toBe(2);
    expect(of.get(delivered!)).toEqual({ settlementId: settlements[1], refunds: [] });
    const facts = { ...common, uniqueAssetId: 'a', network: 'sandbox', amount: 7n };
    expect(of.get(refunded!)).toEqual({
      refundState: 'refunded',
      isRefundable: false,
      refunds: [
        { ...facts, id: completed, status: 'completed', transactionHash: '0xfe' },
        { ...facts, id: failed, status: 'failed' },
      ],
    });
  });
});

describe('The refund state of a payment', () => {
  const [RECEIVED, ASSET] = [10_000_000, 'nsandbox_tUSDX'];
  let id: PaymentRequestId;
  let refundOf: (status: string, amount: number) => Promise<unknown>;
  let receive: (fields?: Record<string, unknown>) => Promise<unknown>;
  beforeEach(async () => {
    const stored = new StoredPayments(platform.database);
    const paid = await stored.request(newTenant(), { status: 'completed', confirmed_at: afterNoon(300) });
    id = paid.id as PaymentRequestId;
    receive = (fields) => stored.transfer(paid, { final: true, ...fields });
    refundOf = (status, amount) =>
      refund(newId(), id, newId(), status, new Date(1_000), { hash: newId(), amount, asset: ASSET });
    await receive();
  });
  const state = async () => {
    const of = (await new PostgresSettlementAndRefundRecords(platform.database).findByRequests([id])).get(id);
    return [of?.refundState, of?.isRefundable];
  };

  it('counts only completed refunds, but what can be refunded also excludes refunds under way', async () => {
    expect(await state()).toEqual([undefined, undefined]);
    await refundOf('failed', RECEIVED);
    expect(await state()).toEqual([undefined, true]);
    await refundOf('completed', RECEIVED - 1);
    expect(await state()).toEqual(['partly_refunded', true]);
    await refundOf('processing', 1);
    expect(await state()).toEqual(['partly_refunded', false]);
  });

  it('is refunded once exactly the received amount is refunded, until another asset is received', async () => {
    await refundOf('completed', RECEIVED);
    expect(await state()).toEqual(['refunded', false]);

    const euros = { currency: 'EURX', unique_asset_id: 'nsandbox_tEURX', counted: false };
    await receive({ ...euros, amount: '1', deposited_at: afterNoon(400) });

    expect(await state()).toEqual(['partly_refunded', true]);
  });
});

describe('The list of later records of a payment', () => {
  it('contains its settlements, refunds and acceptance, oldest first, only for its organization', async () => {
    const [organization, request] = [newId() as OrganizationId, newId() as PaymentRequestId];
    const [settlement, refunded] = [newId(), newId()];
    await settle(settlement, request, organization, 'completed', new Date(2_000));
    await refund(refunded, request, organization, 'pending', new Date(1_000));
    await platform.database.query(
      `INSERT INTO identity.audit_log (at, actor, action, organization_id, subject_id)
       VALUES ($1, 'bo@shop.example', 'payment_request.accepted_as_paid', $2, $3)`,
      [new Date(3_000), organization, request],
    );
    const records = new PostgresDownstreamRecords(platform.database);

    const paid = { status: 'completed', amount: 2_000_000n, transactionHash: '0x1' };
    expect(await records.findByRequest(organization, request)).toEqual([
      { ...common, kind: 'refund', id: refunded, at: new Date(1_000), status: 'pending', amount: 7n },
      { ...common, kind: 'settlement', id: settlement, at: new Date(2_000), ...paid },
      { kind: 'acceptance', id: request, at: new Date(3_000), status: 'completed', actor: 'bo@shop.example' },
    ]);
    expect(await records.findByRequest(newId() as OrganizationId, request)).toEqual([]);
  });
});
