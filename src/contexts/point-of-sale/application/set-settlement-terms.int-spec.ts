import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import { OUTPUT_NETWORK } from '#contexts/networks/testing/output-family.js';
import { TOKEN } from '../testing/fixed-catalogue.js';
import { ADDRESS, OTHER_ADDRESS, PointOfSaleParts, SHOWN } from '../testing/point-of-sale-parts.js';
import { tenant } from '../testing/tenants.js';

const ZERO = `0x${'0'.repeat(40)}`;

let parts: PointOfSaleParts;

beforeAll(async () => {
  parts = await PointOfSaleParts.open();
});
afterAll(() => parts.close());

async function refusalOf(input: object): Promise<unknown> {
  const error: unknown = await parts.setTerms(await tenant(parts.platform.database), input).catch((e) => e);
  return error instanceof DomainError ? error.errors.map(({ field, rule }) => [field, rule]) : error;
}

describe('Setting settlement terms', () => {
  it('makes new terms and leaves the old ones as they were', async () => {
    const tenantWithTerms = await tenant(parts.platform.database);
    const first = await parts.setTerms(tenantWithTerms, { settlementAddress: ADDRESS.toLowerCase() });

    const second = await parts.setTerms(tenantWithTerms, { settlementAddress: OTHER_ADDRESS });

    expect(first).toMatchObject({
      settlementAddress: ADDRESS,
      feeBasisPoints: 0,
      setBy: 'test',
    });
    expect(await parts.terms.current(tenantWithTerms.organizationId)).toEqual([second]);
    await expect(
      parts.platform.database.query('UPDATE point_of_sale.settlement_terms SET fee_basis_points = 1'),
    ).rejects.toThrow('append-only');
  });

  it.each([
    ['network', { network: 'tron' }],
    ['settlement_address', { settlementAddress: '0x52908400098527886E0F7030069857D2E4169Ee7' }],
    ['settlement_address', { settlementAddress: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359' }],
    ['fee_recipient', { feeBasisPoints: 1 }],
    ['fee_recipient', { feeBasisPoints: 1, feeRecipient: '0x0' }],
    ['fee_basis_points', { feeBasisPoints: 10_001, feeRecipient: ADDRESS }],
  ])('is refused for a bad %s', async (field, input) => {
    await expect(parts.setTerms(await tenant(parts.platform.database), input)).rejects.toMatchObject({
      errors: [{ field }],
    });
  });

  it('wants an organization that exists and an account of it', async () => {
    const owner = await tenant(parts.platform.database);
    const stranger = await tenant(parts.platform.database);
    await expect(parts.setTerms({ ...owner, organizationId: newId() })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(parts.setTerms(owner, { accountId: stranger.accountIds[0] })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('stores the zero address as the recipient where there is no fee, whoever was named', async () => {
    const owner = await tenant(parts.platform.database);

    await expect(parts.setTerms(owner)).resolves.toMatchObject({ feeRecipient: ZERO });
    const named = parts.setTerms(owner, { feeRecipient: OTHER_ADDRESS, feeBasisPoints: 0 });
    await expect(named).resolves.toMatchObject({ feeRecipient: ZERO });

    const stored = await parts.terms.current(owner.organizationId);
    expect(stored).toMatchObject([{ feeRecipient: ZERO, feeBasisPoints: 0 }]);
  });

  it('stores who was named where there is a fee, and wants somebody', async () => {
    const owner = await tenant(parts.platform.database);

    const terms = await parts.setTerms(owner, { feeRecipient: OTHER_ADDRESS, feeBasisPoints: 1 });

    expect(terms.feeRecipient).toBe(OTHER_ADDRESS);
    expect(await refusalOf({ feeBasisPoints: 1 })).toEqual([['fee_recipient', 'required']]);
  });

  it('keeps those that it replaces, newest first, of one organization', async () => {
    const owner = await tenant(parts.platform.database);
    const first = await parts.setTerms(owner, { settlementAddress: ADDRESS });
    const second = await parts.setTerms(owner, { settlementAddress: OTHER_ADDRESS });
    await parts.setTerms(await tenant(parts.platform.database));

    expect(await parts.terms.current(owner.organizationId)).toEqual([second]);
    expect(await parts.terms.history(owner.organizationId, null)).toEqual([second, first]);
    expect(await parts.terms.history(owner.organizationId, first.network)).toEqual([second, first]);
    expect(await parts.terms.history(owner.organizationId, 'another')).toEqual([]);
  });

  it('refuses in both places what could not pay out what it is paid', async () => {
    const refused = [
      [ZERO, 'zero_address'],
      [`0x${'9'.padStart(40, '0')}`, 'precompiled_contract'],
      [TOKEN, 'token_contract'],
      [addressForPeople(SHOWN), 'deposit_address'],
    ] as const;

    for (const [address, rule] of refused) {
      expect(await refusalOf({ settlementAddress: address })).toEqual([['settlement_address', rule]]);
      const fee = { feeRecipient: address, feeBasisPoints: 1 };
      expect(await refusalOf(fee)).toEqual([['fee_recipient', rule]]);
      expect(await refusalOf({ ...fee, feeBasisPoints: 0 })).toEqual([['fee_recipient', rule]]);
    }
  });

  it('is held to it by the table, whoever writes it', async () => {
    const { database } = parts.platform;
    const { organizationId } = await tenant(database);
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

describe('Terms that name a wallet', () => {
  const wallet = (settlementAddress: string, more: object = {}) => ({
    network: OUTPUT_NETWORK,
    settlementAddress,
    ...more,
  });

  it('are stored as they were written, for nobody’s fee', async () => {
    const owner = await tenant(parts.platform.database);

    const terms = await parts.setTerms(owner, wallet('wallet(STORED)'));

    expect(terms).toMatchObject({
      settlementAddress: 'wallet(STORED)',
      feeRecipient: '',
      feeBasisPoints: 0,
    });
  });

  it('are refused with a fee, with a recipient of one, and where they name no wallet', async () => {
    expect(await refusalOf(wallet('wallet(FEE)', { feeBasisPoints: 1, feeRecipient: 'x' }))).toEqual([
      ['fee_basis_points', 'no_fee'],
    ]);
    expect(await refusalOf(wallet('wallet(FEE)', { feeRecipient: 'x' }))).toEqual([
      ['fee_recipient', 'no_fee'],
    ]);
    expect(await refusalOf(wallet(ADDRESS))).toEqual([['settlement_address', 'wallet_name']]);
  });

  it('are of one organization for good, also when two name the wallet at once', async () => {
    const [one, other] = [await tenant(parts.platform.database), await tenant(parts.platform.database)];
    await parts.setTerms(one, wallet('wallet(ONES)'));
    await parts.setTerms(one, wallet('wallet(NEXT)'));
    await parts.setTerms(one, wallet('wallet(ONES)'));

    const refused = await refusalOf(wallet('wallet(ONES)'));
    const both = await Promise.allSettled(
      [one, other].map((each) => parts.setTerms(each, wallet('wallet(RACED)'))),
    );

    expect(refused).toEqual([['settlement_address', 'wallet_of_another_organization']]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await parts.terms.history(other.organizationId, null)).toHaveLength(
      both[1]!.status === 'fulfilled' ? 1 : 0,
    );
  });
});
