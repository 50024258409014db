import { IdempotencyKeys } from '#shared/platform/idempotency/idempotency-keys.js';
import { ObservedDatabase } from './requests/observed-database.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { DatabaseClock } from '#shared/platform/clock/database-clock.js';
import type { Database } from '#shared/platform/database/database.js';
import { FixedApproval } from '#contexts/identity/testing/fixed-approval.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { CreatePaymentLink, type CreatePaymentLinkInput } from '../application/links/create-payment-link.js';
import { ExchangeRates } from '#contexts/rates/contract/exchange-rates.js';
import { PricedPaymentLinks } from '../application/links/priced-payment-links.js';
import { LimitLinkOpenings, LinkSettings } from '../application/links/limit-link-openings.js';
import { PruneLinkSessions } from '../application/links/prune-link-sessions.js';
import { PaymentLinkSessions } from '../infrastructure/links/persistence/payment-link-sessions.js';
import { OpenPaymentLink } from '../application/links/open-payment-link.js';
import { ReadPaymentLink } from '../application/links/read-payment-link.js';
import { ExpireUnselectedCheckouts } from '../application/checkout/expire-unselected-checkouts.js';
import { SelectAssetForLink } from '../application/links/select-asset-for-link.js';
import { PayEnteredAmount } from '../application/till-codes/pay-entered-amount.js';
import { ReadTillCode } from '../application/till-codes/read-till-code.js';
import { TillRequests } from '../infrastructure/till-codes/persistence/till-requests.js';
import type { Rate } from '#contexts/rates/contract/quotes.js';
import { PaymentLinks } from '../infrastructure/links/persistence/payment-links.js';
import { checkoutUseCases } from './checkout/open-checkouts.js';
import { openPayments, type Payments } from './requests/open-payments.js';

class EvenRates extends ExchangeRates {
  async price(): Promise<Rate> {
    return this.cachedRate();
  }

  cachedRate(): Rate {
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

function linkUseCases(database: Database, payments: Payments, linkSettings: LinkSettings) {
  const { catalogue, pointsOfSale, assignAddress } = payments;
  const clock = new DatabaseClock(database);
  const approval = new FixedApproval();
  const parts = checkoutUseCases(database, payments, new EvenRates());
  const { cell, requests, numbers, pricePaymentOptions, publicOptions, create: createCheckout } = parts;
  const checkouts = parts.queries;
  const selectAsset = parts.selecting();
  const links = new PaymentLinks(database, cell);
  const sessions = new PaymentLinkSessions(database);
  const offered = new PricedPaymentLinks(
    links,
    pointsOfSale,
    assignAddress,
    pricePaymentOptions,
    publicOptions,
  );
  const tills = new TillRequests(database, cell);
  const limit = new LimitLinkOpenings(sessions, requests, numbers, linkSettings, clock, database);
  return {
    approval,
    createLink: new CreatePaymentLink(
      ...([pointsOfSale, catalogue, pricePaymentOptions, links, offered, clock] as const),
      ...([new IdempotencyKeys(database), cell, database, new PostgresAuditLog(database), approval] as const),
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
    payEnteredAmount: new PayEnteredAmount(pointsOfSale, tills, requests, createCheckout, limit, clock),
  };
}
