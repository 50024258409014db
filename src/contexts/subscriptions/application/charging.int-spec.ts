import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type CredentialId } from '#shared/kernel/ids.js';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';
import { PageQuery } from '#shared/platform/http/answers/pagination.dto.js';
import type { Role } from '#shared/platform/http/callers/principal.js';
import { pay } from '#contexts/payments/testing/requests/open-payments.js';
import { openSubscriptions, type OpenSubscriptions } from '../testing/open-subscriptions.js';

const DAY = 86_400;
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

describe('A subscription that is paid', () => {
  it('has a payment request with its reference on each due date', async () => {
    const subscription = await world.active({ referenceId: 'plan-7' });
    const first = await world.requestOf(subscription);

    await world.pays(first);
    expect(await world.chargesOf(subscription)).toEqual(['0 paid completed']);
    await world.passes((subscription.next!.at.getTime() - subscription.acceptedAt!.getTime()) / 1_000 + 1);

    expect(await world.chargesOf(subscription)).toEqual(['1 open created', '0 paid completed']);
    const rows = await world.database.query('SELECT reference_id, amount FROM payments.payment_requests');
    expect(rows).toEqual(Array(2).fill({ referenceId: 'plan-7', amount: 10000000n }));
  });

  it('opens a request when a wallet lists its charges, but not for a read-only credential', async () => {
    const { id } = await world.accept(await world.offer());
    const listed = (...roles: Role[]) =>
      world.forWallets.charges({ ...CALLER, scope: world.scope, roles: new Set(roles) }, id, new PageQuery());

    expect([(await listed('read')).data.length, await world.countRequests()]).toEqual([1, 0]);
    expect([(await listed('read', 'write')).data.length, await world.countRequests()]).toEqual([1, 1]);
  });

  it('does not link its checkout to the page that can revoke', async () => {
    await world.active();

    const [checkout] = await world.database.query('SELECT return_url FROM payments.checkouts');

    expect(checkout).toEqual({ returnUrl: null });
  });

  it('uses its id as the reference of its requests by default', async () => {
    const subscription = await world.active();

    const [row] = await world.database.query('SELECT reference_id FROM payments.payment_requests');

    expect(row).toEqual({ referenceId: subscription.id });
  });
});

describe('A charge that is underpaid', () => {
  it('is paid if the merchant accepts the shortfall, and unpaid if it is larger', async () => {
    const tolerance = { basisPoints: 100, atMost: '0.05' };
    await world.pointsOfSale.change(world.shop, { underpaymentTolerance: tolerance });
    const [accepted, short] = [await world.active(), await world.active()];
    const [ofAccepted, ofShort] = [await world.requestOf(accepted), await world.requestOf(short)];
    world.chain.mineAt(await world.platform.clock.now(), pay(ofAccepted, 995), pay(ofShort, 994));

    await world.passes(600);

    expect(await world.chargesOf(accepted)).toEqual(['0 paid underpaid']);
    expect((await world.chargesOf(short))[0]).toMatch(/^0 open /);
    expect([(await world.read(accepted)).status, (await world.read(short)).status]).toEqual([
      'active',
      'past_due',
    ]);
  });
});

describe('A subscription that is not paid', () => {
  it('is past due until a retry is paid', async () => {
    const subscription = await world.active();

    await world.passes(600);
    expect(await world.read(subscription)).toMatchObject({ status: 'past_due' });
    await world.passes(DAY);
    await world.pays(await world.requestOf(subscription));

    expect(await world.read(subscription)).toMatchObject({ status: 'active' });
    expect(await world.chargesOf(subscription)).toEqual(['0 paid completed']);
  });

  it('is revoked after three charges in a row', async () => {
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
  });

  it('has one request for concurrent lists of its charges between two tries', async () => {
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
  it('stays past due while payments opens no request, however many due dates pass', async () => {
    const subscription = await world.active({ interval: 'P1D' });
    await world.passes(600);
    world.catalogue.taking = false;

    for (let day = 0; day < 4; day += 1) await world.passes(DAY);

    expect((await world.chargesOf(subscription)).at(-1)).toBe('0 unpaid expired');
    expect(await world.read(subscription)).toMatchObject({ status: 'past_due' });
  });
});

describe('A subscription whose step fails', () => {
  it('is parked while others are charged, and is retried', async () => {
    const [bad, good] = [await world.active(), await world.active()];
    for (const each of [bad, good]) await world.pays(await world.requestOf(each));
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
    expect((await world.chargesOf(bad))[0]).toMatch(/^1 /);
  });
});
