import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { keysOf, verify, type NaspipPublicKeys } from '#shared/naspip/naspip-token.js';
import type { ApiRefused } from '../support/api-client.js';
import { CheckoutDesk, sessionIn, walletPath } from '../support/checkout-desk.js';
import { codeOf } from '../support/hostile/hostile-calls.js';
import { inParallel, type Received } from '../support/hostile/hostile-http.js';
import { fieldsNamed } from '../support/hostile/hostile-verdict.js';
import { startTestService, type TestService } from '../support/service.js';

const CONFIRMATIONS = 5;
const PAST_THE_DEADLINE = 600;

let service: TestService;
/** A second process on the same database. */
let otherApi: string;
let desk: CheckoutDesk;
let usdc: string;
let dai: string;

beforeAll(async () => {
  service = await startTestService({
    settings: {
      PUBLIC_REQUESTS_PER_MINUTE: '100000',
      ...{ TOKEN_EXCHANGES_PER_MINUTE: '60', TOKEN_FAILURES_PER_MINUTE: '4' },
      ...{ STATUS_READS_PER_SECOND: '1', STATUS_READS_BURST: '5' },
    },
  });
  otherApi = await service.anotherApi();
  desk = new CheckoutDesk(service);
  usdc = service.assets[0]!.unique_asset_id;
  dai = service.assets[2]!.unique_asset_id;
});

afterEach(async () => {
  expect(await service.breaches()).toEqual([]);
});

afterAll(async () => {
  desk?.close();
  await service?.stop();
});

const asksForPayment = async (session: CheckoutDto, option?: string) => desk.get(walletPath(session, option));

/** Both headers of the demonstration merchant. */
async function proofs(): Promise<Record<string, string>> {
  const { apiKey, apiSecret } = service.seed;
  const { json } = await desk.http.send({
    ...{ method: 'POST', target: '/v1/auth/token', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ api_key: apiKey, api_secret: apiSecret }),
  });
  const { token } = json!['data'] as { token: string };
  return { authorization: `Bearer ${token}`, 'x-service-api-key': apiKey };
}

describe('A choice', () => {
  it('made at the same time in two tabs and two processes leaves one address and one rate', async () => {
    const other = new CheckoutDesk(service, otherApi);
    const { session_id: id } = await desk.open();
    await Promise.all([desk.poll(id), other.poll(id)]);

    const chosen: Received[] = [];
    await inParallel([...Array(12).keys()], async (n) => {
      chosen.push(await [desk, other][n % 2]!.select(id, usdc));
    });
    const seenThere = await other.until(id, ({ status }) => status === 'created');
    other.close();

    const answers = chosen.map((answer) => JSON.stringify(sessionIn(answer).selected));
    expect(new Set(answers).size).toBe(1);
    expect(seenThere.selected).toEqual(sessionIn(chosen[0]!).selected);
    expect(
      await service.query(`SELECT 1 FROM payments.selections WHERE payment_request_id = $1`, [seenThere.id]),
    ).toHaveLength(1);
  });

  it('may be changed until a payment is seen, and an address once shown keeps what is paid to it', async () => {
    const { session_id: id } = await desk.open();
    const first = sessionIn(await desk.select(id, usdc));
    const second = sessionIn(await desk.select(id, dai));
    await desk.pay(first);
    const paid = await desk.until(id, ({ status }) => status === 'processing');
    const late = await desk.select(id, dai);
    await service.chain.mine(CONFIRMATIONS);
    const done = await desk.until(id, ({ status }) => status === 'completed');

    expect(second.selected!.unique_asset_id).toBe(dai);
    expect(paid.selected!.unique_asset_id).toBe(usdc);
    expect([late.status, codeOf(late)]).toEqual([409, 'state_conflict']);
    expect(done.selected!.address).toBe(first.selected!.address);
  });

  it('of what is not offered is refused with what is', async () => {
    const posId = await desk.shop({ payment_options: [usdc, dai] });
    const { session_id: id } = await desk.open({}, posId);
    const usdt = service.assets[1]!.unique_asset_id;

    for (const [answer, field] of [
      [await desk.select(id, usdt), 'unique_asset_id'],
      [await desk.get(walletPath({ session_id: id }, 'nonsense')), 'payment_option'],
    ] as const) {
      expect([answer.status, codeOf(answer), fieldsNamed(answer)]).toEqual([
        400,
        'validation_failed',
        [field],
      ]);
      expect(answer.text).toContain(`${usdc}, ${dai}`);
    }
  });
});

