import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type CredentialId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { PageQuery } from '#shared/platform/http/answers/pagination.dto.js';
import type { Role } from '#shared/platform/http/callers/principal.js';
import type { ChargeRequest } from '#contexts/payments/contract/charge-requests.js';
import { daysAfter } from '../domain/billing-interval.js';
import type { SubscriptionState } from '../domain/subscription-state.js';
import { openSubscriptions, type OpenSubscriptions } from '../testing/open-subscriptions.js';

const DAY = 86_400;
const CALLER = {
  credentialId: newId<CredentialId>(),
  keyId: 'svc.dev.1',
  address: '127.0.0.1',
  at: new Date(0),
};

let world: OpenSubscriptions;
beforeEach(async () => {
  world = await openSubscriptions();
});
afterEach(() => world.close());

/** Offered, accepted, and its first payment request open. */
async function active(input: Parameters<OpenSubscriptions['offer']>[0] = {}): Promise<SubscriptionState> {
  const offered = await world.offer(input);
  const accepted = await world.accept(offered);
  await world.work();
  return accepted;
}

async function charges(of: SubscriptionState): Promise<string[]> {
  const { items } = await world.list(of);
  return items.map(({ charge, request }) => `${charge.number} ${charge.status} ${request?.status}`);
}

async function openRequest(of: SubscriptionState): Promise<ChargeRequest> {
  const { items } = await world.list(of);
  return items[0]!.request!;
}

/** Payment requests of the point of sale. */
function countRequests(): Promise<number> {
  return world.database.query('SELECT id FROM payments.payment_requests').then((requests) => requests.length);
}

describe('A subscription that is paid', () => {
  it('has a payment request on each due date, with its reference', async () => {
    const subscription = await active({ referenceId: 'plan-7' });
    const first = await openRequest(subscription);

    await world.pays(first);
    expect(await charges(subscription)).toEqual(['0 paid completed']);
    await world.passes((subscription.next!.at.getTime() - subscription.acceptedAt!.getTime()) / 1_000 + 1);

    expect(await charges(subscription)).toEqual(['1 open created', '0 paid completed']);
    const rows = await world.database.query('SELECT reference_id, amount FROM payments.payment_requests');
    expect(rows).toEqual(Array(2).fill({ referenceId: 'plan-7', amount: 10000000n }));
  });

  it('opens one as a wallet lists its charges, and none for a credential that may only read', async () => {
    const { id } = await world.accept(await world.offer());
    const listed = (...roles: Role[]) =>
      world.forWallets.charges({ ...CALLER, scope: world.scope, roles: new Set(roles) }, id, new PageQuery());

    expect([(await listed('read')).data.length, await countRequests()]).toEqual([1, 0]);
    expect([(await listed('read', 'write')).data.length, await countRequests()]).toEqual([1, 1]);
  });

  it('leads nobody to the page that can revoke', async () => {
    await active();

    const [checkout] = await world.database.query('SELECT return_url FROM payments.checkouts');

    expect(checkout).toEqual({ returnUrl: null });
  });

  it('names its requests by its own id where it has no reference', async () => {
    const subscription = await active();

    const [row] = await world.database.query('SELECT reference_id FROM payments.payment_requests');

    expect(row).toEqual({ referenceId: subscription.id });
  });

  it('waits for the end of a trial', async () => {
    const trialUntil = daysAfter(await world.platform.clock.now(), 3);
    const subscription = await active({ trialUntil });

    expect(await charges(subscription)).toEqual([]);
    await world.passes(3 * DAY + 1);

    expect(await charges(subscription)).toEqual(['0 open created']);
  });
});

