import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Scrape } from '#test/support/scrape.js';
import { startExampleApi, type ExampleApi } from '../testing/example-api.js';
import { HttpMetrics } from './http-metrics.js';
import { Metrics } from '../../metrics/metrics.js';

const REQUESTS = 'payment_collection_http_requests_total';
const DURATIONS = 'payment_collection_http_request_duration_seconds_count';

let metrics: Metrics;
let api: ExampleApi;
beforeEach(async () => {
  metrics = new Metrics();
  const http = new HttpMetrics(metrics);
  api = await startExampleApi({ observe: (request) => http.countRequest(request) });
});
afterEach(() => api.close());

const found = async () => new Scrape(await metrics.registry.metrics());
async function afterAll(requests: number): Promise<Scrape> {
  for (;;) {
    const scrape = await found();
    if (scrape.sum(REQUESTS, {}) >= requests) return scrape;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('The metric of requests', () => {
  it('counts by the pattern of the route and the class of the status', async () => {
    await fetch(`${api.url}/v1/things`);
    await fetch(`${api.url}/v1/things`, { method: 'POST', body: '{' });
    const scrape = await afterAll(2);

    expect(scrape.sum(REQUESTS, { method: 'GET', route: '/v1/things', status_class: '2xx' })).toBe(1);
    expect(scrape.sum(REQUESTS, { method: 'POST', route: '/v1/things', status_class: '4xx' })).toBe(1);
    expect(scrape.sum(DURATIONS, { method: 'GET', route: '/v1/things' })).toBe(1);
  });

  it('adds no series for made-up paths and methods', async () => {
    const series = async () =>
      (await found()).text.split('\n').filter((line) => line.startsWith(REQUESTS)).length;
    await fetch(`${api.url}/nowhere/1`, { method: 'PROPFIND' });
    await afterAll(1);
    const before = await series();
    for (let n = 2; n < 20; n += 1) await fetch(`${api.url}/nowhere/${n}?a=${n}`, { method: 'LOCK' });
    const scrape = await afterAll(19);

    expect(await series()).toBe(before);
    expect(scrape.sum(REQUESTS, { method: 'other', route: 'unmatched', status_class: '4xx' })).toBe(19);
  });
});
