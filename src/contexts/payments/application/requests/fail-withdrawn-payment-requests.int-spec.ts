import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WithdrawnAssets } from '../../infrastructure/requests/withdrawn-assets.js';
import { DOLLAR, EURO } from '../../testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '../../testing/requests/open-payments.js';
import { storeOpenRequests } from '../../testing/requests/store-open-requests.js';
import { FailWithdrawnPaymentRequests } from './fail-withdrawn-payment-requests.js';

let payments: Payments;
let withdraw: FailWithdrawnPaymentRequests;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
  const { catalogue, requests, database, platform } = payments;
  withdraw = new FailWithdrawnPaymentRequests(catalogue, requests, database, platform.clock);
});
afterEach(() => payments.close());

describe('Withdrawing an asset', () => {
  it('fails its open requests, some hundreds at a time, and leaves what was decided', async () => {
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

    const failed = await withdraw.execute(DOLLAR.uniqueAssetId.toLowerCase());
    const again = await withdraw.execute(DOLLAR.uniqueAssetId);

    const read = await Promise.all([paid, begun, open].map(payments.read));
    expect([failed, again]).toEqual([452, 0]);
    expect(read.map(({ status }) => status)).toEqual(['completed', 'failed', 'failed']);
    expect(await payments.told(begun)).toEqual(['created', 'processing', 'failed']);
  });

  it('shows transfers as they were recorded, of which none counts any more', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 400));
    await payments.follow();
    const before = (await payments.read(request)).transfers;
    payments.catalogue.withdrawn = [DOLLAR, EURO];

    await withdraw.execute(DOLLAR.uniqueAssetId);

    expect((await payments.read(request)).transfers).toEqual(
      before.map((each) => ({ ...each, counted: false })),
    );
    expect(before).toMatchObject([
      { decimals: 6, confirmations: 1, requiredConfirmations: 3, counted: true },
    ]);
  });

  it('still un-counts what is reorganised away, without alarm: nothing was credited', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 400));
    await payments.follow();
    payments.catalogue.withdrawn = [DOLLAR];
    await withdraw.execute(DOLLAR.uniqueAssetId);

    payments.chain.takeBack(1);
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect(await payments.read(request)).toMatchObject({ status: 'failed', receivedAmount: 0n });
    expect(payments.alerts.noted).toEqual(['reorganised 1']);
  });

  it('is refused while the asset is configured', async () => {
    const request = await payments.request();

    await expect(withdraw.execute(DOLLAR.uniqueAssetId)).rejects.toMatchObject({ code: 'state_conflict' });
    expect((await payments.read(request)).status).toBe('created');
  });
});

describe('A worker that starts', () => {
  afterEach(() => Logger.overrideLogger(['error', 'warn', 'log']));

  it('names the assets that are not configured and have open requests', async () => {
    const errors: unknown[] = [];
    Logger.overrideLogger({ error: (line: unknown) => errors.push(line), warn() {}, log() {} });
    await payments.request();
    await payments.request();
    const check = new WithdrawnAssets(payments.catalogue, payments.requests);

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