describe('A subscription that is not paid', () => {
  it('is past due until a retry is paid', async () => {
    const subscription = await active();

    await world.passes(600);
    expect(await world.read(subscription)).toMatchObject({ status: 'past_due' });
    await world.passes(DAY);
    await world.pays(await openRequest(subscription));

    expect(await world.read(subscription)).toMatchObject({ status: 'active' });
    expect(await charges(subscription)).toEqual(['0 paid completed']);
  });

  it('is revoked after three charges in a row', async () => {
    const subscription = await active({ interval: 'P1D' });

    for (let day = 0; day < 3; day += 1) {
      await world.passes(600);
      await world.passes(DAY - 600);
    }

    const { status, revokedBy, next } = await world.read(subscription);
    expect({ status, revokedBy, next }).toEqual({ status: 'revoked', revokedBy: 'unpaid', next: undefined });
    expect(await charges(subscription)).toEqual([
      ...['2 unpaid expired', '1 unpaid expired', '0 unpaid expired'],
    ]);
  });

  it('has a request for whoever lists its charges between two tries, and one alone', async () => {
    const subscription = await active();
    await world.passes(600);

    const lists = await Promise.all(Array.from({ length: 10 }, () => openRequest(subscription)));

    expect(new Set(lists.map(({ id }) => id)).size).toBe(1);
    expect(lists[0]).toMatchObject({ status: 'created' });
    expect(await countRequests()).toBe(2);
    await world.pays(lists[0]!);
    expect(await world.read(subscription)).toMatchObject({ status: 'active' });
  });
});

describe('After an outage', () => {
  it('only the latest of the missed due dates is charged', async () => {
    const subscription = await active({ interval: 'P1D' });
    await world.pays(await openRequest(subscription));

    await world.passes(4.5 * DAY);

    expect(await charges(subscription)).toEqual(['4 open created', '0 paid completed']);
  });
});

describe('Two workers', () => {
  it('make one charge and one payment request for each due date', async () => {
    const offers = await Promise.all(Array.from({ length: 12 }, () => world.offer()));
    for (const [n, offer] of offers.entries()) await world.accept(offer, `wallet-${n}`);

    await Promise.all(Array.from({ length: 4 }, () => world.work()));

    const of = await world.database.query(
      `SELECT count(*)::int AS charges, count(DISTINCT subscription_id)::int AS subscriptions FROM subscriptions.charges`,
    );
    expect(of).toEqual([{ charges: 12, subscriptions: 12 }]);
    expect(await countRequests()).toBe(12);
  });
});

describe('A crash', () => {
  async function planned(): Promise<PaymentRequestId> {
    const [row] = await world.database.query<{ id: PaymentRequestId }>(
      'SELECT payment_request_id AS id FROM subscriptions.charge_requests',
    );
    return row!.id;
  }

  it('between planning a request and opening it opens it once', async () => {
    await world.accept(await world.offer());
    const id = await planned();

    await Promise.all([world.work(), world.work()]);

    expect(await world.database.query('SELECT id FROM payments.payment_requests')).toEqual([{ id }]);
  });

  it('between opening a request and hearing of it opens it once', async () => {
    const subscription = await world.accept(await world.offer());
    const { charges: payments } = world;
    const deaf = {
      check: payments.check.bind(payments),
      find: payments.find.bind(payments),
      open: async (input: Parameters<typeof payments.open>[0]) => {
        await payments.open(input);
        throw new Error('the connection is gone');
      },
    };
    await expect(world.opening(deaf).execute(await planned())).rejects.toThrow('gone');

    await world.work();

    expect(await countRequests()).toBe(1);
    expect(await charges(subscription)).toEqual(['0 open created']);
  });
});

describe('A request that payments refuses', () => {
  it('is asked for again, says why meanwhile, and does not make the subscription past due', async () => {
    const offered = await world.offer();
    world.catalogue.taking = false;
    const subscription = await world.accept(offered);
    await world.work();

    const [item] = (await world.list(subscription)).items;
    expect(item!.request).toBeUndefined();
    expect(item!.charge.request).toMatchObject({
      status: 'planned',
      refused: expect.stringContaining('takes no new payment requests'),
    });
    world.catalogue.taking = true;
    await world.passes(61);

    expect(await charges(subscription)).toEqual(['0 open created']);
    expect(await world.read(subscription)).toMatchObject({ status: 'active' });
  });
});

