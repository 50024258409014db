import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type AccountId, type OrganizationId, type PointOfSaleId } from '#shared/kernel/ids.js';
import { pay, refusal, withReadPayments, type Payments } from '../../testing/requests/open-payments.js';
import { ExpirePaymentRequest } from './expire-payment-request.js';
import type { PaymentRequestView } from './payment-request-view.js';

let payments: Payments;
let request: PaymentRequestView;
withReadPayments((opened) => {
  payments = opened;
});
beforeEach(async () => {
  request = await payments.request();
});

function expire({
  organizationId,
  accountId,
  pointOfSaleId,
}: Pick<PaymentRequestView, 'organizationId' | 'accountId' | 'pointOfSaleId'> = request) {
  const { requests, database, platform } = payments;
  return new ExpirePaymentRequest(requests, database, platform.clock).execute(
    { organizationId, accountId },
    pointOfSaleId,
    request.id,
  );
}

describe('Ending a payment request', () => {
  it('closes its window now, once; it expires when the network was read so far', async () => {
    await expire();
    const { expiresAt } = await payments.read(request);
    await expire();

    expect(expiresAt.getTime()).toBeLessThan(request.expiresAt.getTime());
    expect(await payments.read(request)).toMatchObject({ status: 'created', expiresAt });

    payments.chain.mineAt(new Date(expiresAt.getTime() + 60_001));
    await payments.follow();
    await expire();

    expect(await payments.read(request)).toMatchObject({ status: 'expired', expiresAt });
  });

  it('is refused where a payment was seen, and where it is paid', async () => {
    payments.chain.mine(pay(request, 1000));
    await payments.follow();
    const seen = await refusal(expire());

    for (let block = 0; block < 10; block += 1) payments.chain.mine();
    await payments.follow();
    const paid = await refusal(expire());

    expect([seen.code, seen.message]).toEqual(['state_conflict', expect.stringContaining('processing')]);
    expect([paid.code, paid.message]).toEqual(['state_conflict', expect.stringContaining('completed')]);
    expect((await payments.read(request)).expiresAt).toEqual(request.expiresAt);
  });

  it.each([
    ['point of sale', { pointOfSaleId: newId<PointOfSaleId>() }],
    ['account', { accountId: newId<AccountId>() }],
    ['organization', { organizationId: newId<OrganizationId>() }],
  ])('finds none of another %s', async (_, other) => {
    const { code } = await refusal(expire({ ...request, ...other }));

    expect([code, (await payments.read(request)).expiresAt]).toEqual(['not_found', request.expiresAt]);
  });
});
