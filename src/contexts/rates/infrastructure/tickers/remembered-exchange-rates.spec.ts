import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { NoSuchPrice, SourceDown } from './rate-source.js';
import { RatesSettings } from '../rates-settings.js';
import { RememberedExchangeRates } from './remembered-exchange-rates.js';
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
let rates: RememberedExchangeRates;
let alerts: string[];

beforeEach(() => {
  [kraken, coinbase, time] = [new Ticker('kraken'), new Ticker('coinbase'), 5_000_000];
  const settings = new RatesSettings([]);
  rates = new RememberedExchangeRates([kraken, coinbase], settings, new StandingClock(), () => time);
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

describe('A price from several sources', () => {
  it('lies in the middle of those that answer, and names them', async () => {
    kraken.says('100.01');
    coinbase.says('100.02');

    const price = await rates.price('ETH', 'EUR');

    expect(price).toEqual({ price: '100.015', sources: ['coinbase', 'kraken'], at: NOW });
  });

  it.each([
    ['is down', new SourceDown('no connection')],
    ['does not know the pair', new NoSuchPrice('unknown')],
    ['breaks in an unforeseen way', new TypeError('x is undefined')],
  ])('is the other’s where one %s', async (_, error) => {
    kraken.fails(error);

    expect(await rates.price('ETH', 'EUR')).toEqual({ price: '100', sources: ['coinbase'], at: NOW });
  });

  it('is unavailable for a pair that nobody prices, and for no other', async () => {
    for (const source of [kraken, coinbase]) source.fails(new NoSuchPrice('unknown'));
    await expect(rates.price('OLD', 'EUR')).rejects.toMatchObject(UNAVAILABLE);
    for (const source of [kraken, coinbase]) source.says('7');

    expect(await rates.price('ETH', 'EUR')).toMatchObject({ price: '7' });
  });

  it('is refused where they disagree, with one alert until they agree again', async () => {
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

  it('is refused, with an alert, where one source disputes its own, whatever the other says', async () => {
    await rates.price('ETH', 'EUR');
    kraken.disputes();

    elapse(30_000);

    await expect(rates.price('ETH', 'EUR')).rejects.toMatchObject(UNAVAILABLE);
    expect(rates.known('ETH', 'EUR', 'leave')).toBeUndefined();
    expect(alerts).toEqual([expect.stringContaining('kraken’s bid 90 and ask 110')]);
  });

  it('leaves out what is too old by its own time, and is as old as the oldest it takes', async () => {
    kraken.says('100', 60_001);
    coinbase.says('101', 20_000);

    const price = await rates.price('ETH', 'EUR');

    expect(price.sources).toEqual(['coinbase']);
    expect(price.at.getTime()).toBeLessThanOrEqual(NOW.getTime() - 20_000);
    elapse(39_000);
    for (const source of [kraken, coinbase]) source.fails(new SourceDown('away'));
    expect(await rates.price('ETH', 'EUR')).toBe(price);
    elapse(1_000);
    await expect(rates.price('ETH', 'EUR')).rejects.toMatchObject(UNAVAILABLE);
  });
});

describe('Remembering prices', () => {
  it('asks again for one that was old already, before it is too old', async () => {
    for (const source of [kraken, coinbase]) source.says('100', 55_000);
    await rates.price('ETH', 'EUR');
    for (const source of [kraken, coinbase]) source.says('200');

    elapse(5_000);

    expect(await rates.price('ETH', 'EUR')).toMatchObject({ price: '200' });
  });

  it('answers from memory for ten seconds without asking', async () => {
    await rates.price('ETH', 'EUR');

    elapse(9_999);
    await rates.price('ETH', 'EUR');
    await settled();
    expect(kraken.asked).toHaveLength(1);

    elapse(1);
    await rates.price('ETH', 'EUR');
    expect(kraken.asked).toHaveLength(2);
  });

  it('answers from memory for half a minute, asking behind, and then asks before it answers', async () => {
    await rates.price('ETH', 'EUR');
    kraken.answer = coinbase.answer = () => new Promise(() => undefined);
    elapse(29_999);

    expect(await rates.price('ETH', 'EUR')).toMatchObject({ price: '100' });
    expect(kraken.asked).toHaveLength(2);
    elapse(1);
    const late = rates.price('ETH', 'EUR').then(() => 'answered');

    expect(await Promise.race([late, settled().then(() => 'waiting')])).toBe('waiting');
  });

  it('knows the new price soon after it has answered the old one', async () => {
    await rates.price('ETH', 'EUR');
    for (const source of [kraken, coinbase]) source.says('200');
    elapse(10_000);
    await rates.price('ETH', 'EUR');

    await settled();

    expect(await rates.price('ETH', 'EUR')).toMatchObject({ price: '200' });
  });

  it('does not ask before ten seconds for what a cache has made old', async () => {
    for (const source of [kraken, coinbase]) source.says('100', 40_000);
    await rates.price('ETH', 'EUR');
    kraken.answer = () => new Promise(() => undefined);

    elapse(9_999);

    expect(await rates.price('ETH', 'EUR')).toMatchObject({ price: '100' });
    expect(kraken.asked).toHaveLength(1);
  });

  it('keeps a price for a minute when nobody answers any more, then has none', async () => {
    await rates.price('ETH', 'EUR');
    for (const source of [kraken, coinbase]) source.fails(new SourceDown('away'));

    elapse(59_999);
    expect(await rates.price('ETH', 'EUR')).toMatchObject({ price: '100', at: NOW });
    elapse(1);
    await expect(rates.price('ETH', 'EUR')).rejects.toMatchObject(UNAVAILABLE);
    expect(rates.known('ETH', 'EUR', 'ask')).toBeUndefined();
  });

  it('asks once for all callers of the same pair at the same time', async () => {
    const prices = await Promise.all(Array.from({ length: 20 }, () => rates.price('ETH', 'EUR')));

    expect(new Set(prices).size).toBe(1);
    expect(kraken.asked).toEqual(['ETH/EUR']);
  });
});

describe('What is known without asking', () => {
  it('is nothing at first, and the price soon after', async () => {
    expect(rates.known('ETH', 'EUR', 'ask')).toBeUndefined();
    await settled();

    expect(rates.known('ETH', 'EUR', 'ask')).toMatchObject({ price: '100' });
    expect(kraken.asked).toHaveLength(1);
  });

  it('is the old price while a new one is asked for in the background', async () => {
    await rates.price('ETH', 'EUR');
    for (const source of [kraken, coinbase]) source.says('200');
    elapse(10_000);

    expect(rates.known('ETH', 'EUR', 'ask')).toMatchObject({ price: '100' });
    await settled();

    expect(rates.known('ETH', 'EUR', 'ask')).toMatchObject({ price: '200' });
  });

  it('is asked for outside the unit of work that looked', async () => {
    requests.run('a unit of work', () => rates.known('ETH', 'EUR', 'ask'));
    await settled();

    expect(kraken.askedInside).toEqual([undefined]);
  });

  it('is not asked for where it is only looked at', async () => {
    expect(rates.known('ETH', 'EUR', 'leave')).toBeUndefined();
    await settled();
    expect(kraken.asked).toEqual([]);

    await rates.price('ETH', 'EUR');
    elapse(10_000);

    expect(rates.known('ETH', 'EUR', 'leave')).toMatchObject({ price: '100' });
    await settled();
    expect(kraken.asked).toHaveLength(1);
  });
});
