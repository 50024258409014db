import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  newId,
  type CredentialId,
  type AccountId,
  type OrganizationId,
  type PaymentRequestId,
} from '#shared/kernel/ids.js';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';
import { PageQuery } from '#shared/platform/http/answers/pagination.dto.js';
import type { PrincipalRole } from '#shared/platform/http/callers/principal.js';
import { openSubscriptions, type OpenSubscriptions } from '../testing/open-subscriptions.js';
import { Wallets } from '../infrastructure/persistence/wallets.js';
import { DueChargeRequests } from '../infrastructure/charge-workers.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { ChargeRequests } from '#contexts/payments/contract/charge-requests.js';
import { AcceptedUnderpayments } from '#contexts/payments/infrastructure/requests/persistence/accepted-underpayments.js';
import { pay } from '#contexts/payments/testing/requests/open-payments.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const CALLER = {
  credentialId: newId<CredentialId>(),
  keyId: 'svc.dev.1',
  address: '127.0.0.1',
  pointOfSaleId: null,
  at: new Date(0),
};

let world: OpenSubscriptions;
beforeEach(async () => {
  world = await openSubscriptions();
});
afterEach(() => world.close());

describe('A paid subscription', () => {
  it('opens a payment request with its reference on each due date, without a return URL', async () => {
    const subscription = await world.active({ referenceId: 'plan-7' });
    const first = await world.requestOf(subscription);

    await world.pays(first);
    expect(await world.chargesOf(subscription)).toEqual(['0 paid completed']);
    await world.passes((subscription.next!.at.getTime() - subscription.acceptedAt!.getTime()) / 1_000 + 1);

    expect(await world.chargesOf(subscription)).toEqual(['1 open created', '0 paid completed']);
    const rows = await world.database.query('SELECT reference_id, amount FROM payments.payment_requests');
    expect(rows).toEqual(Array(2).fill({ referenceId: 'plan-7', amount: 10000000n }));
    const [checkout] = await world.database.query('SELECT return_url FROM payments.checkouts');
    expect(checkout).toEqual({ returnUrl: null });
  });

  it('opens a payment request when a wallet lists its charges, but not for a read-only credential', async () => {
    const { id } = await world.accept(await world.offer());
    const listed = (...roles: PrincipalRole[]) =>
      world.forWallets.charges({ ...CALLER, scope: world.scope, roles: new Set(roles) }, id, new PageQuery());

    expect([(await listed('read')).data.length, await world.countRequests()]).toEqual([1, 0]);
    expect([(await listed('read', 'write')).data.length, await world.countRequests()]).toEqual([1, 1]);
  });

  it('is not offered before the approval of the organization', async () => {
    world.approval.isApproved = false;
    await expect(world.offer()).rejects.toMatchObject({ code: 'organization_not_approved' });
    world.approval.isApproved = true;
  });

  it('uses its id as the reference of its payment requests by default', async () => {
    const subscription = await world.active();

    const [row] = await world.database.query('SELECT reference_id FROM payments.payment_requests');

    expect(row).toEqual({ referenceId: subscription.id });
  });
});

describe('An unpaid subscription', () => {
  it('is active again once the merchant accepts its underpaid payment request', async () => {
    const subscription = await world.active();
    const request = await world.requestOf(subscription);
    world.chain.mineAt(await world.platform.clock.now(), pay(request, 500));
    await world.passes(2 * HOUR);
    const before = [(await world.read(subscription)).status, ...(await world.chargesOf(subscription))];

    const { database, platform } = world;
    const accepted = new AcceptedUnderpayments(database, platform.eventLog);
    const at = await platform.clock.now();
    await database.run(() => accepted.add(world.scope, request.id, at));
    await world.work();

    expect(before).toEqual(['past_due', '0 open created']);
    expect((await world.read(subscription)).status).toBe('active');
    expect(await world.chargesOf(subscription)).toEqual(['0 paid underpaid']);
  });

  it('is revoked after three unpaid charges in a row', async () => {
    const subscription = await world.active({ interval: 'P1D' });

    for (let day = 0; day < 3; day += 1) {
      await world.passes(600);
      await world.passes(DAY - 600);
    }

    const { status, revokedBy, next } = await world.read(subscription);
    expect({ status, revokedBy, next }).toEqual({ status: 'revoked', revokedBy: 'unpaid', next: undefined });
    expect(await world.chargesOf(subscription)).toEqual([
      ...['2 unpaid expired', '1 unpaid expired', '0 unpaid expired'],
    ]);
    const byCursor = await readByCursor((page) => world.subscriptionQueries.charges(subscription.id, page));
    expect(byCursor.map(({ number }) => number)).toEqual([2, 1, 0]);
    const second = await world.subscriptionQueries.findByPageCode(subscription.code, 2);
    expect([second.charges.items, second.latest?.number]).toEqual([[], 2]);
  });

  it('opens one payment request if its charges are listed concurrently between two tries', async () => {
    const subscription = await world.active();
    await world.passes(600);

    const lists = await Promise.all(Array.from({ length: 10 }, () => world.requestOf(subscription)));

    expect(new Set(lists.map(({ id }) => id)).size).toBe(1);
    expect(lists[0]).toMatchObject({ status: 'created' });
    expect(await world.countRequests()).toBe(2);
    await world.pays(lists[0]!);
    expect(await world.read(subscription)).toMatchObject({ status: 'active' });
  });
});

