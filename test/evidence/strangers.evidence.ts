import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { PaymentLinkDto } from '#contexts/payments/infrastructure/links/http/payment-link.dto.js';
import { HostileHttp, type Received, type Sent } from '../support/hostile/hostile-http.js';
import { startTestService, type TestService } from '../support/service.js';

/**
 * Strangers flood every public route, from the address of three honest callers and from other addresses. The long form takes two minutes
 * from 200 other addresses.
 */
const LONG = process.env['EVIDENCE'] === 'long';
const SECONDS = LONG ? 120 : 8;
const ADDRESSES = LONG ? 200 : 20;
/** Requests of strangers that are under way at once. */
const AT_ONCE = 24;
const HOME = '127.40.0.1';
const JSON_TYPE = { 'content-type': 'application/json' };

/** The limits as they are shipped, where the service of tests has none. */
const SHIPPED = {
  PAGE_REQUESTS_PER_MINUTE: '1200',
  TOKEN_EXCHANGES_PER_MINUTE: '60',
  TOKEN_FAILURES_PER_MINUTE: '10',
  LINK_OPEN_SESSIONS: '2000',
  LINK_OPEN_SESSIONS_PER_ADDRESS: '50',
};

type Flood = (from: string) => Sent;

let service: TestService;
let honest: HostileHttp;
let strangers: HostileHttp;
let link: PaymentLinkDto;

beforeAll(async () => {
  service = await startTestService({ settings: SHIPPED });
  [honest, strangers] = [new HostileHttp(service.apiUrl), new HostileHttp(service.apiUrl, AT_ONCE)];
  const path = `/v1/pos/${service.seed.posId}/payment-link`;
  link = await service.api.post<PaymentLinkDto>(path, { amount: '12.50', coin_code: 'USD' });
});
afterAll(async () => {
  honest?.close();
  strangers?.close();
  await service?.stop();
});
jest.setTimeout(600_000);

const guess = () => `0${randomBytes(24).toString('base64url')}`;
const get = (target: string, from: string, headers = {}): Sent => ({ method: 'GET', target, from, headers });
const post = (target: string, body: unknown, from: string, method = 'POST'): Sent => ({
  ...{ method, target, from, headers: JSON_TYPE },
  body: JSON.stringify(body),
});

/** One of each public route, with ids that do not exist or, where strangers know one, with that. */
const FLOODS: readonly Flood[] = [
  (from) => get(`/public/checkout/${guess()}`, from),
  (from) => get(`/public/checkout/${guess()}/payment`, from),
  (from) => get(`/public/checkout/${guess()}/x402`, from),
  (from) => post(`/public/checkout/${guess()}/select-asset`, { unique_asset_id: 'x' }, from),
  (from) => post(`/public/checkout/${guess()}/authorization`, {}, from),
  (from) => get(`/public/payment-links/${guess()}/checkout`, from),
  (from) => get(`/public/payment-links/${link.code}/checkout`, from),
  (from) => post(`/public/payment-links/${link.code}/checkout`, {}, from),
  (from) => post(`/public/payment-links/${guess()}/checkout`, {}, from),
  (from) => get(`/public/pos/${guess()}`, from),
  (from) => post(`/public/pos/${guess()}`, { amount: '1', coin_code: 'USD' }, from),
  (from) => post('/public/till/pairing', { code: 'ABCDEFGH' }, from),
  (from) => post('/v1/auth/token', { api_key: service.seed.apiKey, api_secret: guess() }, from),
  (from) => post('/v1/auth/token', { api_key: guess(), api_secret: guess() }, from),
  (from) => get(`/checkout/${guess()}`, from),
  (from) => get(`/link/${guess()}`, from),
  (from) => get(`/receipt/${guess()}`, from, { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' }),
  (from) => get(`/subscription/${guess()}`, from),
  (from) => get(`/refund/${guess()}`, from),
  (from) => get(`/pos/${guess()}`, from),
  (from) => get('/till', from),
  (from) => get('/button.js', from),
  (from) => get('/app/sign-in', from),
  (from) => get(`/app/invitation/${guess()}`, from),
  (from) => get('/.well-known/naspip-keys', from),
  (from) => get('/v1/account', from, { 'x-service-api-key': service.seed.apiKey, authorization: 'Bearer x' }),
];

/** Sends until `isOver`. @returns how often each status was answered */
async function flood(isOver: () => boolean): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  let sent = 0;
  const one = async () => {
    while (!isOver()) {
      const n = (sent += 1);
      // Every other request is from the honest callers' own address.
      const from = n % 2 === 0 ? HOME : `127.41.${Math.floor(n / 2) % ADDRESSES}.1`;
      const { status } = await strangers.send(FLOODS[Math.floor(n / 2) % FLOODS.length]!(from));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return statuses;
}

describe('An honest caller', () => {
  it('is served while others flood every public route from the same address and from other addresses', async () => {
    const { seed, api } = service;
    const checkout = await api.post<{ session_id: string }>(
      `/v1/pos/${seed.posId}/payment-request-checkout`,
      {
        ...{ amount: '10', coin_code: 'USD' },
      },
    );
    const opened = await honest.send(post(`/public/payment-links/${link.code}/checkout`, {}, HOME));
    const cookie = String(opened.headers['set-cookie']).split(';')[0]!;
    const callers: Record<string, () => Promise<Received>> = {
      'a payer with a session': () => honest.send(get(`/public/checkout/${checkout.session_id}`, HOME)),
      'a payer with a page': () => honest.send(get(`/checkout/${checkout.session_id}`, HOME)),
      'a correct secret': () =>
        honest.send(post('/v1/auth/token', { api_key: seed.apiKey, api_secret: seed.apiSecret }, HOME)),
      'a payer with a link’s cookie': () =>
        honest.send({
          ...post(`/public/payment-links/${link.code}/checkout`, {}, HOME),
          headers: { ...JSON_TYPE, cookie },
        }),
      'the next payer of the link': () =>
        honest.send(
          post(
            `/public/payment-links/${link.code}/checkout`,
            {},
            `127.42.${Math.floor(Math.random() * 250)}.1`,
          ),
        ),
    };
    const ends = performance.now() + SECONDS * 1_000;
    const answered: Record<string, Record<string, number>> = {};
    const asking = Object.entries(callers).map(async ([name, ask]) => {
      const statuses: Record<string, number> = (answered[name] = {});
      // Ten callers of a kind at most in a minute: each keeps to its own limits.
      while (performance.now() < ends) {
        const { status } = await ask();
        statuses[status] = (statuses[status] ?? 0) + 1;
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
    });

    const [flooded] = await Promise.all([flood(() => performance.now() >= ends), ...asking]);

    process.stdout.write(`strangers: ${JSON.stringify(flooded)}\nhonest: ${JSON.stringify(answered)}\n`);
    for (const statuses of Object.values(answered)) expect(Object.keys(statuses)).toEqual(['200']);
    expect(flooded['429']).toBeGreaterThan(0);
    expect(Object.keys(flooded).filter((status) => Number(status) >= 500)).toEqual([]);
  });
});
