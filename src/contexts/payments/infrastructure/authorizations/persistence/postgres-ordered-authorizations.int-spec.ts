import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';
import type { SubmittedAuthorization } from '#contexts/payments/application/authorizations/submit-authorization.js';
import {
  openAuthorizations,
  type Signing,
} from '#contexts/payments/testing/authorizations/open-authorizations.js';
import { DOLLAR, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { PostgresOrderedAuthorizations } from './postgres-ordered-authorizations.js';

let world: Signing;
let session: CheckoutView;
let signed: SubmittedAuthorization;
let id: string;
beforeEach(async () => {
  world = await openAuthorizations();
  session = await world.asked();
  signed = await world.signed(session);
  await world.submit(session, signed);
  id = (await world.stored())[0]!.id;
});
afterEach(() => world.close('any'));

const find = () => new PostgresOrderedAuthorizations(world.platform.database).find(id);

describe('An authorization that is to be signed for', () => {
  it('is what its payer signed, to the address that its request has shown, also once the request has ended', async () => {
    await world.platform.advance(3_600);

    expect(await find()).toEqual({
      network: NETWORK,
      token: DOLLAR.token,
      authorization: { ...signed.authorization, to: session.selected!.address.toLowerCase() },
      signature: signed.signature,
    });
  });

  it('is none once it has ended', async () => {
    await world.platform.advance(481);
    await world.look();

    expect(await find()).toBeNull();
  });

  it.each([
    ['goes to a stranger', `to_address = '0x' || repeat('a', 40)`],
    [
      'is of another asset',
      `token = '0x' || repeat('a', 40), unique_asset_id = 'n' || network || '_t0x' || repeat('a', 40)`,
    ],
    ['is of another request', 'payment_request_id = gen_random_uuid()'],
    ['is of another merchant', 'organization_id = gen_random_uuid()'],
    ['is for more than was asked for', 'value = value + 1'],
  ])('is none where the row %s', async (_what, change) => {
    await world.platform.database.query(
      'ALTER TABLE payments.authorizations DISABLE TRIGGER authorizations_kept',
    );
    await world.platform.database.query(`UPDATE payments.authorizations SET ${change}`);

    expect(await find()).toBeNull();
  });

  it('is none to an address that the request’s events never showed, though it is stored as its deposit address', async () => {
    const stranger = `0x${'a'.repeat(40)}`;
    await world.platform.database.query(
      `INSERT INTO payments.deposit_addresses SELECT network, $1, tag, payment_request_id, organization_id, account_id,
         unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points, created_at
       FROM payments.deposit_addresses WHERE payment_request_id = $2`,
      [stranger, session.id],
    );
    await world.platform.database.query(
      'ALTER TABLE payments.authorizations DISABLE TRIGGER authorizations_kept',
    );
    await world.platform.database.query('UPDATE payments.authorizations SET to_address = $1', [stranger]);

    expect(await find()).toBeNull();
  });
});
