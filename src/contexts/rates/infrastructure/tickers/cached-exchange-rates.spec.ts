import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { NoSuchPriceError, PriceSourceDownError } from './rate-source.js';
import { RatesSettings } from '../rates-settings.js';
import { CachedExchangeRates } from './cached-exchange-rates.js';
import { requests, Ticker } from '../../testing/ticker.js';

const NOW = new Date('2030-01-01T00:00:00Z');
const UNAVAILABLE = { kind: 'unavailable', code: 'rate_unavailable' };

class StandingClock extends Clock {
  async now(): Promise<Date> {
    return NOW;
  }
}

let kraken: Ticker;
let coinbase: Ticker;
let time: number;
let rates: CachedExchangeRates;
let alerts: string[];

beforeEach(() => {
  [kraken, coinbase, time] = [new Ticker('kraken'), new Ticker('coinbase'), 5_000_000];
  const settings = new RatesSettings([]);
  rates = new CachedExchangeRates([kraken, coinbase], settings, new StandingClock(), () => time);
  alerts = [];
  for (const level of ['debug', 'log'] as const)
    jest.spyOn(Logger.prototype, level).mockImplementation(() => {});
  for (const level of ['warn', 'error'] as const)
    jest.spyOn(Logger.prototype, level).mockImplementation(({ prices }) => void alerts.push(prices));
});
afterEach(() => {
  jest.restoreAllMocks();
});

const elapse = (ms: number) => (time += ms);
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('The price from several sources', () => {
  it('is the middle of all answers and names the sources', async () => {
    kraken.says('100.01');
    coinbase.says('100.02');

    const price = await rates.price('ETH', 'EUR');

    expect(price).toEqual({ price: '100.015', sources: ['coinbase', 'kraken'], at: NOW });
  });

  it.each([
    ['is down', new PriceSourceDownError('no connection')],
    ['does not know the pair', new NoSuchPriceError('unknown')],
    ['breaks in an unforeseen way', new TypeError('x is undefined')],
  ])('is the price of the other source if one %s', async (_, error) => {
    kraken.fails(error);

    expect(await rates.price('ETH', 'EUR')).toEqual({ price: '100', sources: ['coinbase'], at: NOW });
  });

  it('is unavailable while sources disagree, with one alert per disagreement', async () => {
    coinbase.says('102.01');
    for (let i = 0; i < 2; i += 1) {
      await expect(rates.price('ETH', 'EUR')).rejects.toMatchObject(UNAVAILABLE);
      elapse(10_000);
    }
    expect(alerts).toEqual(['kraken 100, coinbase 102.01']);

    coinbase.says('102');
    expect(await rates.price('ETH', 'EUR')).toMatchObject({ price: '101' });
    coinbase.says('103');
    elapse(10_000);
    await rates.price('ETH', 'EUR');
    await settled();
    await expect(rates.price('ETH', 'EUR')).rejects.toMatchObject(UNAVAILABLE);
    expect(alerts).toHaveLength(2);
  });

  it('is unavailable, with an alert, if one source disputes its own price', async () => {
    await rates.price('ETH', 'EUR');
    kraken.disputes();

    elapse(30_000);

    await expect(rates.price('ETH', 'EUR')).rejects.toMatchObject(UNAVAILABLE);
    expect(rates.cachedRate('ETH', 'EUR', 'leave')).toBeUndefined();
    expect(alerts).toEqual([expect.stringContaining('kraken’s bid 90 and ask 110')]);
  });

  it('ignores outdated answers and is as old as the oldest answer in it', async () => {
    kraken.says('100', 60_001);
    coinbase.says('101', 20_000);

    const price = await rates.price('ETH', 'EUR');

    expect(price.sources).toEqual(['coinbase']);
    expect(price.at.getTime()).toBeLessThanOrEqual(NOW.getTime() - 20_000);
    elapse(39_000);
    for (const source of [kraken, coinbase]) source.fails(new PriceSourceDownError('away'));
    expect(await rates.price('ETH', 'EUR')).toBe(price);
    elapse(1_000);
    await expect(rates.price('ETH', 'EUR')).rejects.toMatchObject(UNAVAILABLE);
  });
});

describe('The memory of prices', () => {
  it('answers for ten seconds without a request', async () => {
    await rates.price('ETH', 'EUR');

    elapse(9_999);
    await rates.price('ETH', 'EUR');
    await settled();
    expect(kraken.asked).toHaveLength(1);

    elapse(1);
    await rates.price('ETH', 'EUR');
    expect(kraken.asked).toHaveLength(2);
  });

  it('answers for 30 seconds while it requests in the background, and then waits', async () => {
    await rates.price('ETH', 'EUR');
    kraken.answer = coinbase.answer = () => new Promise(() => undefined);
    elapse(29_999);

    expect(await rates.price('ETH', 'EUR')).toMatchObject({ price: '100' });
    expect(kraken.asked).toHaveLength(2);
    elapse(1);
    const late = rates.price('ETH', 'EUR').then(() => 'answered');

    expect(await Promise.race([late, settled().then(() => 'waiting')])).toBe('waiting');
  });

  it('keeps a price for a minute without answers', async () => {
    await rates.price('ETH', 'EUR');
    for (const source of [kraken, coinbase]) source.fails(new PriceSourceDownError('away'));

    elapse(59_999);
    expect(await rates.price('ETH', 'EUR')).toMatchObject({ price: '100', at: NOW });
    elapse(1);
    await expect(rates.price('ETH', 'EUR')).rejects.toMatchObject(UNAVAILABLE);
    expect(rates.cachedRate('ETH', 'EUR', 'ask')).toBeUndefined();
  });

  it('sends one request for concurrent callers of a pair', async () => {
    const prices = await Promise.all(Array.from({ length: 20 }, () => rates.price('ETH', 'EUR')));

    expect(new Set(prices).size).toBe(1);
    expect(kraken.asked).toEqual(['ETH/EUR']);
  });
});

describe('A known price', () => {
  it('is the old price until a new one has been received in the background', async () => {
    await rates.price('ETH', 'EUR');
    for (const source of [kraken, coinbase]) source.says('200');
    elapse(10_000);

    expect(rates.cachedRate('ETH', 'EUR', 'ask')).toMatchObject({ price: '100' });
    await settled();

    expect(rates.cachedRate('ETH', 'EUR', 'ask')).toMatchObject({ price: '200' });
  });

  it('is requested outside the unit of work of the caller', async () => {
    requests.run('a unit of work', () => rates.cachedRate('ETH', 'EUR', 'ask'));
    await settled();

    expect(kraken.askedInside).toEqual([undefined]);
  });

  it('is not requested if the caller only looks it up', async () => {
    expect(rates.cachedRate('ETH', 'EUR', 'leave')).toBeUndefined();
    await settled();
    expect(kraken.asked).toEqual([]);

    await rates.price('ETH', 'EUR');
    elapse(10_000);

    expect(rates.cachedRate('ETH', 'EUR', 'leave')).toMatchObject({ price: '100' });
    await settled();
    expect(kraken.asked).toHaveLength(1);
  });
});
