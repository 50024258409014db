import { checkoutInvariants } from '../../infrastructure/checkout/persistence/checkout-invariants.js';
import { paymentsInvariants } from '../../infrastructure/requests/persistence/invariants/payments-invariants.js';
import { payoutInvariants } from '#contexts/chain-watching/infrastructure/persistence/watching-invariants.js';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { breachesOf } from '#test/support/broken-invariants.js';
import { MADE_UP_TERMS } from '#test/support/partial-worlds.js';
import type { ServiceTime } from '#test/support/database-pool.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { Leases } from '#shared/platform/leases/leases.js';
import type { PaymentPointOfSale, PointsOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { SettlementAndRefundRecords } from '../../contract/settlement-and-refund-records.js';
import { AssignAddress } from '../../application/requests/assign-address.js';
import {
  CreatePaymentRequest,
  type CreatePaymentRequestInput,
} from '../../application/requests/create-payment-request.js';
import type {
  PaymentRequestProgressView,
  PaymentRequestView,
} from '../../application/requests/payment-request-view.js';
import type { Chains } from '#contexts/networks/contract/chains.js';
import { watcherLeaseName } from '#contexts/chain-watching/domain/cursor.js';
import { NaspipPaymentTokens } from '../../infrastructure/requests/naspip-payment-tokens.js';
import { PaymentRequestQueries } from '../../infrastructure/requests/persistence/views/payment-request-queries.js';
import { AddressNumbers } from '../../infrastructure/requests/persistence/address-numbers.js';
import { PostgresPaymentRequests } from '../../infrastructure/requests/persistence/postgres-payment-requests.js';
import { PostgresWatchedChains } from '#contexts/chain-watching/infrastructure/persistence/postgres-watched-chains.js';
import { ChainModel } from '#contexts/chain-watching/testing/chain-model.js';
import { ChainsByNetwork, SecondEndpoints } from '#contexts/chain-watching/testing/chains-by-network.js';
import { CONFIRMATIONS, DOLLAR, KnownPointsOfSale, NETWORK, SmallCatalogue } from './collecting-world.js';
import { HashedAddresses } from './hashed-addresses.js';
import { RecordedAlerts } from '#contexts/chain-watching/testing/noted-alerts.js';
import { newWatcher } from '#contexts/chain-watching/testing/new-watcher.js';
import { ObservedDatabase } from './observed-database.js';
import { SIGNS_FROM_ALWAYS, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import type { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import { AddressReservationQueue } from '../../application/requests/address-reservation-queue.js';
import { StoreNewRequest } from '../../application/requests/store-new-request.js';
import { PaymentsSettings } from '../../application/requests/payments-settings.js';
import type { PaymentRequests } from '../../domain/requests/payment-requests.js';

const BLOCK_SECONDS = 60;

type Owned = Pick<PaymentRequestView, 'id' | 'organizationId' | 'pointOfSaleId'>;

/** Nothing is delivered or refunded where payments stand alone. */
export const NO_DELIVERIES: SettlementAndRefundRecords = { findByRequests: async () => new Map() };

type Parts = Parameters<typeof newWatcher>[0];

export type Payments = Awaited<ReturnType<typeof openPayments>>;

/** Payments on their own database, with a chain in memory for each network: a block a minute. */
export async function openPayments(
  confirmations: number | null = CONFIRMATIONS,
  catalogue: SmallCatalogue = new SmallCatalogue(),
  addresses: Chains = new HashedAddresses(),
  time: ServiceTime = 'runs',
) {
  const platform: TestPlatform = await openTestDatabase(time);
  platform.makesUp(MADE_UP_TERMS);
  const database = new ObservedDatabase(platform.dataSource);
  const leases = new Leases(database);
  const requests = new PostgresPaymentRequests(database, new EventLog(database), new DeploymentCell());
  const watched = new PostgresWatchedChains(database, leases);
  const pointsOfSale = new KnownPointsOfSale(database);
  const alerts = new RecordedAlerts();
  const genesis = await platform.clock.now();
  const networks = catalogue.networks().map(({ network }) => network);
  const chains = new Map(
    networks.map((name) => [name, new ChainModel(genesis, confirmations, BLOCK_SECONDS)]),
  );
  const numbers = new AddressNumbers(database);
  const storeNewRequest = newStoreNewRequest(pointsOfSale, requests, database, numbers);
  const assignAddress = new AssignAddress(catalogue, addresses);
  const settings = somePaymentsSettings();
  const tokens = new NaspipPaymentTokens(settings);
  const create = new CreatePaymentRequest(storeNewRequest, assignAddress, tokens, settings);
  const queries = new PaymentRequestQueries(database, NO_DELIVERIES);
  const point = await pointsOfSale.open();
  const epochs = new Map<string, bigint>();
  for (const network of networks)
    epochs.set(network, (await leases.acquire(watcherLeaseName(network), newId()))!);
  const secondEndpoint = new SecondEndpoints();
  const watcher = (
    read: Parts['chains'] = new ChainsByNetwork(chains, secondEndpoint),
    limits: Parts['limits'] = {},
  ) =>
    newWatcher({
      chains: read,
      database,
      clock: platform.clock,
      catalogue,
      watched,
      requests,
      alerts,
      limits,
    });

  return {
    platform,
    database,
    leases,
    requests,
    watched,
    catalogue,
    pointsOfSale,
    alerts,
    chain: chains.get(NETWORK)!,
    secondEndpoint,
    chainOf: (network: string) => chains.get(network)!,
    storeNewRequest,
    numbers,
    assignAddress,
    tokens,
    settings,
    create,
    point,
    epoch: epochs.get(NETWORK)!,
    epochOf: (network: string) => epochs.get(network)!,
    watcher,
    limitedWatcher: (limits: Parts['limits']) => watcher(undefined, limits),

    processOn: (on: ObservedDatabase) =>
      new CreatePaymentRequest(
        newStoreNewRequest(
          pointsOfSale,
          new PostgresPaymentRequests(on, new EventLog(on), new DeploymentCell()),
          on,
          new AddressNumbers(on),
        ),
        assignAddress,
        tokens,
        settings,
      ),

    turn: (network = NETWORK) => watcher().follow(network, epochs.get(network)!),

    /** Turns until there is nothing more to read. @returns how many it took */
    async follow(network = NETWORK): Promise<number> {
      let turns = 1;
      while (await watcher().follow(network, epochs.get(network)!)) turns += 1;
      return turns;
    },

    async request(
      input: Partial<CreatePaymentRequestInput> = {},
      from: PaymentPointOfSale = point,
    ): Promise<PaymentRequestView> {
      return create.create({
        scope: { organizationId: from.organizationId, accountId: null },
        pointOfSaleId: from.id,
        amount: '10.00',
        uniqueAssetId: DOLLAR.uniqueAssetId,
        at: await platform.clock.now(),
        ...input,
      });
    },

    read: (request: Owned): Promise<PaymentRequestProgressView> =>
      queries.find(
        { organizationId: request.organizationId, accountId: null },
        request.pointOfSaleId,
        request.id,
      ),

    async told(request: Pick<PaymentRequestView, 'id'>): Promise<string[]> {
      const rows = await platform.database.query<{ told: string }>(
        `SELECT COALESCE(data ->> 'status', 'ledger step') AS told FROM platform.events
         WHERE aggregate_id = $1 AND type IN ('payment_request.status_changed', 'payment_request.confirmed')
         ORDER BY transaction_id, position`,
        [request.id],
      );
      return rows.map(({ told }) => told);
    },

    async countStored(): Promise<number> {
      const rows = await platform.database.query(
        `SELECT id FROM payments.payment_requests UNION ALL SELECT payment_request_id FROM payments.deposit_addresses
         UNION ALL SELECT payment_request_id FROM payments.status_history UNION ALL SELECT id FROM platform.events`,
      );
      return rows.length;
    },

    breaches: () =>
      breachesOf(platform.database, [...paymentsInvariants, ...checkoutInvariants, ...payoutInvariants]),

    close: platform.close,
  };
}

/** Opens payments whose network is read, for each test of the file. @param use takes them before the test */
export function withReadPayments(use: (opened: Payments) => void, open = () => openPayments()): void {
  let payments: Payments;
  beforeEach(async () => {
    payments = await open();
    await payments.follow();
    use(payments);
  });
  afterEach(() => payments.close());
}

export function pay(request: Pick<PaymentRequestView, 'address'>, cents: number, token = DOLLAR.token) {
  return { to: request.address, amount: BigInt(cents) * 10_000n, token };
}

export async function refusal(doing: Promise<unknown>): Promise<DomainError> {
  const error: unknown = await doing.then(
    () => 'no refusal',
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DomainError);
  return error as DomainError;
}

const WINDOW_SECONDS = 480;

function somePaymentsSettings(): PaymentsSettings {
  const { secretKey } = generatePaserkKeyPair();
  const key = {
    id: 'key-1',
    secretKey,
    signsFrom: SIGNS_FROM_ALWAYS,
    endsAt: new Date('2100-01-01T00:00:00Z'),
  };
  return new PaymentsSettings(WINDOW_SECONDS, {
    issuer: 'pay.example',
    keys: new SigningKeyRing([key]),
  });
}

export function newStoreNewRequest(
  pointsOfSale: PointsOfSale,
  requests: PaymentRequests,
  unitOfWork: UnitOfWork,
  numbers: AddressNumbers,
): StoreNewRequest {
  return new StoreNewRequest(pointsOfSale, requests, unitOfWork, numbers, new AddressReservationQueue());
}
