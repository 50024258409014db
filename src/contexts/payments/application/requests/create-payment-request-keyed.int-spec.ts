import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type CredentialId } from '#shared/kernel/ids.js';
import { KeyTaken, type KeyedCreation } from '#shared/kernel/keyed-creation.js';
import { IdempotencyKeys } from '#shared/platform/idempotency/idempotency-keys.js';
import { withReadPayments, type Payments } from '../../testing/requests/open-payments.js';
import type { PaymentRequestView } from './payment-request-view.js';

let payments: Payments;
let keys: IdempotencyKeys;
withReadPayments((opened) => {
  payments = opened;
});
beforeEach(() => {
  keys = new IdempotencyKeys(payments.database);
});

const caller = newId<CredentialId>();
/** One execution of a request under the same key. */
async function execution(): Promise<KeyedCreation<PaymentRequestView>> {
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
const stored = async () => (await keys.find(await execution()))?.answer;

describe('Creating a payment request under an idempotency key', () => {
  it('stores the answer in the very statement that creates', async () => {
    await payments.request();
    let created: PaymentRequestView;
    const keyed = await execution();

    const statements = await payments.database.sentBy(async () => {
      created = await payments.request({ keyed });
    });

    expect(statements).toHaveLength(1);
    expect(await stored()).toBe(JSON.stringify({ id: created!.id }));
  });

  it('stores nothing where the key was answered', async () => {
    const first = await payments.request({ keyed: await execution() });
    const before = await payments.countStored();

    await expect(payments.request({ keyed: await execution() })).rejects.toThrow(KeyTaken);

    expect(await payments.countStored()).toBe(before);
    expect(await stored()).toBe(JSON.stringify({ id: first.id }));
  });

  it('stores nothing, and waits for nobody, while another execution is under way', async () => {
    let release!: () => void;
    let begin!: () => void;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const elsewhere = keys.run(await execution(), async () => {
      const created = await payments.request();
      begin();
      await new Promise<void>((resolve) => (release = resolve));
      return created;
    });
    await begun;

    await expect(payments.request({ keyed: await execution() })).rejects.toThrow(KeyTaken);
    release();
    await elsewhere;

    // What was created elsewhere, with its address, its step and its event.
    expect(await payments.countStored()).toBe(4);
  });

  it('leaves the key free where it is refused', async () => {
    await payments.platform.database.query('DELETE FROM payments.chain_cursors');

    await expect(payments.request({ keyed: await execution() })).rejects.toMatchObject({
      kind: 'unavailable',
    });

    expect(await stored()).toBeUndefined();
  });

  it('asks again where the point of sale has changed, and uses the key once', async () => {
    await payments.request();
    await payments.pointsOfSale.change(payments.point, { merchant: { name: 'Another name' } });

    const created = await payments.request({ keyed: await execution() });

    expect([payments.pointsOfSale.forgotten, await stored()]).toEqual([
      1,
      JSON.stringify({ id: created.id }),
    ]);
  });
});

describe('A physical point of sale', () => {
  it('keeps its open request open where the key was answered', async () => {
    const till = await payments.pointsOfSale.open({ type: 'physical' });
    const first = await payments.request({ keyed: await execution() }, till);
    const second = await payments.request({}, till);

    await expect(payments.request({ keyed: await execution() }, till)).rejects.toThrow(KeyTaken);

    const windows = await Promise.all([first, second].map((each) => payments.read(each)));
    expect(windows.map(({ expiresAt }) => expiresAt)).toEqual([second.createdAt, second.expiresAt]);
  });
});
