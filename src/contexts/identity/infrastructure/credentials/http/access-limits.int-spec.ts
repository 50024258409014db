import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CallerRateLimits } from '#shared/platform/http/callers/caller-rate-limits.js';
import { IdentityApi, type TestCredential } from '#contexts/identity/testing/identity-api.js';

const EXCHANGES = 8;
const FAILURES = 3;
const REQUESTS = 20;

let api: IdentityApi;
let issued: TestCredential;
let callers = 0;

beforeAll(async () => {
  const limits = {
    exchangesPerMinute: EXCHANGES,
    failuresPerMinute: FAILURES,
    requestsPerSecond: REQUESTS,
  };
  api = await IdentityApi.start('development', limits);
  issued = await api.createCredential({ organizationId: (await api.createOrganization()).organization.id });
});
afterAll(() => api.close());

/** Returns an IP address from which no request was sent yet. */
const newCaller = () => `198.51.100.${(callers += 1)}`;
const from = (address: string) => ({ 'x-forwarded-for': address });

async function outcomes(count: number, secret: string, address: string, keyId = issued.credential.keyId) {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push((await api.exchange(keyId, secret, from(address))).status);
  return statuses;
}

/** Returns the status and the rate-limit headers of the response. */
async function ratesOf(path: string, request: RequestInit): Promise<unknown[]> {
  const { status, headers } = await fetch(api.url + path, request);
  return [status, headers.get('ratelimit-policy'), headers.get('ratelimit')];
}

describe('The limit of token exchanges', () => {
  it('rejects further wrong secrets with 429 and still accepts the right one', async () => {
    const address = newCaller();

    const guesses = await outcomes(FAILURES + 2, 'wrong', address);

    expect(guesses).toEqual([401, 401, 401, 429, 429]);
    expect(await outcomes(1, issued.secret, address)).toEqual([200]);
  });

  it('is reported in each response, with the number of remaining exchanges', async () => {
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

  it('is cached for a second, so that a flood of wrong secrets does not reach the database', async () => {
    const address = newCaller();
    await outcomes(FAILURES + 1, 'wrong', address);
    const { database } = api.platform;
    await database.query('TRUNCATE identity.exchange_attempts');

    expect(await outcomes(3, 'wrong', address)).toEqual([429, 429, 429]);
  });
});

describe('The limit of requests of a credential', () => {
  it('rejects requests beyond it until another is allowed, and does not affect other credentials', async () => {
    const mine = await api.headers(issued, newCaller());
    const { organizationId } = issued.credential;
    const others = await api.headers(await api.createCredential({ organizationId }), newCaller());

    const moment = { now: 1_000_000 };
    Object.assign(api.app.get(CallerRateLimits), { now: () => moment.now });
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
