import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fail, ScriptedApi, succeed } from './support/scripted-api.js';

let api: ScriptedApi;
beforeEach(async () => {
  api = await ScriptedApi.start();
});
afterEach(() => api.stop());

const items = (...ids: number[]) => ids.map((id) => ({ id: String(id) }));
const page = (number: number, total_pages: number, ...ids: number[]) =>
  succeed({ data: items(...ids), total: 9, page: number, page_size: 3, total_pages });
const paths = () => api.requests.map(({ path }) => path);

async function idsOf(list: AsyncIterable<{ id: string }>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of list) ids.push(Number(id));
  return ids;
}

describe('A list', () => {
  it('is read page by page, with what narrows it', async () => {
    api.answers(page(1, 3, 1, 2, 3), page(2, 3, 4, 5, 6), page(3, 3, 7));

    const ids = await idsOf(
      api.client().list('/v1/transactions', { pageSize: 3, query: { type: 'payment_in' } }),
    );

    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(paths()).toEqual(
      [1, 2, 3].map((number) => `/v1/transactions?type=payment_in&page=${number}&page_size=3`),
    );
  });

  it('asks for no page that is not wanted', async () => {
    api.answers(page(1, 3, 1, 2, 3));

    for await (const { id } of api.client().list('/v1/transactions')) if (id === '2') break;

    expect(paths()).toHaveLength(1);
  });

  it('that is empty has nothing', async () => {
    api.answers(page(1, 0));

    expect(await idsOf(api.client().pointOfSale('till').payments({ status: 'completed' }))).toEqual([]);
    expect(paths()).toEqual(['/v1/pos/till/payment-request?status=completed&page=1&page_size=100']);
  });

  it('that has grown at its front meanwhile repeats nothing', async () => {
    api.answers(page(1, 2, 1, 2, 3), page(2, 3, 3, 4, 5), page(3, 3, 6));

    expect(await idsOf(api.client().list('/v1/transactions'))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('ends at a page that has become empty', async () => {
    api.answers(page(1, 3, 1, 2, 3), page(2, 3));

    expect(await idsOf(api.client().list('/v1/transactions'))).toEqual([1, 2, 3]);
    expect(paths()).toHaveLength(2);
  });

  it('is read after the latest write of the client, whichever answer came last', async () => {
    const answered = (position: string) => (response: ServerResponse) => {
      response.setHeader('x-read-after', position);
      succeed({})(response, api.requests.at(-1)!);
    };
    const client = api.client();
    const create = () =>
      client.pointOfSale('till').createPaymentRequest({ amount: '1', unique_asset_id: 'asset' });
    api.answers(
      answered('1-900'),
      answered('1-1000'),
      answered('1-999'),
      page(1, 0),
      answered('2-5'),
      page(1, 0),
    );

    for (let n = 0; n < 3; n += 1) await create();
    await idsOf(client.list('/v1/transactions'));
    await create();
    await idsOf(client.list('/v1/transactions'));

    expect(api.requests.map(({ headers }) => headers['x-read-after'])).toEqual([
      undefined,
      undefined,
      undefined,
      '1-1000',
      undefined,
      '2-5',
    ]);
  });

  it('is read on after a page that could not be had at first', async () => {
    api.answers(page(1, 2, 1), fail(503, 'unavailable'), page(2, 2, 2));

    expect(await idsOf(api.client().list('/v1/transactions'))).toEqual([1, 2]);
  });
});

describe('Events', () => {
  const event = (id: string, data: object | string) => ({
    ...{ id, event_type: 'payment_request', account_id: 'a', occurred_at: '2026-11-21T08:00:00.000Z' },
    body: typeof data === 'string' ? data : JSON.stringify({ data }),
  });
  const told = { notification_type: 'payment_request_status_update', status: 'completed' };

  it('are read on behind the last, to the newest, with what each says', async () => {
    api.answers(
      succeed({ data: [event('1', told)], has_more: true, next_after: '1' }),
      succeed({ data: [], has_more: true, next_after: '7' }),
      succeed({ data: [event('8', told)], has_more: false, next_after: '8' }),
    );

    const events = [];
    for await (const each of api.client().events({ event_type: 'payment_request', limit: 1 }))
      events.push(each);

    expect(events.map(({ id, data }) => [id, data])).toEqual([
      ['1', told],
      ['8', told],
    ]);
    expect(paths()).toEqual(
      ['', '&after=1', '&after=7'].map((after) => `/v1/events?event_type=payment_request&limit=1${after}`),
    );
  });

  it('begin behind the cursor that was kept', async () => {
    api.answers(succeed({ data: [], has_more: false }));

    expect(await idsOf(api.client().events({ after: '5' }))).toEqual([]);
    expect(paths()).toEqual(['/v1/events?after=5']);
  });
});