describe('A subscription that is past due', () => {
  it('stays so while payments opens no request, however many due dates pass', async () => {
    const subscription = await active({ interval: 'P1D' });
    await world.passes(600);
    world.catalogue.taking = false;

    for (let day = 0; day < 4; day += 1) await world.passes(DAY);

    expect((await charges(subscription)).at(-1)).toBe('0 unpaid expired');
    expect(await world.read(subscription)).toMatchObject({ status: 'past_due' });
  });
});

describe('Revoking', () => {
  it('lets the open request run out, and opens nothing more', async () => {
    const subscription = await active({ interval: 'P1D' });
    const open = await openRequest(subscription);

    const revoked = await world.revoke.byPayer(subscription.code);
    await world.pays(open);
    await world.passes(3 * DAY);

    expect(revoked).toMatchObject({ status: 'revoked', revokedBy: 'payer' });
    expect(await charges(subscription)).toEqual(['0 paid completed']);
    expect(await countRequests()).toBe(1);
  });

  it('before the request is opened opens none', async () => {
    const subscription = await world.accept(await world.offer());

    await world.revoke.byWallet(world.scope, subscription.id, { externalId: 'wallet-1' });
    await world.work();

    expect(await countRequests()).toBe(0);
    expect(await charges(subscription)).toEqual(['0 unpaid undefined']);
  });

  it('is refused to a wallet that has not accepted, and one that nobody knows', async () => {
    const subscription = await active();
    await world.accept(await world.offer(), 'wallet-2');

    for (const externalId of ['wallet-2', 'wallet-3']) {
      const revoking = world.revoke.byWallet(world.scope, subscription.id, { externalId });
      await expect(revoking).rejects.toMatchObject({ code: 'state_conflict' });
    }
    expect(await world.read(subscription)).toMatchObject({ status: 'active' });
  });

  it('and accepting take the id that the service has given', async () => {
    const first = await world.accept(await world.offer(), 'wallet-1');

    const second = await world.acceptAs.execute(world.scope, (await world.offer()).id, {
      id: first.wallet!.id,
    });

    expect(second.wallet).toEqual(first.wallet);
    const unknown = world.acceptAs.execute(world.scope, (await world.offer()).id, { id: newId() });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('An offer', () => {
  it('expires', async () => {
    const offered = await world.offer();

    await world.passes(DAY + 1);

    expect(await world.read(offered)).toMatchObject({ status: 'expired' });
    await expect(world.accept(offered)).rejects.toMatchObject({ code: 'state_conflict' });
  });

  it('is not known to another organization', async () => {
    const offered = await world.offer();

    const foreign = { organizationId: newId<typeof world.scope.organizationId>(), accountId: null };

    await expect(world.acceptAs.execute(foreign, offered.id, { externalId: 'w' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('A subscription whose step fails', () => {
  it('waits by itself, while the others are charged, and is tried again', async () => {
    const [bad, good] = [await active(), await active()];
    for (const each of [bad, good]) await world.pays(await openRequest(each));
    const { database } = world;
    await database.query(`CREATE FUNCTION subscriptions.refuse_it() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'it cannot be stored'; END $$`);
    await database.query(`CREATE TRIGGER refuse_it BEFORE INSERT ON subscriptions.charges FOR EACH ROW
      WHEN (NEW.subscription_id = '${bad.id}') EXECUTE FUNCTION subscriptions.refuse_it()`);
    const parked: string[] = [];
    const advance = () => world.advance.execute((id, { message }) => parked.push(`${id} ${message}`));
    await world.platform.advance(32 * DAY);

    await advance();
    await advance();

    expect(parked).toEqual([`${bad.id} it cannot be stored`]);
    const charged = await database.query(
      'SELECT subscription_id AS id FROM subscriptions.charges WHERE number = 1',
    );
    expect(charged).toEqual([{ id: good.id }]);
    await database.query('DROP TRIGGER refuse_it ON subscriptions.charges');
    await world.passes(301);
    expect((await charges(bad))[0]).toMatch(/^1 /);
  });
});
