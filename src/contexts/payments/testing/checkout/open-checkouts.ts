import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import type { Asset } from '#shared/kernel/asset.js';
import { newId } from '#shared/kernel/ids.js';
import { DatabaseClock } from '#shared/platform/clock/database-clock.js';
import type { Database } from '#shared/platform/database/database.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import type { ExchangeRates } from '#contexts/rates/contract/exchange-rates.js';
import { AddressNumbers } from '../../infrastructure/requests/persistence/address-numbers.js';
import { PostgresPaymentRequests } from '../../infrastructure/requests/persistence/postgres-payment-requests.js';
import type { PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { ChargeRequestInput, ChargeRequests } from '../../contract/charge-requests.js';
import { CheckoutChargeRequests } from '../../application/checkout/checkout-charge-requests.js';
import { AddressReservationQueue } from '../../application/requests/address-reservation-queue.js';
import type { Chains } from '#contexts/networks/contract/chains.js';
import { CheckoutUrls } from '../../application/requests/checkout-urls.js';
import type { CheckoutView } from '../../application/requests/payment-request-view.js';
import { CreateCheckout, type CreateCheckoutInput } from '../../application/checkout/create-checkout.js';
import { ExpireUnselectedCheckouts } from '../../application/checkout/expire-unselected-checkouts.js';
import { GapLimitedPaymentOptions } from '../../application/requests/gap-limited-payment-options.js';
import { PricePaymentOptions } from '../../application/requests/price-payment-options.js';
import { QuoteAssets } from '#contexts/rates/application/quote-assets.js';
import { SelectAsset } from '../../application/checkout/select-asset.js';
import { PostgresCheckoutQueries } from '../../infrastructure/checkout/persistence/postgres-checkout-queries.js';
import {
  CONFIRMATIONS,
  DOLLAR,
  ETHER,
  EURO,
  NETWORK,
  OTHER_DOLLAR,
  OTHER_NETWORK,
  SmallCatalogue,
  someTerms,
} from '../requests/collecting-world.js';
import { HashedAddresses } from '../requests/hashed-addresses.js';
import { newStoreNewRequest, openPayments, pay, type Payments } from '../requests/open-payments.js';
import { SetRates } from '#contexts/rates/testing/set-rates.js';

export type Checkouts = Awaited<ReturnType<typeof openCheckouts>>;

/** Payments on two networks that are both read already, a market, and a point of sale that takes four assets. */
export async function openCheckouts(
  assets = SmallCatalogue.ofTwoNetworks(),
  addresses: Chains = new HashedAddresses(),
) {
  const payments = await openPayments(CONFIRMATIONS, assets, addresses);
  const { pointsOfSale, requests, database, platform } = payments;
  await payments.follow(NETWORK);
  await payments.follow(OTHER_NETWORK);
  const rates = new SetRates();
  rates.set('EURX', 'USD', '1.25');
  rates.set('WETH', 'USD', '2512.31');
  const { create, queries, urls, pricePaymentOptions, selecting } = checkoutUseCases(
    database,
    payments,
    rates,
  );
  const open = (fields: Partial<PaymentPointOfSale> = {}) =>
    pointsOfSale.open({
      paymentOptions: [DOLLAR, EURO, ETHER, OTHER_DOLLAR].map(({ uniqueAssetId }) => uniqueAssetId),
      terms: new Map([NETWORK, OTHER_NETWORK].map((network) => [network, someTerms(network)])),
      ...fields,
    });
  const shop = await open();
  const charges: ChargeRequests = new CheckoutChargeRequests(
    payments.storeNewRequest,
    payments.create,
    queries,
    urls,
    payments.tokens,
    platform.clock,
    new DeploymentCell(),
  );
  return {
    ...payments,
    rates,
    queries,
    urls,
    pricePaymentOptions,
    charges,
    shop,
    openShop: open,
    shopFor: (...assets: readonly Asset[]) =>
      open({ paymentOptions: assets.map(({ uniqueAssetId }) => uniqueAssetId) }),
    selecting,
    expireUnselected: new ExpireUnselectedCheckouts(requests, database, platform.clock),

    async checkout(
      input: Partial<CreateCheckoutInput> = {},
      from: PaymentPointOfSale = shop,
    ): Promise<CheckoutView> {
      return create.create({
        scope: { organizationId: from.organizationId, accountId: null },
        pointOfSaleId: from.id,
        amount: '10.00',
        coinCode: 'USD',
        at: await platform.clock.now(),
        ...input,
      });
    },

    charge: (
      fields: Partial<ChargeRequestInput> = {},
      from: PaymentPointOfSale = shop,
    ): ChargeRequestInput => ({
      id: newId(),
      scope: { organizationId: from.organizationId, accountId: from.accountId },
      pointOfSaleId: from.id,
      uniqueAssetId: DOLLAR.uniqueAssetId,
      amount: '10.00',
      referenceId: 'subscription-7',
      ...fields,
    }),

    select: ({ sessionId }: Pick<CheckoutView, 'sessionId'>, { uniqueAssetId }: Asset) =>
      selecting().select(sessionId, uniqueAssetId),

    session: ({ sessionId }: Pick<CheckoutView, 'sessionId'>) => queries.find(sessionId),
  };
}

/** The use cases of checkouts, as a process on this database has them. */
export function checkoutUseCases(
  database: Database,
  { catalogue, pointsOfSale, tokens, settings, assignAddress }: Payments,
  rates: ExchangeRates,
) {
  const cell = new DeploymentCell();
  const requests = new PostgresPaymentRequests(database, new EventLog(database), cell);
  const numbers = new AddressNumbers(database);
  const queries = new PostgresCheckoutQueries(database, cell);
  const pricePaymentOptions = new PricePaymentOptions(new QuoteAssets(rates, catalogue));
  const publicOptions = new GapLimitedPaymentOptions(assignAddress, numbers);
  const urls = new CheckoutUrls('https://api.example', 'https://pay.example');
  const storeNewRequest = newStoreNewRequest(pointsOfSale, requests, database, numbers);
  const create = new CreateCheckout(
    ...([storeNewRequest, catalogue, assignAddress, pricePaymentOptions, publicOptions] as const),
    ...([tokens, urls, settings, cell] as const),
  );
  const selecting = () =>
    new SelectAsset(
      ...([
        queries,
        catalogue,
        pointsOfSale,
        assignAddress,
        pricePaymentOptions,
        requests,
        database,
      ] as const),
      ...([new DatabaseClock(database), numbers, new AddressReservationQueue()] as const),
    );
  return { cell, requests, numbers, queries, pricePaymentOptions, publicOptions, urls, create, selecting };
}

/** The whole amount of a session in its selected asset, to the address shown with it. */
export function payAll({ selected }: CheckoutView, { token }: Asset) {
  return { ...pay(selected!, 0, token), amount: selected!.amount };
}
