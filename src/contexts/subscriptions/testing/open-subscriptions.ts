import { IdempotencyKeys } from '#shared/platform/idempotency/idempotency-keys.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import type { SubscriptionId } from '#shared/kernel/ids.js';
import { logSettled } from '#shared/platform/event-log/testing/log-settled.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { CONFIRMATIONS, DOLLAR } from '#contexts/payments/testing/requests/collecting-world.js';
import { pay } from '#contexts/payments/testing/requests/open-payments.js';
import { openCheckouts } from '#contexts/payments/testing/checkout/open-checkouts.js';
import type { ChargeRequestView, ChargeRequests } from '#contexts/payments/contract/charge-requests.js';
import { FixedApproval } from '#contexts/identity/testing/fixed-approval.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { AcceptSubscription } from '../application/accept-subscription.js';
import { AdvanceSubscriptions } from '../application/advance-subscriptions.js';
import { CreateSubscription, type CreateSubscriptionInput } from '../application/create-subscription.js';
import { ApplyChargeRequestUpdates } from '../application/apply-charge-request-updates.js';
import { OpenChargeRequest } from '../application/open-charge-request.js';
import { OpenOwedCharge } from '../application/open-owed-charge.js';
import { RevokeSubscription } from '../application/revoke-subscription.js';
import type { SubscriptionSnapshot } from '../domain/subscription-snapshot.js';
import { WalletSubscriptionController } from '../infrastructure/http/wallet-subscription.controller.js';
import { SubscriptionQueries } from '../infrastructure/persistence/subscription-queries.js';
import {
  CHARGE_REQUEST_JOB_KIND,
  PostgresSubscriptions,
} from '../infrastructure/persistence/postgres-subscriptions.js';
import { Wallets } from '../infrastructure/persistence/wallets.js';
import {
  CHARGE_REQUESTS_SUBSCRIBER,
  ChargeRequestsSubscriber,
} from '../infrastructure/charge-requests-subscriber.js';
import { DueChargeRequests } from '../infrastructure/charge-workers.js';

const INVARIANTS_OF_MISSING_LEDGER = ['ledger-confirmed-posted-once'];

export type OpenSubscriptions = Awaited<ReturnType<typeof openSubscriptions>>;

export async function openSubscriptions() {
  const checkouts = await openCheckouts();
  checkouts.platform.makesUp(INVARIANTS_OF_MISSING_LEDGER);
  const { platform, database, shop, charges } = checkouts;
  const { clock, scheduledJobs, eventLog } = platform;
  const cell = new DeploymentCell();
  const scope = { organizationId: shop.organizationId, accountId: shop.accountId };
  const subscriptions = new PostgresSubscriptions(database, scheduledJobs, eventLog, cell);
  const wallets = new Wallets(database);
  const queries = new SubscriptionQueries(database, checkouts.pointsOfSale, charges, clock, cell);
  const keys = new IdempotencyKeys(database);
  const auditLog = new PostgresAuditLog(database);
  const approval = new FixedApproval();
  const create = new CreateSubscription(
    ...([charges, subscriptions, clock, database, keys, cell, auditLog, approval] as const),
  );
  const accept = new AcceptSubscription(subscriptions, wallets, clock, database);
  const revoke = new RevokeSubscription(subscriptions, wallets, clock, database, auditLog);
  const openRequest = new OpenChargeRequest(subscriptions, charges);
  const openOwed = new OpenOwedCharge(subscriptions, charges, openRequest, clock, database);
  const advance = new AdvanceSubscriptions(subscriptions, database, clock);
  const dueRequests = new DueChargeRequests(scheduledJobs, openRequest, clock, database);
  const follow = new ApplyChargeRequestUpdates(subscriptions, database);
  const runner = new SubscriberRunner(database, new ChargeRequestsSubscriber(follow));
  await runner.register();

  /** Runs the worker until nothing is due. Applies published events first. */
  async function runWorker(): Promise<void> {
    do {
      await logSettled(database);
      while (await runner.applyNextBatch());
      while ((await advance.advance()).hasMore);
      while (await dueRequests.open());
    } while (await isWorkLeft());
  }

  async function isWorkLeft(): Promise<boolean> {
    const [row] = await database.query<{ left: boolean }>(
      `SELECT EXISTS (SELECT FROM subscriptions.subscriptions
         WHERE next_step_at <= platform.now() AND (parked_until IS NULL OR parked_until <= platform.now()))
         OR EXISTS (SELECT FROM platform.due_work WHERE kind = '${CHARGE_REQUEST_JOB_KIND}' AND due_at <= platform.now())
         OR EXISTS (SELECT FROM platform.events e JOIN platform.subscriber_positions p
           ON p.subscriber = '${CHARGE_REQUESTS_SUBSCRIBER}' AND (e.transaction_id, e.position) > (p.transaction_id, p.position)
         ) AS left`,
    );
    return row!.left;
  }

  /** Creates an offer of 10 dollars a month. `input` overrides its terms. */
  const offer = (input: Partial<CreateSubscriptionInput> = {}): Promise<SubscriptionSnapshot> =>
    create.create({
      ...{ scope, pointOfSaleId: shop.id, amount: '10', uniqueAssetId: DOLLAR.uniqueAssetId },
      interval: 'P1M',
      ...input,
    });
  const acceptOffer = ({ id }: { id: SubscriptionId }, externalId = 'wallet-1') =>
    accept.accept(scope, id, { externalId });
  const list = async ({ id }: { id: SubscriptionId }) => {
    await openOwed.forWallet(scope, id);
    return queries.findChargesWithRequests(scope, id, { page: 1, pageSize: 50 });
  };

  return {
    ...checkouts,
    scope,
    approval,
    subscriptions,
    advance,
    subscriptionQueries: queries,
    revoke,
    work: runWorker,

    offer,
    accept: acceptOffer,
    acceptAs: accept,
    opening: (requests: ChargeRequests) => new OpenChargeRequest(subscriptions, requests),
    list,
    forWallets: new WalletSubscriptionController(accept, revoke, openOwed, queries),
    read: ({ id }: { id: SubscriptionId }) => queries.find(scope, id),

    async active(input: Partial<CreateSubscriptionInput> = {}): Promise<SubscriptionSnapshot> {
      const accepted = await acceptOffer(await offer(input));
      await runWorker();
      return accepted;
    },

    /** Returns number, status and payment request status of each charge, newest first. */
    async chargesOf(subscription: SubscriptionSnapshot): Promise<string[]> {
      const { items } = await list(subscription);
      return items.map(({ charge, request }) => `${charge.number} ${charge.status} ${request?.status}`);
    },

    async requestOf(subscription: SubscriptionSnapshot): Promise<ChargeRequestView> {
      const { items } = await list(subscription);
      return items[0]!.request!;
    },

    async countRequests(): Promise<number> {
      return (await database.query('SELECT id FROM payments.payment_requests')).length;
    },

    async passes(seconds: number): Promise<void> {
      await platform.advance(seconds);
      await catchUp();
      await runWorker();
    },

    async pays(request: ChargeRequestView): Promise<void> {
      checkouts.chain.mineAt(await clock.now(), pay(request, Number(request.amount / 10_000n)));
      await catchUp();
      await runWorker();
    },
  };

  /** Mines blocks until a block at the clock's time is final, and lets the watcher read them. */
  async function catchUp(): Promise<void> {
    const now = (await clock.now()).getTime();
    const after = Math.max(now, checkouts.chain.tip.time.getTime());
    for (let n = 0; n < CONFIRMATIONS; n += 1) checkouts.chain.mineAt(new Date(after + n));
    await checkouts.follow();
  }
}
