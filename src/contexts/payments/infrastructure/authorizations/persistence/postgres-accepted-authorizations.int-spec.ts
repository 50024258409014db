import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';
import type { SubmittedAuthorization } from '#contexts/payments/application/authorizations/submit-authorization.js';
import {
  openAuthorizations,
  type Signing,
} from '#contexts/payments/testing/authorizations/open-authorizations.js';
import { DOLLAR, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { PostgresAcceptedAuthorizations } from './postgres-accepted-authorizations.js';

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

const find = () => new PostgresAcceptedAuthorizations(world.platform.database).find(id);

describe('An authorization to submit', () => {
  it('contains what the payer signed, even after its request has ended', async () => {
    await world.platform.advance(3_600);

    expect(await find()).toEqual({
      network: NETWORK,
      token: DOLLAR.token,
      authorization: { ...signed.authorization, to: session.selected!.address.toLowerCase() },
      signature: signed.signature,
    });
  });

  it('is not found after it has ended', async () => {
    await world.platform.advance(481);
    await world.look();

    expect(await find()).toBeNull();
  });

  it('is not found after any of its facts was changed', async () => {
    const { database } = world.platform;
    const stranger = `'0x' || repeat('a', 40)`;
    const findWith = async (...statements: string[]) => {
      const undone = new Error('undone');
      let found: unknown;
      const changed = database.run(async () => {
        await database.queryInTransaction(
          'ALTER TABLE payments.authorizations DISABLE TRIGGER authorizations_kept',
        );
        for (const statement of statements) await database.queryInTransaction(statement);
        found = await find();
        throw undone;
      });
      await expect(changed).rejects.toBe(undone);
      return found;
    };

    for (const change of [
      `to_address = ${stranger}`,
      `token = ${stranger}, unique_asset_id = 'n' || network || '_t' || ${stranger}`,
      'payment_request_id = gen_random_uuid()',
      'organization_id = gen_random_uuid()',
      'value = value + 1',
    ])
      expect(await findWith(`UPDATE payments.authorizations SET ${change}`)).toBeNull();
    // The address is stored as a deposit address of the request, but no event has shown it to the payer.
    const addressOfStranger = `INSERT INTO payments.deposit_addresses SELECT network, ${stranger}, tag, payment_request_id,
        organization_id, account_id, unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient,
        fee_basis_points, created_at FROM payments.deposit_addresses WHERE payment_request_id = '${session.id}'`;
    const changed = await findWith(
      addressOfStranger,
      `UPDATE payments.authorizations SET to_address = ${stranger}`,
    );
    expect(changed).toBeNull();
  });
});
