import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { parseAmount } from '#shared/kernel/amount.js';
import type { ApiRefused } from '../support/api-client.js';
import { CheckoutDesk, sessionIn } from '../support/checkout-desk.js';
import { codeOf } from '../support/hostile/hostile-calls.js';
import { RateServer, type Quoted } from '../support/rate-server.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';

/** For so long a source's answer is kept; Coinbase's holds every currency. */
const FRESH_MS = 1_000;
/** A source that has failed twice in a row rests so long. */
const REST_MS = 2_000;
/** The service's clock and the test's: at most so far, and far less than an earlier answer is old. */
const CLOCKS_APART_MS = 500;

const both = (price: string): Quoted => ({ kraken: price, coinbase: price });
const AGREED = { kraken: '0.861', coinbase: '0.863' };
/** An answer of Coinbase's is kept, so it holds the prices of later cases. */
const PRICES = [
  ['USDC', 'EUR', AGREED],
  ['DAI', 'CHF', AGREED],
  ['USDC', 'GBP', AGREED],
  ['DAI', 'CAD', AGREED],
  ['USDC', 'NOK', both('10')],
  ['USDC', 'DKK', { kraken: '6.00', coinbase: '6.60' }],
  ['USDC', 'SEK', both('10')],
  ['DAI', 'SEK', both('10')],
  ['USDC', 'PLN', both('4')],
] as const;

let service: TestService;
let rates: RateServer;
let desk: CheckoutDesk;
let usdc: string;
let dai: string;
let shop: string;

beforeAll(async () => {
  rates = await RateServer.listen();
  for (const [symbol, currency, quoted] of PRICES) rates.set(symbol, currency, quoted);
  service = await startTestService({
    settings: { ...rates.settings, RATE_FRESH_SECONDS: '1', RATE_REST_SECONDS: '1' },
  });
  desk = new CheckoutDesk(service);
  usdc = service.assets[0]!.unique_asset_id;
  dai = service.assets[2]!.unique_asset_id;
  shop = await desk.shop({ payment_options: [usdc, dai] });
});

afterAll(async () => {
  desk?.close();
  await service?.stop();
  await rates?.close();
});

/** The case before may have left answers that are kept. */
let isKept = false;

/** A source that is down answers nothing only once no answer of it is kept. */
async function takeDown(sources: readonly ('kraken' | 'coinbase')[]): Promise<void> {
  if (sources.length > 0 && isKept) await elapse(FRESH_MS + 200);
  for (const source of sources) rates.down.add(source);
}

afterEach(async () => {
  isKept = rates.down.size === 0;
  if (isKept) return;
  rates.down.clear();
  await elapse(REST_MS + 200);
});

const elapse = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
// A price is answered for half a minute, so each case names a currency of its own.
const open = (coinCode: string) => desk.open({ coin_code: coinCode }, shop);
const refusal = (opening: Promise<CheckoutDto>) =>
  opening.then(
    () => undefined,
    (error: ApiRefused) => error,
  );

/** The least whole number of smallest units that is worth 10. */
function leastUnits(price: string, decimals: number): bigint {
  const scale = 18;
  const [needed, each] = [10n * 10n ** BigInt(scale), BigInt(parseAmount(price, scale))];
  let units = (needed * 10n ** BigInt(decimals)) / each;
  while (units * each < needed * 10n ** BigInt(decimals)) units += 1n;
  return units;
}

describe('A price in another currency', () => {
  it.each([
    ['USDC', 6, 'EUR', [], '0.862', ['coinbase', 'kraken']],
    ['DAI', 18, 'CHF', [], '0.862', ['coinbase', 'kraken']],
    ['USDC', 6, 'GBP', ['kraken'], '0.863', ['coinbase']],
    ['DAI', 18, 'CAD', ['coinbase'], '0.861', ['kraken']],
  ] as const)(
    'is what the sources that answer agree on, locked with the choice, and never too little: %s of %i digits in %s',
    async (symbol, decimals, currency, down, price, sources) => {
      await takeDown(down);
      const opening = Date.now();
      const opened = await open(currency);

      const { selected } = sessionIn(await desk.select(opened.session_id, symbol === 'DAI' ? dai : usdc));

      const read = await service.api.get<CheckoutDto>(`/v1/pos/${shop}/payment-request/${opened.id}`);
      expect(selected!.rate).toMatchObject({ price, sources });
      expect(BigInt(parseAmount(selected!.amount, decimals))).toBe(leastUnits(price, decimals));
      expect(read.selected).toEqual(selected);
      const at = Date.parse(selected!.rate!.at);
      // An answer that the case before has got is kept.
      expect(at).toBeGreaterThanOrEqual(opening - FRESH_MS - CLOCKS_APART_MS);
      expect(at).toBeLessThanOrEqual(Date.now() + CLOCKS_APART_MS);
    },
  );

  it.each([
    ['both sources are down', 'NOK', ['kraken', 'coinbase']],
    ['the sources lie far apart', 'DKK', []],
  ] as const)('is none where %s: then nothing is sold for it, but for dollars', async (_, currency, down) => {
    await takeDown(down);

    const refused = await refusal(open(currency));
    const dollars = sessionIn(await desk.select((await desk.open()).session_id, usdc));

    expect([refused?.httpStatus, refused?.code]).toEqual([503, 'rate_unavailable']);
    expect(dollars.selected!.rate!.sources).toEqual(['peg']);
  });

  it('stays locked while the market moves', async () => {
    const { session_id: id } = await open('SEK');
    const first = sessionIn(await desk.select(id, usdc)).selected;
    rates.set('USDC', 'SEK', both('8'));
    await elapse(FRESH_MS + 500);
    await desk.select(id, dai);
    // Answered with the old price, while the new one is asked for behind.
    const other = await eventually(
      async () => sessionIn(await desk.select((await open('SEK')).session_id, usdc)).selected,
      (selected) => selected?.amount !== first!.amount,
    );

    const again = sessionIn(await desk.select(id, usdc)).selected;

    expect(first!.amount).toBe('1');
    expect(other!.amount).toBe('1.25');
    expect(again).toEqual(first);
  });

  it('is missing for one asset alone: it can be chosen as soon as it is known', async () => {
    const opened = await open('PLN');

    const refused = await desk.select(opened.session_id, dai);

    expect(opened.payment_options.map(({ amount }) => amount)).toEqual(['2.5', undefined]);
    expect([refused.status, codeOf(refused)]).toEqual([503, 'rate_unavailable']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await desk.read(opened.session_id)).status).toBe('pending');
    expect((await desk.select(opened.session_id, usdc)).status).toBe(200);
  });
});
