import { describe, expect, it, beforeEach, afterEach, jest } from '@jest/globals';
import { newId, type CredentialId } from '#shared/kernel/ids.js';
import type { PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { DOLLAR, EURO, NETWORK } from '../../testing/requests/collecting-world.js';
import { refusal, withReadPayments, type Payments } from '../../testing/requests/open-payments.js';
import { IdempotencyKeyTaken, type IdempotentCreation } from '#shared/kernel/idempotent-creation.js';
import { IdempotencyKeys } from '#shared/platform/idempotency/idempotency-keys.js';
import type { PaymentRequestView } from './payment-request-view.js';

let payments: Payments;
withReadPayments((opened) => (payments = opened));

describe('Creating a payment request', () => {
  it('stores the request, its address, history and event, with a window from its creation', async () => {
    const at = await payments.platform.clock.now();

    const request = await payments.request({
      at,
      amount: '12.5',
      referenceId: 'order-1042',
      uniqueAssetId: DOLLAR.uniqueAssetId.toLowerCase(),
    });

    const read = await payments.read(request);
    const { network, uniqueAssetId, currency, decimals, amount, address, order, ...facts } = request;
    expect(read).toMatchObject({ ...facts, status: 'created', receivedAmount: 0n, transfers: [] });
    expect(read.order).toEqual(order);
    expect(read.asked).toEqual({ network, uniqueAssetId, currency, decimals, amount, address });
    expect([read.createdAt, read.expiresAt]).toEqual([at, new Date(at.getTime() + 480_000)]);
    expect([amount, read.referenceId, uniqueAssetId]).toEqual([
      12_500_000n,
      'order-1042',
      DOLLAR.uniqueAssetId,
    ]);
    expect(await payments.told(request)).toEqual(['created']);
  });

  it('uses the current settlement terms if its copy of the point of sale is outdated', async () => {
    await payments.request();
    const terms = { ...payments.point.terms.get(NETWORK)!, feeBasisPoints: 250 };
    await payments.pointsOfSale.change(payments.point, { terms: new Map([[NETWORK, terms]]) });

    const request = await payments.request();

    const [row] = await payments.platform.database.query<{ feeBasisPoints: number }>(
      'SELECT fee_basis_points FROM payments.deposit_addresses WHERE payment_request_id = $1',
      [request.id],
    );
    expect([row!.feeBasisPoints, payments.pointsOfSale.forgotten]).toEqual([250, 1]);
  });

  it('stores nothing for an account that has just been deleted', async () => {
    const { database } = payments.platform;
    const account = payments.point.accountId;
    await payments.request();
    const stored = await payments.countStored();
    // An organization keeps at least one account.
    await database.query(
      `INSERT INTO identity.accounts
       SELECT (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid()))).* FROM identity.accounts a WHERE id = $1`,
      [account],
    );
    await database.query('UPDATE identity.accounts SET deleted_at = platform.now() WHERE id = $1', [account]);

    const { code } = await refusal(payments.request());

    expect([code, await payments.countStored()]).toEqual(['state_conflict', stored]);
  });

  it('waits for the deletion of its point of sale, and then stores nothing', async () => {
    const { database } = payments.platform;
    const { id, accountId } = payments.point;
    await payments.request();
    const stored = await payments.countStored();
    const [locked, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const deletion = database.run(async () => {
      await database.queryInTransaction('SELECT identity.public_exclude_new_objects($1)', [accountId]);
      await database.queryInTransaction(
        'UPDATE point_of_sale.points_of_sale SET version = version + 1, deleted_at = platform.now() WHERE id = $1',
        [id],
      );
      locked.resolve();
      await finished.promise;
    });
    await locked.promise;
    const creation = refusal(payments.request());
    setTimeout(finished.resolve, 150);
    await deletion;

    expect([(await creation).code, await payments.countStored()]).toEqual(['state_conflict', stored]);
  });

  it('rejects the request if the point of sale keeps changing', async () => {
    await payments.pointsOfSale.change(payments.point, {});
    await payments.pointsOfSale.change(payments.point, { version: 'never current' });

    const error = await refusal(payments.request());

    expect([error.kind, error.code, await payments.countStored()]).toEqual(['conflict', 'state_conflict', 0]);
    expect(error.message).toContain('settlement terms changed');
  });
});

describe('A payment request that cannot be created', () => {
  it('names the field and the rule for an invalid amount or asset, and stores nothing', async () => {
    const refused = [
      ['amount', 'not_a_decimal', { amount: '1e3' }],
      ['amount', 'too_many_decimals', { amount: '1.0000001' }],
      ['amount', 'not_positive', { amount: '0.00' }],
      ['amount', 'minimum_amount', { amount: '0.009999' }],
      ['amount', 'too_large', { amount: '9'.repeat(75) }],
      ['unique_asset_id', 'payment_option', { uniqueAssetId: EURO.uniqueAssetId }],
    ] as const;
    for (const [field, rule, input] of refused) {
      const { kind, errors } = await refusal(payments.request(input));
      expect([kind, errors.map((each) => [each.field, each.rule])]).toEqual(['invalid', [[field, rule]]]);
    }

    expect(await payments.countStored()).toBe(0);
    expect((await payments.request({ amount: '0.01' })).amount).toBe(DOLLAR.minimumAmount);
  });

  it('requires a settlement address, and a network that takes requests', async () => {
    const point = await payments.pointsOfSale.open({ terms: new Map() });
    const homeless = await refusal(payments.request({}, point));
    payments.catalogue.taking = false;
    const withdrawn = await refusal(payments.request());

    expect([homeless.kind, homeless.code]).toEqual(['conflict', 'settlement_address_missing']);
    expect([withdrawn.kind, await payments.countStored()]).toEqual(['unavailable', 0]);
  });
});

describe('A second writer of a payment request', () => {
  it('reads what the first writer stored', async () => {
    const request = await payments.request();
    const ids = [request.id as never];
    const locked = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    const first = payments.database.run(async () => {
      const [held] = await payments.requests.lock(ids);
      locked.resolve();
      await finished.promise;
      held!.fail(await payments.platform.clock.now());
      await payments.requests.save([held!]);
    });
    await locked.promise;
    const second = payments.database.run(async () => (await payments.requests.lock(ids))[0]!.snapshot());
    setTimeout(finished.resolve, 150);
    await first;

    const { status, history } = await second;
    expect([status, history.length]).toEqual(['failed', 2]);
  });
});

const caller = newId<CredentialId>();
/** Starts an execution of a request with the same idempotency key. */
async function newKeyedExecution(): Promise<IdempotentCreation<PaymentRequestView>> {
  return {
    credentialId: caller,
    key: 'order-1042',
    operation: 'POST /v1/pos/:posID/payment-request',
    requestDigest: new Uint8Array(32),
    executionId: newId(),
    at: await payments.platform.clock.now(),
    answerOf: ({ id }) => ({ objectId: id, answer: JSON.stringify({ id }) }),
  };
}
const readStoredAnswer = async () =>
  (await new IdempotencyKeys(payments.database).find(await newKeyedExecution()))?.answer;

describe('Creating a payment request under an idempotency key', () => {
  it('stores the request and the answer in one statement', async () => {
    await payments.request();
    let created: PaymentRequestView;
    const idempotency = await newKeyedExecution();

    const statements = await payments.database.sentBy(async () => {
      created = await payments.request({ idempotency });
    });
    const unkeyed = await payments.database.sentBy(() => payments.request());

    expect([statements.length, unkeyed.length]).toEqual([1, 1]);
    expect(await readStoredAnswer()).toBe(JSON.stringify({ id: created!.id }));
  });

  it('stores nothing while another execution of the key is in progress, and does not wait for it', async () => {
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const elsewhere = new IdempotencyKeys(payments.database).run(await newKeyedExecution(), async () => {
      const created = await payments.request();
      begun.resolve();
      await release.promise;
      return created;
    });
    await begun.promise;

    await expect(payments.request({ idempotency: await newKeyedExecution() })).rejects.toThrow(
      IdempotencyKeyTaken,
    );
    release.resolve();
    await elsewhere;

    // The other execution's request, address, history step and event.
    expect(await payments.countStored()).toBe(4);
  });

  it('leaves the key unused if the network is not read yet', async () => {
    await payments.platform.database.query('DELETE FROM payments.chain_cursors');

    await expect(payments.request({ idempotency: await newKeyedExecution() })).rejects.toMatchObject({
      kind: 'unavailable',
    });

    expect(await readStoredAnswer()).toBeUndefined();
  });

  it('uses the key once if the point of sale has changed', async () => {
    await payments.request();
    await payments.pointsOfSale.change(payments.point, { merchant: { name: 'Another name' } });

    const created = await payments.request({ idempotency: await newKeyedExecution() });

    expect([payments.pointsOfSale.forgotten, await readStoredAnswer()]).toEqual([
      1,
      JSON.stringify({ id: created.id }),
    ]);
  });
});

describe('A physical point of sale', () => {
  let till: PaymentPointOfSale;
  beforeEach(async () => {
    till = await payments.pointsOfSale.open({ type: 'physical' });
  });

  it('closes the window of the previous unpaid request, which then expires', async () => {
    const first = await payments.request({}, till);
    const second = await payments.request({}, till);
    const replaced = await payments.read(first);

    payments.chain.mineAt(new Date(second.createdAt.getTime() + 60_001));
    await payments.follow();

    expect([replaced.status, replaced.expiresAt]).toEqual(['created', second.createdAt]);
    expect([(await payments.read(first)).status, (await payments.read(second)).status]).toEqual([
      'expired',
      'created',
    ]);
  });

  it('keeps its open request if nothing new is stored: a used key, or a network that is not read', async () => {
    const till = await payments.pointsOfSale.open({ type: 'physical' });
    const first = await payments.request({ idempotency: await newKeyedExecution() }, till);
    const second = await payments.request({}, till);

    await expect(payments.request({ idempotency: await newKeyedExecution() }, till)).rejects.toThrow(
      IdempotencyKeyTaken,
    );
    await payments.platform.database.query('DELETE FROM payments.chain_cursors');
    expect((await refusal(payments.request({}, till))).kind).toBe('unavailable');

    expect(await readStoredAnswer()).toBe(JSON.stringify({ id: first.id }));
    const windows = await Promise.all([first, second].map((each) => payments.read(each)));
    expect(windows.map(({ expiresAt }) => expiresAt)).toEqual([second.createdAt, second.expiresAt]);
  });
});

describe('A physical point of sale with concurrent creations', () => {
  let till: PaymentPointOfSale;
  let release: PromiseWithResolvers<void>;
  let elsewhere: Promise<void>;
  let now: number;
  beforeEach(async () => {
    now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    till = await payments.pointsOfSale.open({ type: 'physical' });
    release = Promise.withResolvers();
    const locked = Promise.withResolvers<void>();
    elsewhere = payments.platform.database.run(async () => {
      await payments.requests.lockOpenAtPointOfSale(till.id);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    release.resolve();
    await elsewhere;
  });

  it('serves other points of sale while it waits, and ends with one open window', async () => {
    const time = (await payments.platform.clock.now()).getTime();
    const at = (n: number) => new Date(time - 1_000 + ((n * 7) % 5));
    const crowd = Array.from({ length: 20 }, (_, n) => payments.request({ at: at(n) }, till));
    await new Promise((resolve) => setTimeout(resolve, 100));

    await payments.request();
    release.resolve();
    const created = await Promise.all(crowd);

    const open = await payments.platform.database.query(
      `SELECT id FROM payments.payment_requests WHERE point_of_sale_id = $1 AND expires_at = created_at + interval '480 s'`,
      [till.id],
    );
    expect([new Set(created.map(({ id }) => id)).size, open.length]).toEqual([20, 1]);
  });

  it('rejects a creation that has waited for two seconds, and immediately one that would be the 51st to wait', async () => {
    let refused = 0;
    const crowd = Array.from({ length: 51 }, () =>
      refusal(payments.request({}, till)).finally(() => (refused += 1)),
    );

    const first = await Promise.race(crowd);
    const refusedAtOnce = refused;
    now += 2_001;
    const all = await Promise.all(crowd);

    expect(refusedAtOnce).toBe(1);
    expect([first.kind, first.code]).toEqual(['conflict', 'state_conflict']);
    expect(new Set(all.map(({ code }) => code))).toEqual(new Set(['state_conflict']));
    expect(await payments.countStored()).toBe(0);
  });
});

describe('A network that is not read as it should be', () => {
  const UNAVAILABLE = { kind: 'unavailable' };
  let maxLagSeconds: number;
  beforeEach(async () => {
    payments.chain.mine();
    await payments.follow();
    maxLagSeconds = payments.catalogue.network(NETWORK)!.maxLagSeconds;
  });

  it('takes no requests while it is read too far behind, and takes them again later', async () => {
    await payments.platform.advance(maxLagSeconds - 120);
    await payments.request();
    await payments.platform.advance(240);
    await expect(payments.request()).rejects.toMatchObject(UNAVAILABLE);

    payments.chain.mineAt(await payments.platform.clock.now());
    await payments.follow();

    await payments.request();
  });

  it('takes no requests while its endpoints disagree for too long', async () => {
    const disagreeSince = (seconds: number) =>
      payments.platform.database.query(
        `UPDATE payments.chain_cursors SET disagreement = 'another endpoint has another block.',
           disagrees_since = clock_timestamp() - make_interval(secs => $1)`,
        [seconds],
      );
    await disagreeSince(maxLagSeconds - 120);
    await payments.request();

    await disagreeSince(maxLagSeconds + 120);

    await expect(payments.request()).rejects.toMatchObject(UNAVAILABLE);
  });
});
