import { request as send, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CallerRates } from '#shared/platform/http/callers/caller-rates.js';
import { IdentityApi, type Issued } from '#contexts/identity/testing/identity-api.js';

const EXCHANGES = 8;
const FAILURES = 3;
const REQUESTS = 20;

let api: IdentityApi;
let issued: Issued;
let callers = 0;

beforeAll(async () => {
  const limits = {
    exchangesPerMinute: EXCHANGES,
    failuresPerMinute: FAILURES,
    requestsPerSecond: REQUESTS,
  };
  api = await IdentityApi.start('development', limits);
  issued = await api.credential({ organizationId: (await api.organization()).organization.id });
});
afterAll(() => api.close());

/** Nobody has called from there yet. */
const newCaller = () => `198.51.100.${(callers += 1)}`;
const from = (address: string) => ({ 'x-forwarded-for': address });

async function outcomes(count: number, secret: string, address: string, keyId = issued.credential.keyId) {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push((await api.exchange(keyId, secret, from(address))).status);
  return statuses;
}

/** The status and the rate fields of an answer. */
async function ratesOf(path: string, request: RequestInit): Promise<unknown[]> {
  const { status, headers } = await fetch(api.url + path, request);
  return [status, headers.get('ratelimit-policy'), headers.get('ratelimit')];
}

/** The answer to headers that announce a body of which nothing ever comes. */
async function withoutBody(path: string, address: string): Promise<IncomingMessage> {
  const headers = { 'content-type': 'application/json', 'content-length': 60_000, ...from(address) };
  const request = send(api.url + path, { method: 'POST', headers });
  request.on('error', () => undefined);
  request.flushHeaders();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.destroy();
  return response;
}

describe('Exchanging tokens too often', () => {
  it('is refused after so many failures of a key and address, the right secret too, and nobody else is', async () => {
    const [attacker, merchant] = [newCaller(), newCaller()];

    const guesses = await outcomes(FAILURES + 2, 'wrong', attacker);
    const right = await api.exchange(issued.credential.keyId, issued.secret, from(attacker));

    expect(guesses).toEqual([401, 401, 401, 429, 429]);
    expect([right.status, right.body.code]).toEqual([429, 'rate_limited']);
    expect(await outcomes(1, issued.secret, merchant)).toEqual([200]);
  });

  it('is refused after so many of an address, whatever keys it names', async () => {
    const address = newCaller();
    const statuses: number[] = [];
    for (let n = 0; n < EXCHANGES + 2; n += 1)
      statuses.push(
        ...(await outcomes(1, 'wrong', address, `svc.dev.0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e${10 + n}`)),
      );

    expect(statuses).toEqual([...Array.from({ length: EXCHANGES }, () => 401), 429, 429]);
  });

  it('stands in every answer: the limit, and the number left', async () => {
    const address = newCaller();
    const rates = async (secret: string) => {
      const body = { api_key: issued.credential.keyId, api_secret: secret };
      const headers = { 'content-type': 'application/json', ...from(address) };
      return ratesOf('/v1/auth/token', { method: 'POST', headers, body: JSON.stringify(body) });
    };
    const all = `"token";q=${EXCHANGES};w=60`;

    const [right, wrong] = [await rates(issued.secret), await rates('wrong')];
    await outcomes(FAILURES - 1, 'wrong', address);
    const failedTooOften = await rates(issued.secret);
    await outcomes(EXCHANGES, issued.secret, address);
    const [, policy, left] = await rates(issued.secret);

    expect(right).toEqual([200, all, `"token";r=${EXCHANGES - 1};t=60`]);
    expect(wrong.slice(0, 2)).toEqual([401, all]);
    expect(wrong[2]).toMatch(/^"token";r=6;t=(60|59)$/);
    expect(failedTooOften.slice(0, 2)).toEqual([429, `"failed-token";q=${FAILURES};w=60`]);
    expect([policy, left]).toEqual([all, expect.stringMatching(/^"token";r=0;t=\d+$/)]);
  });

  it('counts an IPv6 address with its whole /64', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < EXCHANGES + 1; n += 1)
      statuses.push(...(await outcomes(1, issued.secret, `2001:db8:7:1:${n}::1`)));

    expect(statuses).toEqual([...Array.from({ length: EXCHANGES }, () => 200), 429]);
    expect(await outcomes(1, issued.secret, '2001:db8:7:2::1')).toEqual([200]);
  });

  it.each(['/v1/auth/token', '/v1/auth/token/', '/V1/AUTH/token?x=1'])(
    'is refused before anything of the body is read: %s',
    async (path) => {
      const address = newCaller();
      await outcomes(EXCHANGES, issued.secret, address);

      const response = await withoutBody(path, address);

      expect(response.statusCode).toBe(429);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(60);
    },
  );

  it('is remembered, so that a flood asks the database once in a second', async () => {
    const address = newCaller();
    await outcomes(EXCHANGES + 1, issued.secret, address);
    const { database } = api.platform;
    await database.query('TRUNCATE identity.exchange_attempts');

    expect(await outcomes(3, issued.secret, address)).toEqual([429, 429, 429]);
  });
});

describe('Asking the API too often with one credential', () => {
  it('is refused beyond a second’s share until there is one again, and others are not', async () => {
    const mine = await api.headers(issued, newCaller());
    const { organizationId } = issued.credential;
    const others = await api.headers(await api.credential({ organizationId }), newCaller());

    const moment = { now: 1_000_000 };
    Object.assign(api.app.get(CallerRates), { now: () => moment.now });
    const ask = async (count: number) => {
      const answers = await Promise.all(
        Array.from({ length: count }, () => api.call('GET', '/probe/read', mine)),
      );
      return answers.map(({ status, body }) => body.code ?? status).sort();
    };

    const rates = await ratesOf('/probe/read', { headers: mine });
    moment.now += 1_000;
    const atOnce = await ask(REQUESTS + 2);
    const other = await api.call('GET', '/probe/read', others);
    moment.now += 1_000 / REQUESTS;
    const later = await ask(2);

    expect(atOnce).toEqual([...Array.from({ length: REQUESTS }, () => 200), 'rate_limited', 'rate_limited']);
    expect([later, other.status]).toEqual([[200, 'rate_limited'], 200]);
    const policy = `"credential";q=${REQUESTS};w=1`;
    expect(rates).toEqual([200, policy, `"credential";r=${REQUESTS - 1};t=1`]);
    expect(await ratesOf('/probe/read', { headers: mine })).toEqual([429, policy, '"credential";r=0;t=1']);
  });
});
