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

describe('Exchanging tokens too often', () => {
  it('answers a wrong secret with 429 after so many of a key and address, and the right one with a token', async () => {
    const address = newCaller();

    const guesses = await outcomes(FAILURES + 2, 'wrong', address);

    expect(guesses).toEqual([401, 401, 401, 429, 429]);
    expect(await outcomes(1, issued.secret, address)).toEqual([200]);
  });

  it('answers a wrong secret with 429 after so many of an address, whatever keys it names', async () => {
    const address = newCaller();
    const statuses: number[] = [];
    for (let n = 0; n < EXCHANGES + 2; n += 1)
      statuses.push(
        ...(await outcomes(1, 'wrong', address, `svc.dev.0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e${10 + n}`)),
      );

    expect(statuses).toEqual([...Array.from({ length: EXCHANGES }, () => 401), 429, 429]);
    expect(await outcomes(1, issued.secret, address)).toEqual([200]);
  });

  it('refuses a key its own tokens beyond the limit, and no other key of the address', async () => {
    const address = newCaller();
    const { organizationId } = issued.credential;
    const neighbour = await api.credential({ organizationId });

    const statuses = await outcomes(EXCHANGES + 1, issued.secret, address);

    expect(statuses).toEqual([...Array.from({ length: EXCHANGES }, () => 200), 429]);
    expect(await outcomes(1, neighbour.secret, address, neighbour.credential.keyId)).toEqual([200]);
  });

  it('stands in every answer: the limit, and the number left', async () => {
    const address = newCaller();
    const rates = async (secret: string) => {
      const body = { api_key: issued.credential.keyId, api_secret: secret };
      const headers = { 'content-type': 'application/json', ...from(address) };
      return ratesOf('/v1/auth/token', { method: 'POST', headers, body: JSON.stringify(body) });
    };
    const [all, failed] = [`"token";q=${EXCHANGES};w=60`, `"failed-token";q=${FAILURES};w=60`];

    const [right, wrong] = [await rates(issued.secret), await rates('wrong')];
    await outcomes(FAILURES - 1, 'wrong', address);
    const failedTooOften = await rates('wrong');
    await outcomes(EXCHANGES, issued.secret, address);
    const [, policy, left] = await rates(issued.secret);

    expect(right).toEqual([200, all, `"token";r=${EXCHANGES - 1};t=60`]);
    expect(wrong).toEqual([401, failed, `"failed-token";r=${FAILURES - 1};t=60`]);
    expect(failedTooOften.slice(0, 2)).toEqual([429, failed]);
    expect([policy, left]).toEqual([all, expect.stringMatching(/^"token";r=0;t=\d+$/)]);
  });

  it('counts an IPv6 address with its /64, and in higher numbers with its /56 and /48', async () => {
    const wrong = async (address: string) => (await outcomes(1, 'wrong', address))[0];
    const statuses: (number | undefined)[] = [];
    for (let n = 0; n < FAILURES + 1; n += 1) statuses.push(await wrong(`2001:db8:7:1:${n}::1`));
    const others = [await wrong('2001:db8:7:2::1')];
    for (let n = 0; n < 4 * FAILURES; n += 1) others.push(await wrong(`2001:db8:7:${10 + n}::1`));

    expect(statuses).toEqual([401, 401, 401, 429]);
    expect(others[0]).toBe(401);
    expect(others.at(-1)).toBe(429);
    expect(await wrong('2001:db8:7:100::1')).toBe(401);
  });

  it('is remembered, so that a flood of wrong secrets counts in the database once in a second', async () => {
    const address = newCaller();
    await outcomes(FAILURES + 1, 'wrong', address);
    const { database } = api.platform;
    await database.query('TRUNCATE identity.exchange_attempts');

    expect(await outcomes(3, 'wrong', address)).toEqual([429, 429, 429]);
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
