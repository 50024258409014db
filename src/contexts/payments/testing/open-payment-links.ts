import { Cell } from '#shared/kernel/cell.js';
import { IdempotencyKeys } from '#shared/platform/idempotency/idempotency-keys.js';
import { ObservedDatabase } from './requests/observed-database.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { DatabaseClock } from '#shared/platform/clock/database-clock.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import type { Database } from '#shared/platform/database/database.js';
import { FixedApproval } from '#contexts/identity/testing/fixed-approval.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { AddressNumberQueue } from '../application/requests/address-number-queue.js';
import { CheckoutUrls } from '../application/requests/checkout-urls.js';
import { CreateCheckout } from '../application/checkout/create-checkout.js';
import { CreatePaymentLink, type CreatePaymentLinkInput } from '../application/links/create-payment-link.js';
import { ExchangeRates } from '#contexts/rates/contract/exchange-rates.js';
import { OfferedLinks } from '../application/links/offered-links.js';
import { LimitLinkOpenings, LinkSettings } from '../application/links/limit-link-openings.js';
import { PruneLinkSessions } from '../application/links/prune-link-sessions.js';
import { PaymentLinkSessions } from '../infrastructure/links/persistence/payment-link-sessions.js';
import { OpenPaymentLink } from '../application/links/open-payment-link.js';
import { PublicOptions } from '../application/requests/public-options.js';
import { PriceOptions } from '../application/requests/price-options.js';
import { QuoteAssets } from '#contexts/rates/application/quote-assets.js';
import { ReadPaymentLink } from '../application/links/read-payment-link.js';
import { ExpireUnselectedCheckouts } from '../application/checkout/expire-unselected-checkouts.js';
import { SelectAsset } from '../application/checkout/select-asset.js';
import { SelectAssetForLink } from '../application/links/select-asset-for-link.js';
import { PayTypedAmount } from '../application/till-codes/pay-typed-amount.js';
import { ReadTillCode } from '../application/till-codes/read-till-code.js';
import { TillRequests } from '../infrastructure/till-codes/persistence/till-requests.js';
import type { Rate } from '#contexts/rates/contract/quotes.js';
import { PostgresCheckoutQueries } from '../infrastructure/checkout/persistence/postgres-checkout-queries.js';
import { PaymentLinks } from '../infrastructure/links/persistence/payment-links.js';
import { AddressNumbers } from '../infrastructure/requests/persistence/address-numbers.js';
import { PostgresPaymentRequests } from '../infrastructure/requests/persistence/postgres-payment-requests.js';
import { openPayments, type Payments, newStoreNewRequest } from './requests/open-payments.js';

class EvenRates extends ExchangeRates {
  async price(): Promise<Rate> {
    return this.known();
  }

  known(): Rate {
    return { price: '1', sources: ['market'], at: new Date() };
  }
}

/** Payments with what payment links need; `replica()` is another process on the same database. */
export async function openPaymentLinks(
  linkSettings = new LinkSettings(),
  ...world: Parameters<typeof openPayments>
) {
  const payments = await openPayments(...world);
  const { platform, database, point } = payments;
  const useCases = (on: Database) => linkUseCases(on, payments, linkSettings);
  const own = useCases(database);
  const others: { destroy(): Promise<void> }[] = [];

  return {
    ...payments,
    ...own,

    async replica() {
      const pool = { poolSize: 5, applicationName: 'replica', onPoolError: () => undefined };
      const dataSource = await createDataSource({ databaseUrl: platform.url, ...pool }).initialize();
      others.push(dataSource);
      return useCases(new ObservedDatabase(dataSource));
    },

    /** A link for 10 of the dollar asset, but for these fields. */
    async link(input: Partial<CreatePaymentLinkInput> = {}, from = point) {
      const scope = { organizationId: from.organizationId, accountId: null };
      const asked = { scope, pointOfSaleId: from.id, amount: '10', coinCode: 'USDX', ...input };
      return (await own.createLink.create(asked)).link;
    },

    async count(table: 'checkouts' | 'payment_requests' | 'payment_link_sessions'): Promise<number> {
      const [row] = await database.query<{ n: number }>(`SELECT count(*)::int AS n FROM payments.${table}`);
      return row!.n;
    },

    async close(brokenOnPurpose: readonly string[] = []): Promise<void> {
      for (const other of others) await other.destroy();
      await payments.close(brokenOnPurpose);
    },
  };
}

function linkUseCases(
  database: Database,
  { catalogue, pointsOfSale, tokens, settings, assignAddress }: Payments,
  linkSettings: LinkSettings,
) {
  const clock = new DatabaseClock(database);
  const cell = new Cell();
  const auditLog = new PostgresAuditLog(database);
  const approval = new FixedApproval();
  const requests = new PostgresPaymentRequests(database, new EventLog(database), cell);
  const checkouts = new PostgresCheckoutQueries(database, cell);
  const links = new PaymentLinks(database, cell);
  const sessions = new PaymentLinkSessions(database);
  const numbers = new AddressNumbers(database);
  const prices = new PriceOptions(new QuoteAssets(new EvenRates(), catalogue));
  const publicOptions = new PublicOptions(assignAddress, numbers);
  const offered = new OfferedLinks(links, pointsOfSale, assignAddress, prices, publicOptions);
  const createCheckout = new CreateCheckout(
    newStoreNewRequest(pointsOfSale, requests, database, numbers),
    catalogue,
    assignAddress,
    prices,
    publicOptions,
    tokens,
    new CheckoutUrls('https://api.example', 'https://pay.example'),
    settings,
    cell,
  );
  const tills = new TillRequests(database, cell);
  const limit = new LimitLinkOpenings(sessions, requests, numbers, linkSettings, clock, database);
  const selectAsset = new SelectAsset(
    checkouts,
    catalogue,
    pointsOfSale,
    assignAddress,
    prices,
    requests,
    database,
    clock,
    numbers,
    new AddressNumberQueue(),
  );
  return {
    approval,
    createLink: new CreatePaymentLink(
      pointsOfSale,
      catalogue,
      prices,
      links,
      offered,
      clock,
      new IdempotencyKeys(database),
      cell,
      database,
      auditLog,
      approval,
    ),
    offered,
    openLink: new OpenPaymentLink(links, sessions, checkouts, createCheckout, limit, clock),
    expireUnselected: new ExpireUnselectedCheckouts(requests, database, clock),
    prune: new PruneLinkSessions(sessions, requests, database),
    readLink: new ReadPaymentLink(links, sessions, checkouts, offered),
    selectForLink: new SelectAssetForLink(links, sessions, selectAsset),
    createCheckout,
    selectAsset,
    checkouts,
    readTillCode: new ReadTillCode(pointsOfSale, tills, checkouts, catalogue),
    payTypedAmount: new PayTypedAmount(pointsOfSale, tills, requests, createCheckout, limit, clock),
  };
}
