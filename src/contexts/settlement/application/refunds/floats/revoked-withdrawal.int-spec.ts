import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { floatKeyOf } from '#contexts/networks/contract/sender.js';
import { GWEI } from '#contexts/networks/testing/sending-world.js';
import { NATIVE } from '#contexts/settlement/domain/refunds/refund-float.js';
import { RefundsOnChain, SUM } from '#contexts/settlement/testing/refunds/refunds-on-chain.js';
import {
  NETWORK,
  PAYER,
  type RefundsWorld,
  SETTLED_TO,
} from '#contexts/settlement/testing/refunds/refunds-world.js';

let refunds: RefundsOnChain;
let world: RefundsWorld;
beforeEach(async () => {
  refunds = await RefundsOnChain.open();
  ({ world } = refunds);
  await termsOf(SETTLED_TO);
});
// Terms are made up.
afterEach(() => refunds.close(['settlement-terms-are-versioned', 'settlement-terms-are-as-audited']));

/** In force for the organization as a whole. */
const termsOf = (address: string) =>
  world.rows(
    `INSERT INTO point_of_sale.settlement_terms (id, organization_id, network, settlement_address, fee_recipient,
       fee_basis_points, set_by, created_at)
     VALUES (gen_random_uuid(), $1, $2, $3, $3, 1, 'test', now())`,
    [world.organizationId, NETWORK, address],
  );

describe('A withdrawal whose settlement address is changed', () => {
  it('once it has a nonce fails without effect, and the refund behind it is paid', async () => {
    const id = await refunds.withdraw();
    const call = { to: SETTLED_TO, data: '0x', value: SUM, gasLimit: 21_000n };
    const key = floatKeyOf(world.organizationId);
    const order = {
      id,
      network: NETWORK,
      sender: refunds.float,
      key,
      purpose: 'float_withdrawal',
      call,
    } as const;
    await refunds.sending.sendings.reserve(
      { ...order, feeCeiling: 500n * GWEI },
      { latestCount: 0, mostCount: 0 },
      async () => void (await world.process().payouts.send(id, call)),
    );

    await termsOf(PAYER);
    const later = await refunds.refund(PAYER);
    await refunds.paid();

    expect(await world.status(later)).toBe('completed');
    expect(await ended(id)).toEqual({
      status: 'failed',
      failure: expect.stringContaining('settlement address was changed'),
    });
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 0n, refunded: SUM, withdrawn: 0n });
  });

  it('before it has a nonce fails at once, and gets none', async () => {
    const id = await refunds.withdraw();

    await termsOf(PAYER);
    await refunds.paid();

    expect(await ended(id)).toEqual({
      status: 'failed',
      failure: expect.stringContaining('settlement address no longer'),
    });
    expect(await refunds.sending.sender.fate(id)).toBeNull();
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 0n, withdrawn: 0n });
  });
});

const ended = async (id: string) =>
  (await world.rows('SELECT status, failure FROM settlement.refund_float_payouts WHERE id = $1', [id]))[0];