describe('A subscription that is past due', () => {
  it('stays past due while no payment request can be opened', async () => {
    const subscription = await world.active({ interval: 'P1D' });
    await world.passes(600);
    world.catalogue.taking = false;

    for (let day = 0; day < 4; day += 1) await world.passes(DAY);

    expect((await world.chargesOf(subscription)).at(-1)).toBe('0 unpaid expired');
    expect(await world.read(subscription)).toMatchObject({ status: 'past_due' });
  });
});

describe('A subscription with an error when it is charged', () => {
  it('is parked while others are charged, and is retried', async () => {
    const [bad, good] = [await world.active(), await world.active()];
    for (const each of [bad, good]) await world.pays(await world.requestOf(each));
    const { database } = world;
    await database.query(`CREATE FUNCTION subscriptions.refuse_it() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'it cannot be stored'; END $$`);
    await database.query(`CREATE TRIGGER refuse_it BEFORE INSERT ON subscriptions.charges FOR EACH ROW
      WHEN (NEW.subscription_id = '${bad.id}') EXECUTE FUNCTION subscriptions.refuse_it()`);
    const parked: string[] = [];
    const advance = async () => {
      const { failed } = await world.advance.advance();
      parked.push(...failed.map(({ id, error }) => `${id} ${error.message}`));
    };
    await world.platform.advance(32 * DAY);

    await advance();
    await advance();

    expect(parked).toEqual([`${bad.id} it cannot be stored`]);
    const charged = await database.query(
      'SELECT subscription_id AS id FROM subscriptions.charges WHERE number = 1',
    );
    expect(charged).toEqual([{ id: good.id }]);
    await database.query('DROP FUNCTION subscriptions.refuse_it CASCADE');
    await world.passes(301);
    expect((await world.chargesOf(bad))[0]).toMatch(/^1 /);
  });
});