describe('A wallet', () => {
  it('is shown by a token that it verifies where to ask, chooses there and learns what to pay', async () => {
    const opened = await desk.open({ order: { total: '10', coin_code: 'USD', description: 'Table 7' } });
    const published = await desk.get('/.well-known/naspip-keys');
    const keys = keysOf(published.json as unknown as NaspipPublicKeys);

    const { payload, expiresAt } = verify(opened.token, keys, new Date());
    const { url } = payload as unknown as { url: string };
    const options = (await (await fetch(url)).json()) as object;
    const chosen = (await (await fetch(`${url}?payment_option=${usdc}`)).json()) as {
      payment: { address: string };
    };
    const asked = await asksForPayment(opened);

    expect(url).toBe(opened.checkout_url);
    for (const { headers } of [published, asked]) expect(headers['access-control-allow-origin']).toBe('*');
    expect(published.headers['cache-control']).toBe('public, max-age=300');
    expect(payload).toMatchObject({
      paymentOptions: opened.payment_options.map(({ unique_asset_id: id }) => id),
    });
    expect(expiresAt.toISOString()).toBe(opened.expires_at);
    expect(options).toEqual({
      url,
      payment_options: opened.payment_options.map(({ unique_asset_id: id }) => id),
      order: { total: '10', coin_code: 'USD', description: 'Table 7', merchant: opened.merchant },
    });
    expect(asked.json).toEqual(chosen);
    expect(asked.json).toMatchObject({
      payment: {
        id: opened.id,
        unique_asset_id: usdc,
        is_open: false,
        amount: '10',
        expires_at: Date.parse(opened.expires_at),
      },
    });
    expect(chosen.payment.address).toBe((await desk.read(opened.session_id)).selected!.address);
  });

  it('is asked for the rest of a part, and for nothing once all is on its way', async () => {
    const opened = await desk.open();
    const selected = sessionIn(await desk.select(opened.session_id, usdc));
    await desk.pay(selected, '3.5');
    await desk.until(opened.session_id, ({ status }) => status === 'processing');
    const rest = await asksForPayment(opened);
    await desk.pay(selected, '6.5');
    await desk.until(opened.session_id, ({ selected: now }) => now!.missing_amount === '0');
    const paid = await asksForPayment(opened);
    await service.chain.mine(CONFIRMATIONS);
    await desk.until(opened.session_id, ({ status }) => status === 'completed');
    const ended = await asksForPayment(opened);

    expect(rest.json).toMatchObject({ payment: { amount: '6.5', address: selected.selected!.address } });
    expect([paid, ended].map((answer) => [answer.status, codeOf(answer)])).toEqual([
      [409, 'state_conflict'],
      [409, 'state_conflict'],
    ]);
    expect(paid.text).toContain('Do not pay again');
  });

  it('is refused once the time is over', async () => {
    const opened = await desk.open();
    await service.advance(PAST_THE_DEADLINE);
    await desk.until(opened.session_id, ({ status }) => status === 'expired');

    expect(codeOf(await asksForPayment(opened))).toBe('state_conflict');
    expect(codeOf(await asksForPayment(opened, usdc))).toBe('state_conflict');
    expect(codeOf(await desk.select(opened.session_id, usdc))).toBe('state_conflict');
  });
});

describe('Who has no patience', () => {
  it('guesses a secret so often and no more, whichever process is asked, and locks nobody out', async () => {
    const other = new CheckoutDesk(service, otherApi);
    const exchange = (n: number, from: string, api_secret: string) =>
      [desk, other][n % 2]!.http.send({
        ...{ method: 'POST', target: '/v1/auth/token', headers: { 'content-type': 'application/json' } },
        ...{ body: JSON.stringify({ api_key: service.seed.apiKey, api_secret }), from },
      });

    const guesses: Received[] = [];
    await inParallel([...Array(20).keys()], async (n) => {
      guesses.push(await exchange(n, '127.30.0.1', 'wrong'));
    });
    const right = await exchange(1, '127.30.0.1', service.seed.apiSecret);
    const elsewhere = await exchange(1, '127.30.0.2', service.seed.apiSecret);
    other.close();

    const counts = [401, 429].map((status) => guesses.filter((guess) => guess.status === status).length);
    expect(counts).toEqual([4, 16]);
    expect([right.status, elsewhere.status]).toEqual([200, 200]);
  });

  it('gets so many tokens and no more, whichever process is asked, and each time the number that is left', async () => {
    const other = new CheckoutDesk(service, otherApi);
    const { apiKey: api_key, apiSecret: api_secret } = service.seed;
    const given: Received[] = [];
    await inParallel([...Array(100).keys()], async (n) => {
      given.push(
        await [desk, other][n % 2]!.http.send({
          ...{ method: 'POST', target: '/v1/auth/token', headers: { 'content-type': 'application/json' } },
          ...{ body: JSON.stringify({ api_key, api_secret }), from: '127.30.0.3' },
        }),
      );
    });
    other.close();

    const left = given
      .filter(({ status }) => status === 200)
      .map(({ headers }) => /^"token";r=(\d+);t=\d+$/.exec(String(headers['ratelimit']))?.[1]);
    const refused = given.filter(({ status }) => status === 429);
    expect(left.map(Number).sort((a, b) => a - b)).toEqual([...Array(60).keys()]);
    expect([refused.length, new Set(refused.map(codeOf))]).toEqual([40, new Set(['rate_limited'])]);
    for (const { headers } of given) expect(headers['ratelimit-policy']).toBe('"token";q=60;w=60');
  });

  it('is refused one request’s status, and reads another’s', async () => {
    const [asked, other] = [await desk.open(), await desk.open()];
    const read = (id: string) =>
      service.api.get(`/v1/pos/${service.seed.posId}/payment-request/${id}`).then(
        () => 'read',
        (error: ApiRefused) => error.code,
      );

    const first = await Promise.all([...Array(5)].map(() => read(asked.id)));
    let code: string;
    do code = await read(asked.id);
    while (code === 'read');

    const { status, headers } = await desk.get(
      `/v1/pos/${service.seed.posId}/payment-request/${other.id}`,
      await proofs(),
    );

    expect([first, code]).toEqual([Array(5).fill('read'), 'rate_limited']);
    expect(await read(other.id)).toBe('read');
    expect([status, headers['ratelimit-policy'], headers['ratelimit']]).toEqual([
      200,
      '"payment-request";q=5;w=5',
      '"payment-request";r=4;t=1',
    ]);
  });
});
