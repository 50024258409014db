import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Asset } from '#shared/kernel/asset.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { refundsInvariants } from '#contexts/settlement/infrastructure/refunds/persistence/refunds-invariants.js';
import {
  RefundsWorld,
  rejectionText,
  SETTLED_TO,
} from '#contexts/settlement/testing/refunds/refunds-world.js';

const OF_ACCOUNT = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65';
const EARLIER = '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc';

let world: RefundsWorld;
beforeAll(async () => {
  world = await RefundsWorld.open();
  await world.fund(1_000_000_000n, 10_000_000n);
});
// The payments in this test have no stored transfers, so their invariants are not checked.
afterAll(() => world.close('any'));

const allot = (amount: string) => {
  const { organizationId, accountId } = world;
  const { uniqueAssetId } = world.token;
  return world.process().allot.allot({ organizationId, accountId, uniqueAssetId, amount, actor: 'operator' });
};
const setBasis = (basis: string) =>
  world.process().setBasis.set({ organizationId: world.organizationId, basis, actor: 'operator' });
const refund = async (amount: string, paidTo = OF_ACCOUNT) =>
  world.create({ of: await world.requestPaidTo(paidTo), amount });
const allotment = async () =>
  (await world.process().limits.allotments(world.organizationId)).map(({ allotted, used }) => ({
    ...{ allotted, used },
  }));
const broken = async () => {
  const names = [];
  for (const { name, breaches } of refundsInvariants)
    if ((await world.rows(breaches)).length > 0) names.push(name);
  return names;
};

describe('A refund of money settled to the account’s own address', () => {
  it('is rejected before the account has an allotment', async () => {
    await world.settleTo(OF_ACCOUNT, world.accountId);

    expect(await rejectionText(refund('10'))).toBe(
      `refund_float_insufficient: The account's share of the refund float on sandbox is too low: 0 USDT of 0 USDT remain. Ask the operator to increase it (float allot).`,
    );
  });

  it('uses the allotment, and returns to it after a failure', async () => {
    await allot('15');
    const paid = await refund('10');
    expect(await rejectionText(refund('5.000001'))).toContain('5 USDT of 15 USDT remain');
    await world.turn();
    world.chain.mine(paid.refund.id, 'reverted');
    await world.turn();

    expect(await world.status(paid.refund.id)).toBe('failed');
    expect(await allotment()).toEqual([{ allotted: 15_000_000n, used: 0n }]);
    await refund('9');
    expect(await allotment()).toEqual([{ allotted: 15_000_000n, used: 9_000_000n }]);
  });

  it('is rejected at approval if the allotment does not suffice', async () => {
    const { refund: claimed, claim } = await world.create({
      ...{ of: await world.requestPaidTo(OF_ACCOUNT), amount: '7', claim: {} },
    });
    const { claim: claims, approve } = world.process();
    await claims.claim({ claim: claim!, refundToAddress: EARLIER, confirmed: true });

    expect(
      await rejectionText(approve.approve({ scope: world.scope, id: claimed.id, by: 'credential' })),
    ).toContain('6 USDT of');
  });

  it('exceeds no allotment in concurrent approvals', async () => {
    await allot('21');
    const requests = [];
    for (let i = 0; i < 4; i += 1) requests.push(await world.requestPaidTo(OF_ACCOUNT));
    const outcomes = await Promise.all(
      requests.map((of) => rejectionText(world.create({ of, amount: '5' }))),
    );

    expect(outcomes.filter((each) => each === 'done')).toHaveLength(2);
    expect(await allotment()).toEqual([{ allotted: 21_000_000n, used: 19_000_000n }]);
  });

  it('uses the allotment whatever terms and basis apply to another network or organization', async () => {
    const other = newId<OrganizationId>();
    await world.process().setBasis.set({ organizationId: other, basis: 'received', actor: 'operator' });
    await world.rows(
      `INSERT INTO point_of_sale.settlement_terms (id, organization_id, network, settlement_address, fee_recipient,
         fee_basis_points, set_by, created_at)
       SELECT gen_random_uuid(), t.organization_id::uuid, t.network, $3, $3, 1, 'test', now()
       FROM (VALUES ($1, 'base'), ($2, 'sandbox')) AS t (organization_id, network)`,
      [world.organizationId, other, OF_ACCOUNT],
    );
    const { id: paymentRequestId } = await world.requestPaidTo(OF_ACCOUNT);
    const { limits } = world.process();
    const takes = (asset: Asset) =>
      limits.takesFromAllotment({ organizationId: world.organizationId, paymentRequestId, asset });

    expect([await takes(world.token), await takes({ ...world.token, network: 'base' })]).toEqual([
      true,
      false,
    ]);
    expect(await limits.allotments(other)).toEqual([]);
    const ofCoin = () => limits.lockAllotment(world.accountId, world.coin.uniqueAssetId);
    expect(await world.platform.database.run(ofCoin)).toEqual({ allotted: 0n, used: 0n });
  });

  it('uses no allotment if the refund basis is the amount received', async () => {
    await setBasis('received');
    await refund('10');
    await setBasis('topped_up');

    expect(await rejectionText(refund('10'))).toContain('2 USDT of');
    expect(await allotment()).toEqual([{ allotted: 21_000_000n, used: 19_000_000n }]);
    const [audited] = await world.rows(
      `SELECT before, after FROM identity.audit_log WHERE action = 'refund_basis.set' ORDER BY position DESC LIMIT 1`,
    );
    expect(audited).toEqual({ before: { basis: 'received' }, after: { basis: 'topped_up' } });
  });
});

describe('A refund of money settled to the organization’s address', () => {
  it('needs no allotment in any spelling of the address, even after the address changes', async () => {
    await refund('10', SETTLED_TO.toUpperCase().replace('0X', '0x'));
    const before = await world.requestPaidTo(EARLIER, EARLIER);
    await refund('10', SETTLED_TO);

    expect(await rejectionText(world.create({ of: before }))).toBe('done');
    expect(await allotment()).toEqual([{ allotted: 21_000_000n, used: 19_000_000n }]);
  });
});

describe('An allotment', () => {
  it('cannot be set below what refunds have used', async () => {
    expect(await rejectionText(allot('18.999999'))).toContain('must be at least 19 USDT');
    await allot('19');
    const audited = await world.rows(
      `SELECT actor, before ->> 'allotted' AS before, after ->> 'allotted' AS after FROM identity.audit_log
       WHERE action = 'refund_float.allotted' ORDER BY position DESC LIMIT 1`,
    );
    expect(audited).toEqual([{ actor: 'operator', before: '21000000', after: '19000000' }]);
  });

  it('is set, like a limit, only for an account of the organization', async () => {
    const owner = { organizationId: newId<OrganizationId>(), accountId: world.accountId };
    const input = { ...owner, uniqueAssetId: world.token.uniqueAssetId, amount: '1', actor: 'operator' };

    expect(await rejectionText(world.process().allot.allot(input))).toMatch(/^not_found/);
    expect(await rejectionText(world.process().setLimit.set(input))).toMatch(/^not_found/);
  });

  it('satisfies its invariants, which report payouts outside of it', async () => {
    expect(await broken()).toEqual([]);

    await world.platform.database.run(async () => {
      await world.rows('SET LOCAL session_replication_role = replica');
      await world.rows('UPDATE settlement.refund_float_payouts SET from_allotment = false');
      await world.rows(`UPDATE identity.audit_log SET at = at - interval '1 day'`);
    });

    expect(await broken()).toEqual(['refunds-stay-within-allotments', 'refunds-are-taken-from-allotments']);
  });
});
