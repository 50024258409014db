import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { PriceSourceClient } from './price-source-client.js';
import { PriceRequestQueueFullError } from './price-request-queue.js';
import { NoSuchPriceError, PriceSourceDownError } from './rate-source.js';
import { RatesSettings } from '../rates-settings.js';
import { Ticker } from '../../testing/ticker.js';

/** Prices of all currencies come from one answer, as from Coinbase. */
const ofAllCurrencies = (symbol: string) => (symbol.startsWith('?') ? undefined : symbol);

let ticker: Ticker;
let asks: PriceSourceClient;
let time: number;
let warnings: string[];

beforeEach(() => {
  [ticker, time, warnings] = [new Ticker('ticker', ofAllCurrencies), 5_000_000, []];
  asks = new PriceSourceClient(ticker, new RatesSettings([]), () => time);
  for (const level of ['debug', 'log'] as const)
    jest.spyOn(Logger.prototype, level).mockImplementation(() => {});
  jest
    .spyOn(Logger.prototype, 'warn')
    .mockImplementation(({ source, reason }) => void warnings.push(`${source}: ${reason}`));
});
afterEach(() => {
  jest.restoreAllMocks();
});

const elapse = (ms: number) => (time += ms);
const price = async (symbol: string, currency = 'EUR') =>
  (await asks.query(symbol, currency, true))?.priceIn(currency);

/** @returns milliseconds from now until the ticker is queried again, to the second */
async function restOfTicker(): Promise<number> {
  const asked = ticker.asked.length;
  for (let waited = 0; ; waited += 1_000) {
    await price('ETH');
    if (ticker.asked.length > asked) return waited;
    elapse(1_000);
  }
}

describe('A source of rates', () => {
  it('is requested once in ten seconds for all pairs of one answer', async () => {
    await Promise.all(['EUR', 'USD', 'GBP'].map((currency) => price('ETH', currency)));
    elapse(9_999);
    expect(await price('ETH', 'CHF')).toBe('100');
    expect(ticker.asked).toEqual(['ETH']);

    elapse(1);
    await price('ETH', 'EUR');

    expect(ticker.asked).toEqual(['ETH', 'ETH']);
  });

  it('is not requested for five minutes for an unknown pair', async () => {
    ticker.fails(new NoSuchPriceError('unknown'));
    await price('OLD');
    elapse(299_999);
    expect(await price('OLD')).toBeUndefined();
    expect(ticker.asked).toEqual(['OLD']);

    await price('ETH');
    elapse(1);
    await price('OLD');

    expect(ticker.asked).toEqual(['OLD', 'ETH', 'OLD']);
    expect(warnings).toEqual([]);
  });

  it('rests after a failure, twice as long each time, up to a minute', async () => {
    ticker.fails(new PriceSourceDownError('HTTP status 403'));
    await price('ETH');

    const rests = [];
    for (let i = 0; i < 7; i += 1) rests.push(await restOfTicker());

    expect(rests).toEqual([3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000]);
    expect(warnings).toEqual(['ticker: HTTP status 403']);
  });

  it('rests three seconds again, with another warning, after it had recovered', async () => {
    const working = ticker.answer;
    ticker.fails(new PriceSourceDownError('away'));
    await price('ETH');
    await restOfTicker();
    ticker.answer = working;
    elapse(6_000);
    expect(await price('ETH')).toBe('100');
    ticker.fails(new PriceSourceDownError('away again'));
    elapse(10_000);
    await price('ETH');

    expect(await restOfTicker()).toBe(3_000);
    expect(warnings).toEqual(['ticker: away', 'ticker: away again']);
  });

  it('counts concurrent failures once', async () => {
    ticker.fails(new PriceSourceDownError('away'));

    await Promise.all(['ETH', 'BTC', 'DAI', 'USDC'].map((symbol) => price(symbol)));

    expect(ticker.asked).toHaveLength(4);
    expect(await restOfTicker()).toBe(3_000);
  });

  it('rests as long if an answer is received that was requested before the failure', async () => {
    const { answer } = ticker;
    const late = Promise.withResolvers<void>();
    ticker.answer = () => late.promise.then(answer);
    const older = price('BTC');
    ticker.fails(new PriceSourceDownError('away'));
    await price('ETH');
    late.resolve();

    expect(await older).toBe('100');
    expect([await restOfTicker(), await restOfTicker()]).toEqual([3_000, 6_000]);
  });

  it('is requested again for an outdated answer, after a pause', async () => {
    ticker.says('100', 55_000);
    await price('ETH');
    elapse(5_000);
    ticker.says('100', 600_000);
    await price('ETH');
    expect(ticker.asked).toHaveLength(2);

    elapse(2_999);
    await price('ETH');

    expect(ticker.asked).toHaveLength(2);
  });

  it('limits concurrent and waiting requests', async () => {
    ticker.answer = () => new Promise(() => undefined);
    const refused: number[] = [];
    for (let n = 0; n < 70; n += 1)
      asks.query(`S${n}`, 'EUR', true).catch((error: unknown) => {
        if (error instanceof PriceRequestQueueFullError) refused.push(n);
      });
    await new Promise((resolve) => setImmediate(resolve));

    expect([ticker.asked.length, refused]).toEqual([4, [68, 69]]);
  });
});