describe('An offer', () => {
  it('is listed with others of its point of sale, newest first', async () => {
    const offers = [await world.offer(), await world.offer(), await world.offer()].map(({ id }) => id);
    const { scope, shop, subscriptionQueries: queries } = world;

    const listed = await readByCursor((page) => queries.page(scope, shop.id, { status: 'pending' }, page));

    expect(listed.map(({ id }) => id)).toEqual(offers.reverse());
    const [active, page] = [{ status: 'active' } as const, { page: 1, pageSize: 9 }];
    expect((await queries.page(scope, shop.id, active, page)).total).toBe(0);
    expect((await queries.pageOfScope(scope, active, page)).total).toBe(0);
    const elsewhere = queries.find(scope, offers[0]!, newId());
    await expect(elsewhere).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['organization', 'account'] as const)('is hidden from another %s', async (other) => {
    const { id } = await world.offer();
    const { scope, shop, subscriptionQueries: queries } = world;
    const foreign =
      other === 'account'
        ? { ...scope, accountId: newId<AccountId>() }
        : { ...scope, organizationId: newId<never>() };
    const page = { page: 1, pageSize: 10 };

    for (const refused of [
      world.acceptAs.accept(foreign, id, { externalId: 'w' }),
      queries.find(foreign, id),
      queries.page(foreign, shop.id, {}, page),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    expect((await queries.pageOfScope(foreign, {}, page)).total).toBe(0);
  });
});

describe('The revocation of a subscription', () => {
  it('is rejected for a wallet that has not accepted', async () => {
    const subscription = await world.active();
    await world.accept(await world.offer(), 'wallet-2');

    for (const externalId of ['wallet-2', 'wallet-3']) {
      const revoking = world.revoke.byWallet(world.scope, subscription.id, { externalId });
      await expect(revoking).rejects.toMatchObject({ code: 'state_conflict' });
    }
    expect(await world.read(subscription)).toMatchObject({ status: 'active' });
  });

  it('accepts the wallet id that the service assigned, only in its organization', async () => {
    const first = await world.accept(await world.offer(), 'wallet-1');

    const second = await world.acceptAs.accept(world.scope, (await world.offer()).id, {
      id: first.wallet!.id,
    });

    expect(second.wallet).toEqual(first.wallet);
    const unknown = world.acceptAs.accept(world.scope, (await world.offer()).id, { id: newId() });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
    const [wallets, stranger] = [new Wallets(world.database), newId<OrganizationId>()];
    expect(await wallets.byExternalId(stranger, 'wallet-1')).toBeNull();
    await expect(wallets.find(stranger, first.wallet!.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is allowed with the code of its page, but not at another point of sale', async () => {
    const { id, code } = await world.active();

    for (const refused of [
      world.revoke.byMerchant(world.scope, newId(), id),
      world.revoke.byPayer('A'.repeat(22)),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    expect(await world.revoke.byPayer(code)).toMatchObject({ status: 'revoked', revokedBy: 'payer' });
  });

  it('is recorded once in the audit log if it is repeated', async () => {
    const { id } = await world.active();
    for (let i = 0; i < 2; i += 1)
      await world.revoke.byMerchant(world.scope, world.shop.id, id, { actor: 'anna@shop.example' });

    const entries = await world.database.query(
      `SELECT actor FROM identity.audit_log WHERE action = 'subscription.revoked' AND subject_id = $1`,
      [id],
    );
    expect(entries).toEqual([{ actor: 'anna@shop.example' }]);
  });
});

describe('A group of workers', () => {
  it('opens one charge and one payment request for each due date', async () => {
    const offers = await Promise.all(Array.from({ length: 12 }, () => world.offer()));
    for (const [n, offer] of offers.entries()) await world.accept(offer, `wallet-${n}`);

    await Promise.all(Array.from({ length: 4 }, () => world.work()));

    const of = await world.database.query(
      `SELECT count(*)::int AS charges, count(DISTINCT subscription_id)::int AS subscriptions FROM subscriptions.charges`,
    );
    expect(of).toEqual([{ charges: 12, subscriptions: 12 }]);
    expect(await world.countRequests()).toBe(12);
  });
});

describe('A crash of a worker', () => {
  async function planned(): Promise<PaymentRequestId> {
    const [row] = await world.database.query<{ id: PaymentRequestId }>(
      'SELECT payment_request_id AS id FROM subscriptions.charge_requests',
    );
    return row!.id;
  }

  it('leads to one payment request if it happens between planning and opening it', async () => {
    await world.accept(await world.offer());
    const id = await planned();

    await Promise.all([world.work(), world.work()]);

    expect(await world.database.query('SELECT id FROM payments.payment_requests')).toEqual([{ id }]);
  });

  it('leads to one payment request if it happens between opening it and storing the result', async () => {
    const subscription = await world.accept(await world.offer());
    const { charges: payments } = world;
    const deaf = {
      preview: payments.preview.bind(payments),
      find: payments.find.bind(payments),
      open: async (input: Parameters<typeof payments.open>[0]) => {
        await payments.open(input);
        throw new Error('the connection is gone');
      },
    };
    await expect(world.opening(deaf).open(await planned())).rejects.toThrow('gone');

    await world.work();

    expect(await world.countRequests()).toBe(1);
    expect(await world.chargesOf(subscription)).toEqual(['0 open created']);
  });
});

describe('A payment request of a charge that cannot be opened', () => {
  it('is not recorded as rejected while writing is stopped', async () => {
    await world.accept(await world.offer());
    const [row] = await world.database.query<{ id: PaymentRequestId }>(
      'SELECT payment_request_id AS id FROM subscriptions.charge_requests',
    );
    const stopped = new DomainError('unavailable', 'writing_stopped', 'Writing is stopped.');
    const payments = Object.assign(Object.create(world.charges) as ChargeRequests, {
      open: () => Promise.reject(stopped),
    });

    await expect(world.opening(payments).open(row!.id)).rejects.toBe(stopped);
  });

  it('is opened later if the connection was lost', async () => {
    await world.accept(await world.offer());
    const { database, platform } = world;
    const payments = Object.assign(Object.create(world.charges) as ChargeRequests, {
      open: () => Promise.reject(new Error('the connection is lost')),
    });
    await new DueChargeRequests(
      platform.scheduledJobs,
      world.opening(payments),
      platform.clock,
      database,
    ).open();
    const before = await world.countRequests();
    await database.query('UPDATE platform.due_work SET claimed_until = clock_timestamp()');

    await world.work();

    expect([before, await world.countRequests()]).toEqual([0, 1]);
  });

  it('is retried after growing pauses and does not make the subscription past due', async () => {
    const offered = await world.offer();
    world.catalogue.taking = false;
    const subscription = await world.accept(offered);
    await world.work();

    const [item] = (await world.list(subscription)).items;
    expect(item!.request).toBeUndefined();
    expect(item!.charge.request).toMatchObject({
      status: 'planned',
      refused: expect.stringContaining('is temporarily unavailable'),
    });
    await world.passes(61);
    world.catalogue.taking = true;
    // After the second refusal, the next attempt is five minutes later.
    await world.passes(61);
    expect(await world.countRequests()).toBe(0);
    await world.passes(240);
    expect(await world.countRequests()).toBe(1);

    const { request } = (await world.list(subscription)).items[0]!.charge;
    expect(request).toEqual({ id: expect.any(String), status: 'open' });
    await world.subscriptions.recordChargeRequestRefusal(request!.id, 'It is late.');
    const rows = await world.database.query('SELECT refused FROM subscriptions.charge_requests');
    expect(rows).toEqual([{ refused: expect.not.stringContaining('late') }]);
    expect(await world.chargesOf(subscription)).toEqual(['0 open created']);
    expect(await world.read(subscription)).toMatchObject({ status: 'active' });
  });
});
