import { describe, expect, it } from '@jest/globals';
import { AddressReservationQueue } from './address-reservation-queue.js';
import { StoreNewRequest } from './store-new-request.js';

type StoreNewRequestParts = ConstructorParameters<typeof StoreNewRequest>;

const ADDRESSES = { network: 'bitcoin', numbering: 'wallet' };
const TILL = { id: 'till', type: 'physical', version: 1, organizationId: 'shop' };

/** @param lockOpenAtPointOfSale called by each attempt to create a request at the physical point of sale */
function newStoreNewRequest(
  queue: AddressReservationQueue,
  lockOpenAtPointOfSale: () => Promise<unknown[] | null>,
) {
  const parts = [
    { find: async () => TILL },
    { lockOpenAtPointOfSale, add: async () => null, save: async () => undefined },
    { run: (work: () => unknown) => work() },
    { reserve: async () => ({ numberingId: 'n', number: 0 }) },
    queue,
  ] as unknown as StoreNewRequestParts;
  return new StoreNewRequest(...parts);
}

describe('A numbered request on a physical point of sale', () => {
  it('does not hold up other requests of the wallet while another process uses the point of sale', async () => {
    const queue = new AddressReservationQueue();
    const other = Promise.withResolvers<string>();
    let attempts = 0;
    const store = newStoreNewRequest(queue, async () => {
      attempts += 1;
      if (attempts > 1) return (await other.promise) === 'created' ? [] : null;
      void queue.run(ADDRESSES as never, async () => other.resolve('created'));
      return null;
    });

    const plan = async () => ({
      addresses: ADDRESSES,
      build: () => ({ request: { id: 'r' }, answer: 'stored' }),
    });
    const answer = await store.store(
      { scope: {}, pointOfSaleId: 'till', at: new Date(0) } as never,
      plan as never,
    );

    expect([answer, attempts]).toEqual(['stored', 2]);
  });
});
