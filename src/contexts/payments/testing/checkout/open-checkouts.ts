import { Cell } from '#shared/kernel/cell.js';
import type { Asset } from '#shared/kernel/asset.js';
import { newId } from '#shared/kernel/ids.js';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { ChargeRequestInput, ChargeRequests } from '../../contract/charge-requests.js';
import { OpenCharges } from '../../application/checkout/open-charges.js';
import { AddressNumberQueue } from '../../application/requests/address-number-queue.js';
import type { Chains } from '#contexts/networks/contract/chains.js';
import { CheckoutUrls } from '../../application/requests/checkout-urls.js';
import type { CheckoutView } from '../../application/requests/payment-request-view.js';
import { CreateCheckout, type CreateCheckoutInput } from '../../application/checkout/create-checkout.js';
import { ExpireUnselectedCheckouts } from '../../application/checkout/expire-unselected-checkouts.js';
import { PublicOptions } from '../../application/requests/public-options.js';
import { PriceOptions } from '../../application/requests/price-options.js';
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
import { openPayments, pay } from '../requests/open-payments.js';
import { SetRates } from '#contexts/rates/testing/set-rates.js';

export type Checkouts = Awaited<ReturnType<typeof openCheckouts>>;

/** Payments on two networks that are both read already, a market, and a point of sale that takes four assets. */
export async function openCheckouts(
  assets = SmallCatalogue.ofTwoNetworks(),
  addresses: Chains = new HashedAddresses(),
) {
  const payments = await openPayments(CONFIRMATIONS, assets, addresses);
  const { catalogue, pointsOfSale, assignAddress, requests, database, platform } = payments;
  await payments.follow(NETWORK);
  await payments.follow(OTHER_NETWORK);
  const cell = new Cell();
  const rates = new SetRates();
  rates.set('EURX', 'USD', '1.25');
  rates.set('WETH', 'USD', '2512.31');
  const priceOptions = new PriceOptions(new QuoteAssets(rates, catalogue));
  const queries = new PostgresCheckoutQueries(database, cell);
  const open = (fields: Partial<CollectingPoint> = {}) =>
    pointsOfSale.open({
      paymentOptions: [DOLLAR, EURO, ETHER, OTHER_DOLLAR].map(({ uniqueAssetId }) => uniqueAssetId),
      terms: new Map([NETWORK, OTHER_NETWORK].map((network) => [network, someTerms(network)])),
      ...fields,
    });
  const shop = await open();
  const urls = new CheckoutUrls('https://api.example', 'https://pay.example');
  const create = new CreateCheckout(
    payments.storeNewRequest,
    catalogue,
    assignAddress,
    priceOptions,
    new PublicOptions(assignAddress, payments.numbers),
    payments.tokens,
    urls,
    payments.settings,
    cell,
  );
  const charges: ChargeRequests = new OpenCharges(
    payments.storeNewRequest,
    payments.create,
    queries,
    urls,
    payments.tokens,
    platform.clock,
    cell,
  );
  const selecting = () =>
    new SelectAsset(
      queries,
      catalogue,
      pointsOfSale,
      assignAddress,
      priceOptions,
      requests,
      database,
      platform.clock,
      payments.numbers,
      new AddressNumberQueue(),
    );

  return {
    ...payments,
    rates,
    queries,
    urls,
    priceOptions,
    charges,
    shop,
    openShop: open,
    shopFor: (...assets: readonly Asset[]) =>
      open({ paymentOptions: assets.map(({ uniqueAssetId }) => uniqueAssetId) }),
    selecting,
    expireUnselected: new ExpireUnselectedCheckouts(requests, database, platform.clock),

    async checkout(
      input: Partial<CreateCheckoutInput> = {},
      from: CollectingPoint = shop,
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

    charge: (fields: Partial<ChargeRequestInput> = {}, from: CollectingPoint = shop): ChargeRequestInput => ({
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

/** The whole amount of a session in its selected asset, to the address shown with it. */
export function payAll({ selected }: CheckoutView, { token }: Asset) {
  return { ...pay(selected!, 0, token), amount: selected!.amount };
}
