import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RemovedAssetWarning } from '../../infrastructure/requests/removed-asset-warning.js';
import { DOLLAR, EURO, OTHER_DOLLAR, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import { pay, refusal } from '../../testing/requests/open-payments.js';
import { storeOpenRequests } from '../../testing/requests/store-open-requests.js';
import { FailRequestsOfRemovedAsset } from './fail-requests-of-removed-asset.js';
import { openCheckouts, payAll, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import { newId, type AccountId, type OrganizationId, type PointOfSaleId } from '#shared/kernel/ids.js';
import { ExpirePaymentRequest } from './expire-payment-request.js';
import type { PaymentRequestView } from './payment-request-view.js';

let payments: Checkouts;
let withdraw: FailRequestsOfRemovedAsset;
beforeEach(async () => {
  payments = await openCheckouts();
  const { catalogue, requests, database, platform } = payments;
  withdraw = new FailRequestsOfRemovedAsset(catalogue, requests, database, platform.clock);
});
afterEach(() => payments.close());

describe('Withdrawing an asset', () => {
  it('fails its open requests a few hundred at a time, and keeps decided ones', async () => {
    const [paid, begun, open] = [
      await payments.request(),
      await payments.request(),
      await payments.request(),
    ];
    payments.chain.mine(pay(paid, 1000), pay(begun, 400));
    payments.chain.mineEmpty(2);
    await payments.follow();
    await storeOpenRequests(payments, 450);
    payments.catalogue.withdrawn = [DOLLAR];

    const failed = await withdraw.fail(DOLLAR.uniqueAssetId.toLowerCase());
    const again = await withdraw.fail(DOLLAR.uniqueAssetId);

    const read = await Promise.all([paid, begun, open].map(payments.read));
    expect([failed, again]).toEqual([452, 0]);
    expect(read.map(({ status }) => status)).toEqual(['completed', 'failed', 'failed']);
    expect(await payments.told(begun)).toEqual(['created', 'processing', 'failed']);
  });

  it('rejects an asset that is still configured', async () => {
    const request = await payments.request();

    await expect(withdraw.fail(DOLLAR.uniqueAssetId)).rejects.toMatchObject({ code: 'state_conflict' });
    expect((await payments.read(request)).status).toBe('created');
  });
});

describe('The start of a worker', () => {
  afterEach(() => Logger.overrideLogger(['error', 'warn', 'log']));

  it('logs an error for each unconfigured asset with open requests', async () => {
    const errors: unknown[] = [];
    Logger.overrideLogger({ error: (line: unknown) => errors.push(line), warn() {}, log() {} });
    await payments.request();
    await payments.request();
    const check = new RemovedAssetWarning(payments.catalogue, payments.requests);

    await check.onApplicationBootstrap();
    payments.catalogue.withdrawn = [DOLLAR];
    await check.onApplicationBootstrap();

    expect(errors).toEqual([
      expect.objectContaining({
        ...{ event: 'asset.not_configured', open_requests: 2 },
        unique_asset_id: expect.stringMatching(/^nsandbox_t0xD1/i),
      }),
    ]);
  });
});

describe('Withdrawing an asset that checkouts offer', () => {
  it('fails only the checkouts in which that asset is selected', async () => {
    const [selected, earlier, offered] = [
      await payments.checkout(),
      await payments.checkout(),
      await payments.checkout(),
    ];
    await payments.select(selected, DOLLAR);
    await payments.select(selected, EURO);
    await payments.select(earlier, EURO);
    await payments.select(earlier, DOLLAR);
    payments.catalogue.withdrawn = [EURO];

    const open = await payments.requests.countOpenByAsset();
    const failed = await withdraw.fail(EURO.uniqueAssetId);

    const read = await Promise.all([selected, earlier, offered].map(payments.session));
    expect(open).toEqual(
      new Map([
        [DOLLAR.uniqueAssetId, 1],
        [EURO.uniqueAssetId, 1],
      ]),
    );
    expect([failed, read.map((session) => session!.status)]).toEqual([1, ['failed', 'created', 'pending']]);
    expect(await payments.told(selected)).toEqual(['pending', 'created', 'failed']);
  });

  it('lets a checkout that showed an address for that asset earlier be paid or expire', async () => {
    const [paid, unpaid] = [await payments.checkout(), await payments.checkout()];
    for (const checkout of [paid, unpaid]) await payments.select(checkout, OTHER_DOLLAR);
    const latest = await payments.select(paid, DOLLAR);
    await payments.select(unpaid, DOLLAR);
    payments.catalogue.withdrawNetwork(OTHER_NETWORK);
    await withdraw.fail(OTHER_DOLLAR.uniqueAssetId);

    payments.chain.mine(payAll(latest, DOLLAR));
    payments.chain.mineBeyond(new Date(unpaid.expiresAt.getTime() + 240_000));
    await payments.follow();

    const read = await Promise.all([paid, unpaid].map(payments.session));
    expect(read.map((session) => session!.status)).toEqual(['completed', 'expired']);
  });
});

let request: PaymentRequestView;
function expireRequest({
  organizationId,
  accountId,
  pointOfSaleId,
}: Pick<PaymentRequestView, 'organizationId' | 'accountId' | 'pointOfSaleId'> = request) {
  const { requests, database, platform } = payments;
  return new ExpirePaymentRequest(requests, database, platform.clock).expire(
    { organizationId, accountId },
    pointOfSaleId,
    request.id,
  );
}

describe('Expiring a payment request', () => {
  beforeEach(async () => {
    request = await payments.request();
  });

  it('closes the window once, and expires the request when its network is read that far', async () => {
    await expireRequest();
    const { expiresAt } = await payments.read(request);
    await expireRequest();

    expect(expiresAt.getTime()).toBeLessThan(request.expiresAt.getTime());
    expect(await payments.read(request)).toMatchObject({ status: 'created', expiresAt });

    payments.chain.mineAt(new Date(expiresAt.getTime() + 60_001));
    await payments.follow();
    await expireRequest();

    expect(await payments.read(request)).toMatchObject({ status: 'expired', expiresAt });
  });

  it('rejects a request for which a payment was detected or completed', async () => {
    payments.chain.mine(pay(request, 1000));
    await payments.follow();
    const seen = await refusal(expireRequest());

    payments.chain.mineEmpty(10);
    await payments.follow();
    const paid = await refusal(expireRequest());

    expect([seen.code, seen.message]).toEqual(['state_conflict', expect.stringContaining('processing')]);
    expect([paid.code, paid.message]).toEqual(['state_conflict', expect.stringContaining('completed')]);
    expect((await payments.read(request)).expiresAt).toEqual(request.expiresAt);
  });

  it('does not find a request of another point of sale, account or organization', async () => {
    const others = [
      { pointOfSaleId: newId<PointOfSaleId>() },
      { accountId: newId<AccountId>() },
      { organizationId: newId<OrganizationId>() },
    ];
    for (const other of others)
      expect((await refusal(expireRequest({ ...request, ...other }))).code).toBe('not_found');

    expect((await payments.read(request)).expiresAt).toEqual(request.expiresAt);
  });
});
