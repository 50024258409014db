import { dataOf } from './calls.js';
import { memoryOf } from './memory.js';
import { readRequest } from './payment-requests.js';
import { isSession, readSession } from './checkouts.js';
import type { Credential, Merchant, World } from './world.js';

interface Page {
  readonly total_pages: number;
  readonly data: readonly object[];
}

/** A session is shown for a day after its end, which is no sooner than the end of its window. */
const SESSION_READABLE_MS = 24 * 3_600_000;

/** No list of a run is longer. */
const LAST_PAGE = 200;

/**
 * Reads all that the merchant knows of: each page of each list of the organization and of its accounts and points of sale, and
 * each object that is remembered by its id.
 */
export async function readEverything(world: World, merchant: Merchant): Promise<void> {
  const as = merchant.credentials[0]!;
  const memory = memoryOf(merchant);
  await readList(world, as, '/v1/account');
  await readList(world, as, '/v1/pos');
  // Requests come first: others refer to their addresses and amounts, which a list does not show in full.
  for (const { id, type } of merchant.accounts.flatMap(({ pointsOfSale }) => pointsOfSale)) {
    await readList(world, as, `/v1/pos/${id}/payment-request`);
    if (type === 'physical') continue;
    await readList(world, as, `/v1/pos/${id}/payment-link`);
    await readList(world, as, `/v1/pos/${id}/subscription`);
  }
  for (const request of memory.requests.all()) {
    await readRequest(world, request, as);
    const isReadable = world.now() < request.expiresAt + SESSION_READABLE_MS;
    if (isSession(request) && isReadable) await readSession(world, request);
  }
  await readList(world, as, '/v1/transactions');
  await readList(world, as, '/v1/refunds');
  await readEvents(world, as);
  for (const { accountId } of merchant.accounts) {
    await readList(world, as, '/v1/transactions', { accountID: accountId });
    await readList(world, as, `/v1/transactions/settlement/${accountId}`);
    await readList(world, as, `/v1/account/${accountId}/webhook/list`);
    await readList(world, as, `/v1/account/${accountId}/webhook/logs`);
    await world.call({ method: 'GET', path: `/v1/account/${accountId}/settlement-addresses`, as });
  }
  for (const { id } of memory.refunds.all())
    await world.call({ method: 'GET', path: `/v1/refunds/${id}`, as });
  for (const { id, posId } of memory.subscriptions.all())
    await world.call({ method: 'GET', path: `/v1/pos/${posId}/subscription/${id}`, as });
}

async function readList(
  world: World,
  as: Credential,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (let page = 1, pages = 1; page <= pages && page <= LAST_PAGE; page += 1) {
    const paged = { page: String(page), page_size: '100', ...query };
    const answer = await world.call({ method: 'GET', path, query: paged, as });
    pages = dataOf<Page>(answer)?.total_pages ?? 0;
  }
}

async function readEvents(world: World, as: Credential): Promise<void> {
  interface Events {
    readonly has_more: boolean;
    readonly next_after?: string;
  }
  for (let page = 1, after: string | undefined; page <= LAST_PAGE; page += 1) {
    const query = { limit: '500', ...(after !== undefined && { after }) };
    const events = dataOf<Events>(await world.call({ method: 'GET', path: '/v1/events', query, as }));
    if (events?.has_more !== true) return;
    after = events.next_after;
  }
}
