import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type OrganizationId, type PointOfSaleId } from '#shared/kernel/ids.js';
import { ASSET, OTHER_ASSET, TOKEN_ADDRESS } from '../testing/fixed-catalogue.js';
import {
  PointOfSaleParts,
  organizationScopeOf,
  ADDRESS,
  OTHER_ADDRESS,
  DEPOSIT_ADDRESS,
} from '../testing/point-of-sale-parts.js';
import { createTenant, type Tenant } from '../testing/tenants.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { OUTPUT_NETWORK } from '#contexts/networks/testing/output-chain-type.js';

let parts: PointOfSaleParts;
let owner: Tenant;
let stranger: Tenant;

beforeAll(async () => {
  parts = await PointOfSaleParts.open();
  owner = await createTenant(parts.platform.database, 2);
  stranger = await createTenant(parts.platform.database);
});
afterAll(() => parts.close());

describe('The deletion of a point of sale', () => {
  it('revokes its devices, is recorded in the audit log, and hides it from lists and lookups', async () => {
    const { id } = await parts.create(owner, { type: 'physical' });
    const { code } = await parts.records.find(organizationScopeOf(owner), id);

    await expect(parts.delete(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await parts.delete(owner, id)).toBe(id);

    const scope = organizationScopeOf(owner);
    const [entry] = await parts.platform.database.query(
      `SELECT before ->> 'name' AS name, after FROM identity.audit_log
       WHERE subject_id = $1 AND action = 'point_of_sale.deleted'`,
      [id],
    );
    expect([parts.devices.revoked, entry]).toEqual([[id], { name: 'Web shop', after: null }]);
    const listed = await parts.records.list(scope, { page: 1, pageSize: 100 });
    expect(listed.items.map((each) => each.id)).not.toContain(id);
    for (const gone of [
      () => parts.records.find(scope, id),
      () => parts.pointsOfSale.find(scope, id),
      () => parts.pointsOfSale.findByCode(code!),
      () => parts.delete(owner, id),
    ])
      await expect(gone()).rejects.toMatchObject({ code: 'not_found' });
    expect((await parts.records.namesOf(owner.organizationId, [id])).get(id)).toBe('Web shop');
  });
});

describe('The deletion of a point of sale beside the creation of a payment request', () => {
  it('waits for the creation before it counts open requests', async () => {
    const { database } = parts.platform;
    const { id, organizationId, accountId } = await parts.create(owner, {});
    const [held, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const order: string[] = [];
    const creation = database.run(async () => {
      await database.queryInTransaction(`SELECT point_of_sale.public_hold_version($1, $2, $3, 'any')`, [
        id,
        organizationId,
        accountId,
      ]);
      held.resolve();
      await finished.promise;
      order.push('created');
    });
    await held.promise;
    const deletion = parts.delete(owner, id).then(() => order.push('deleted'));
    setTimeout(finished.resolve, 150);
    await Promise.all([creation, deletion]);

    expect(order).toEqual(['created', 'deleted']);
  });
});

describe('The change of a point of sale', () => {
  it('replaces the full description and records it in the audit log', async () => {
    const before = await parts.create(owner, {
      ...{ merchant: { name: 'Shop', mcc: '5661' }, returnUrl: 'https://shop.example/thanks' },
      ...{ frameOrigins: ['https://shop.example'], checkoutFirst: 'code' },
    });
    const asked = { actor: 'svc.dev.x', address: '203.0.113.7' };
    const merchant = { name: 'Store' };

    const after = await parts.change(owner, before.id, { name: 'Till', merchant, ...asked });

    const [entry] = await parts.platform.database.query(
      'SELECT actor, address, action, before, after FROM identity.audit_log WHERE subject_id = $1 ORDER BY position DESC',
      [before.id],
    );
    expect(after).toEqual({
      ...{ ...before, name: 'Till', merchant, returnUrl: null, frameOrigins: [], checkoutFirst: 'address' },
      ...{ paymentOptions: [ASSET], updatedAt: after.updatedAt },
    });
    const previous = { name: 'Web shop', merchant: { name: 'Shop', mcc: '5661' }, checkout_first: 'code' };
    expect(entry).toEqual({
      ...{ ...asked, action: 'point_of_sale.changed', before: expect.objectContaining(previous) },
      after: {
        ...{ account_id: before.accountId, name: 'Till', type: 'online', merchant, payment_options: [ASSET] },
        ...{ return_url: null, frame_origins: [], checkout_first: 'address', open_amount: false, till: null },
      },
    });
  });

  it('keeps the code of a physical point of sale and rejects a till on an online one', async () => {
    const till = { coinCode: 'EUR', tipPercentages: [5, 10], products: [{ name: 'Tea', amount: '3.50' }] };
    const before = await parts.create(owner, { type: 'physical', openAmount: true, till });
    const kept = { ...till, products: [{ name: 'Tea', amount: '3.5' }] };
    expect(before).toMatchObject({
      openAmount: true,
      till: kept,
      code: expect.stringMatching(/^0[\w-]{22}$/),
    });

    const after = await parts.change(owner, before.id);

    expect(after).toMatchObject({ openAmount: false, till: null, code: before.code });
    const online = await parts.create(owner);
    expect(online.code).toBeNull();
    await expect(parts.change(owner, online.id, { till })).rejects.toMatchObject({
      errors: [{ field: 'config.till', rule: 'physical_only' }],
    });
  });

  it('lets payers enter the amount only after the approval of the organization', async () => {
    parts.approval.isApproved = false;
    const { id } = await parts.create(owner, { type: 'physical' });

    for (const refused of [
      () => parts.create(owner, { type: 'physical', openAmount: true }),
      () => parts.change(owner, id, { openAmount: true }),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 'organization_not_approved' });
    parts.approval.isApproved = true;
  });

  it('rejects another type or account', async () => {
    const [own, other] = owner.accountIds;
    const { id } = await parts.create(owner);

    await expect(parts.change(owner, id, { type: 'physical' })).rejects.toMatchObject({
      errors: [{ field: 'type', rule: 'unchangeable' }],
    });
    await expect(parts.change(owner, id, { account: other! })).rejects.toMatchObject({
      errors: [{ field: 'account_id', rule: 'unchangeable' }],
    });
    expect(await parts.change(owner, id, { type: 'online', account: own.toUpperCase() })).toMatchObject({
      id,
    });
  });

  it('requires a scope that contains the point of sale', async () => {
    const { id } = await parts.create(owner);
    const missing = { code: 'not_found', message: expect.stringMatching(/^No such point of sale/) };
    const [, other] = owner.accountIds;

    for (const [tenant, changed, scope] of [
      [stranger, id, organizationScopeOf(stranger)],
      [owner, id, { ...organizationScopeOf(owner), accountId: other! }],
      [owner, newId<PointOfSaleId>(), organizationScopeOf(owner)],
    ] as const)
      await expect(parts.change(tenant, changed, { scope })).rejects.toMatchObject(missing);
  });
});

describe('The creation of a point of sale', () => {
  const physical = (till: object) => ({ type: 'physical', till: { coinCode: 'EUR', ...till } });
  it.each([
    ['name', { name: ' ' }],
    ['type', { type: 'virtual' }],
    ['config.payment_options', { paymentOptions: [] }],
    ['config.payment_options', { paymentOptions: ['npolygon_t0x0000000000000000000000000000000000000001'] }],
    ['config.payment_options', { paymentOptions: [ASSET, ASSET.replace('3c499c', '3C499C')] }],
    ['config.return_url', { returnUrl: 'javascript:alert(1)' }],
    ['config.frame_origins', { frameOrigins: ['https://a.example', 'https://a.example/'] }],
    ['config.frame_origins', { frameOrigins: Array.from({ length: 21 }, (_, n) => `https://a${n}.example`) }],
    ['config.checkout_first', { checkoutFirst: 'browser' }],
    ['config.open_amount', { openAmount: true }],
    ['config.till', { till: { coinCode: 'EUR' } }],
    ['config.till.coin_code', physical({ coinCode: 'DOGE' })],
    ['config.till.tip_percentages', physical({ tipPercentages: [5, 5] })],
    [
      'config.till.products[0].amount',
      physical({ coinCode: 'JPY', products: [{ name: 'Cake', amount: '300.5' }] }),
    ],
    ['config.merchant.name', { merchant: { name: '' } }],
  ])('is rejected if a field is invalid: field %s, value %j', async (field, input) => {
    await expect(parts.create(owner, input)).rejects.toMatchObject({ errors: [{ field }] });
  });

  it('requires an account within the scope, explicitly if the scope is an organization', async () => {
    const [own, other] = owner.accountIds;
    const ofOwn = { ...organizationScopeOf(owner), accountId: own };

    for (const input of [
      { account: stranger.accountIds[0] },
      { account: 'no-id' },
      { scope: ofOwn, account: other! },
      { scope: ofOwn, account: newId<string>() },
    ])
      await expect(parts.create(owner, input)).rejects.toMatchObject({ code: 'account_not_allowed' });
    await expect(parts.create(owner, { account: undefined })).rejects.toMatchObject({
      errors: [{ field: 'account_id', rule: 'required' }],
    });
    expect(await parts.create(owner, { scope: ofOwn, account: undefined })).toMatchObject({ accountId: own });
    expect(await parts.create(owner, { scope: ofOwn, account: own })).toMatchObject({ accountId: own });
  });
});

const ZERO = `0x${'0'.repeat(40)}`;

async function refusalOf(input: object): Promise<unknown> {
  const error: unknown = await parts
    .setTerms(await createTenant(parts.platform.database), input)
    .catch((e) => e);
  return error instanceof DomainError ? error.errors.map(({ field, rule }) => [field, rule]) : error;
}

describe('The record of settlement terms', () => {
  it('keeps earlier terms, newest first, per organization', async () => {
    const tenantWithTerms = await createTenant(parts.platform.database);
    const first = await parts.setTerms(tenantWithTerms, { settlementAddress: ADDRESS.toLowerCase() });

    const second = await parts.setTerms(tenantWithTerms, { settlementAddress: OTHER_ADDRESS });

    expect(first).toMatchObject({ settlementAddress: ADDRESS, feeBasisPoints: 0, setBy: 'test' });
    await parts.setTerms(await createTenant(parts.platform.database));
    const { organizationId } = tenantWithTerms;
    expect(await parts.terms.listCurrent(organizationId)).toEqual([second]);
    expect(await parts.terms.listHistory(organizationId, null)).toEqual([second, first]);
    expect(await parts.terms.listHistory(organizationId, first.network)).toEqual([second, first]);
    expect(await parts.terms.listHistory(organizationId, 'another')).toEqual([]);
    const own = await parts.setTerms(tenantWithTerms, { accountId: tenantWithTerms.accountIds[0] });
    expect(await parts.terms.listCurrent(organizationId)).toEqual([second, own]);
    await expect(
      parts.platform.database.query('UPDATE point_of_sale.settlement_terms SET fee_basis_points = 1'),
    ).rejects.toThrow('append-only');
  });

  it.each([
    ['network', { network: 'tron' }],
    ['settlement_address', { settlementAddress: '0x52908400098527886E0F7030069857D2E4169Ee7' }],
    ['settlement_address', { settlementAddress: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359' }],
    ['fee_basis_points', { feeBasisPoints: 10_001, feeRecipient: ADDRESS }],
  ])('rejects terms with an invalid field: %s', async (field, input) => {
    await expect(parts.setTerms(await createTenant(parts.platform.database), input)).rejects.toMatchObject({
      errors: [{ field }],
    });
  });

  it('reserves the keys of a wallet for one organization on each network', async () => {
    const [own, other] = [newId<OrganizationId>(), newId<OrganizationId>()];
    const claims = [
      ['bitcoin', ['a', 'b'], own],
      ['bitcoin', ['b'], own],
      ['bitcoin', ['b', 'c'], other],
      ['litecoin', ['b'], other],
      ['bitcoin', ['d'], other],
    ] as const;
    const granted: boolean[] = [];
    for (const [network, keys, organization] of claims)
      granted.push(
        await parts.platform.database.run(() =>
          parts.terms.reserveWalletIdentifiers(network, keys, organization),
        ),
      );

    expect(granted).toEqual([true, true, false, true, true]);
  });

  it('requires an existing organization and an account of it', async () => {
    const owner = await createTenant(parts.platform.database);
    const stranger = await createTenant(parts.platform.database);
    await expect(parts.setTerms({ ...owner, organizationId: newId() })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(parts.setTerms(owner, { accountId: stranger.accountIds[0] })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('stores the zero address as fee recipient if there is no fee, and otherwise the given address', async () => {
    const owner = await createTenant(parts.platform.database);

    await expect(parts.setTerms(owner)).resolves.toMatchObject({ feeRecipient: ZERO });

    const zero = await parts.setTerms(owner, { feeRecipient: OTHER_ADDRESS, feeBasisPoints: 0 });
    expect(zero).toMatchObject({ feeRecipient: ZERO });
    const named = await parts.setTerms(owner, { feeRecipient: OTHER_ADDRESS, feeBasisPoints: 1 });

    expect(named.feeRecipient).toBe(OTHER_ADDRESS);
    expect(await refusalOf({ feeBasisPoints: 1 })).toEqual([['fee_recipient', 'required']]);
  });

  it('rejects a fee recipient or settlement address that could not use the money', async () => {
    const refused = [
      [ZERO, 'zero_address'],
      [`0x${'9'.padStart(40, '0')}`, 'precompiled_contract'],
      [TOKEN_ADDRESS, 'token_contract'],
      [toDisplayAddress(DEPOSIT_ADDRESS), 'deposit_address'],
    ] as const;

    for (const [address, rule] of refused) {
      expect(await refusalOf({ settlementAddress: address })).toEqual([['settlement_address', rule]]);
      const fee = { feeRecipient: address, feeBasisPoints: 1 };
      expect(await refusalOf(fee)).toEqual([['fee_recipient', rule]]);
      expect(await refusalOf({ ...fee, feeBasisPoints: 0 })).toEqual([['fee_recipient', rule]]);
    }
    const ofOtherNetwork = { settlementAddress: toDisplayAddress(OTHER_ASSET.slice(-42)) };
    expect(await refusalOf(ofOtherNetwork)).toMatchObject(ofOtherNetwork);
  });

  it('rejects, by database constraints, a fee recipient that does not fit the fee', async () => {
    const { database } = parts.platform;
    const { organizationId } = await createTenant(database);
    const insert = (recipient: string, share: number) =>
      database.query(
        `INSERT INTO point_of_sale.settlement_terms (id, organization_id, network, settlement_address, fee_recipient,
           fee_basis_points, set_by, created_at)
         VALUES (gen_random_uuid(), $1, 'polygon', $2, $3, $4, 'test', now())`,
        [organizationId, ADDRESS, recipient, share],
      );

    await expect(insert(ADDRESS, 0)).rejects.toThrow('settlement_terms_recipient_of_a_fee');
    await expect(insert(ZERO, 1)).rejects.toThrow('settlement_terms_recipient_of_a_fee');
    await expect(insert('', 1)).rejects.toThrow('settlement_terms_fee_has_recipient');
  });
});

describe('The record of settlement terms for a wallet', () => {
  const wallet = (settlementAddress: string, more: object = {}) => ({
    network: OUTPUT_NETWORK,
    settlementAddress,
    ...more,
  });

  it('stores the wallet as written, without a fee', async () => {
    const owner = await createTenant(parts.platform.database);

    const terms = await parts.setTerms(owner, wallet('wallet(STORED)'));

    expect(terms).toMatchObject({ settlementAddress: 'wallet(STORED)', feeRecipient: '', feeBasisPoints: 0 });
  });

  it('rejects a fee, a recipient and an invalid wallet', async () => {
    expect(await refusalOf(wallet('wallet(FEE)', { feeBasisPoints: 1, feeRecipient: 'x' }))).toEqual([
      ['fee_basis_points', 'no_fee'],
    ]);
    expect(await refusalOf(wallet('wallet(FEE)', { feeRecipient: 'x' }))).toEqual([
      ['fee_recipient', 'no_fee'],
    ]);
    expect(await refusalOf(wallet(ADDRESS))).toEqual([['settlement_address', 'wallet_name']]);
  });

  it('reserves a wallet for one organization permanently, even against concurrent requests', async () => {
    const [one, other] = [
      await createTenant(parts.platform.database),
      await createTenant(parts.platform.database),
    ];
    await parts.setTerms(one, wallet('wallet(ONES)'));
    await parts.setTerms(one, wallet('wallet(NEXT)'));
    await parts.setTerms(one, wallet('wallet(ONES)'));

    const refused = await refusalOf(wallet('wallet(ONES)'));
    const both = await Promise.allSettled(
      [one, other].map((each) => parts.setTerms(each, wallet('wallet(RACED)'))),
    );

    expect(refused).toEqual([['settlement_address', 'wallet_of_another_organization']]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await parts.terms.listHistory(other.organizationId, null)).toHaveLength(
      both[1]!.status === 'fulfilled' ? 1 : 0,
    );
  });
});
