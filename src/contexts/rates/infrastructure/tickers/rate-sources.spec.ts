import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { rateSources } from './public-tickers.js';
import { RatesSettings } from '../rates-settings.js';
import { RememberedExchangeRates } from './remembered-exchange-rates.js';

const NOW = new Date('2030-01-01T00:00:00Z');
const UNAVAILABLE = { kind: 'unavailable', code: 'rate_unavailable' };
const CURRENCIES = Array.from({ length: 250 }, (_, i) => `C${i}`);
const SYMBOLS = ['ETH', 'BTC', 'SOL', 'DAI'];

class StandingClock extends Clock {
  async now(): Promise<Date> {
    return NOW;
  }
}

/** A ticker's server, which notes what it is asked and how much of it at once. */
class TickerServer {
  readonly asked: string[] = [];
  readonly server: Server;
  delayMs = 0;
  atOnce = 0;
  mostAtOnce = 0;

  constructor(public answer: (query: string) => object | number) {
    const listener: RequestListener = (request, response) => {
      const query = new URL(request.url!, 'http://localhost').search.split('=')[1]!;
      this.asked.push(query);
      this.mostAtOnce = Math.max(this.mostAtOnce, (this.atOnce += 1));
      setTimeout(() => {
        this.atOnce -= 1;
        const answer = this.answer(query);
        response.statusCode = typeof answer === 'number' ? answer : 200;
        response.end(JSON.stringify(answer));
      }, this.delayMs);
    };
    this.server = createServer(listener);
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

const market = (bid: string, ask: string) => (pair: string) => ({
  error: [],
  result: { [pair]: { a: [ask, '1', '1.000'], b: [bid, '1', '1.000'] } },
});
const rich = (symbol: string) => ({
  data: {
    currency: symbol,
    rates: Object.fromEntries(['EUR', 'USD', ...CURRENCIES].map((currency) => [currency, '2512.31'])),
  },
});

let kraken: TickerServer;
let coinbase: TickerServer;
let rates: RememberedExchangeRates;
let time: number;

beforeEach(async () => {
  Logger.overrideLogger(false);
  time = 5_000_000;
  kraken = new TickerServer(market('2512.20', '2512.40'));
  coinbase = new TickerServer(rich);
  const sources = [
    { name: 'kraken', url: await kraken.listen() },
    { name: 'coinbase', url: await coinbase.listen() },
  ] as const;
  // A slow machine must not make anybody wait too long, nor a ticker seem to be away.
  jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  const settings = new RatesSettings(sources, { waitMs: 3_600_000 });
  rates = new RememberedExchangeRates(rateSources(settings), settings, new StandingClock(), () => time);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all([kraken.stop(), coinbase.stop()]);
});

/** Until Kraken was asked so often, and then nothing is under way any more. */
async function quiet(askedOfKraken: number): Promise<void> {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
  while (kraken.asked.length < askedOfKraken) await pause();
  for (let still = 0; still < 5; still += 1) {
    const asked = kraken.asked.length;
    await pause();
    if (kraken.asked.length !== asked || kraken.atOnce + coinbase.atOnce > 0) still = 0;
  }
}

const allPairs = () => SYMBOLS.flatMap((symbol) => CURRENCIES.map((currency) => [symbol, currency] as const));

describe('Two public tickers', () => {
  it('agree on a price', async () => {
    expect(await rates.price('ETH', 'EUR')).toEqual({
      price: '2512.305',
      sources: ['coinbase', 'kraken'],
      at: NOW,
    });
  });

  it('may be one, when the other has gone', async () => {
    await kraken.stop();

    expect(await rates.price('ETH', 'EUR')).toEqual({ price: '2512.31', sources: ['coinbase'], at: NOW });
  });

  it('leave no price when both have gone', async () => {
    await Promise.all([kraken.stop(), coinbase.stop()]);

    await expect(rates.price('ETH', 'EUR')).rejects.toMatchObject(UNAVAILABLE);
  });

  it('leave no price where bid and ask lie far apart, though the other has one', async () => {
    kraken.answer = market('2512.20', '2600.00');

    await expect(rates.price('ETH', 'EUR')).rejects.toMatchObject(UNAVAILABLE);
  });

  it('may be one while the other forbids to be asked, and is left alone', async () => {
    coinbase.answer = () => 403;

    for (const currency of ['EUR', 'USD', 'C1']) {
      expect(await rates.price('ETH', currency)).toMatchObject({ sources: ['kraken'] });
    }
    expect(coinbase.asked).toHaveLength(1);
  });
});

describe('A thousand pairs', () => {
  it.each([
    ['wanted', () => Promise.allSettled(allPairs().map(([symbol, coin]) => rates.price(symbol, coin)))],
    ['polled', () => allPairs().map(([symbol, coin]) => rates.known(symbol, coin, 'ask'))],
  ])('%s at once are four requests at once, and one to Coinbase for each symbol', async (_, want) => {
    kraken.delayMs = coinbase.delayMs = 5;

    await want();
    await quiet(4 + 64);

    expect(kraken.mostAtOnce).toBeLessThanOrEqual(4);
    expect(coinbase.mostAtOnce).toBeLessThanOrEqual(4);
    expect(kraken.asked).toHaveLength(4 + 64);
    expect(coinbase.asked.sort()).toEqual([...SYMBOLS].sort());
  });

  it.each([
    ['leave room for who waits', 'EUR'],
    ['come forward where somebody waits for one of them', 'C60'],
  ])('that are polled %s', async (_, currency) => {
    kraken.delayMs = 20;
    for (const [symbol, coin] of allPairs()) rates.known(symbol, coin, 'ask');

    const price = await rates.price('ETH', currency);

    expect(price.sources).toEqual(['coinbase', 'kraken']);
    expect(kraken.asked.indexOf(`ETH${currency}`)).toBeLessThan(12);
    await quiet(4 + 64);
  });

  it('that are refused take neither a price nor its check from one that is in use', async () => {
    await rates.price('ETH', 'EUR');
    time += 30_000;
    kraken.delayMs = 5;
    const crowd = allPairs().map(([symbol, coin]) => rates.price(symbol, coin));

    expect((await rates.price('ETH', 'EUR')).sources).toEqual(['coinbase', 'kraken']);
    const refused = (await Promise.allSettled(crowd)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(1_000 - 4 - 64);
    expect(refused[0]).toMatchObject({ reason: UNAVAILABLE });
  });

  it('that Kraken does not know are not asked of it again for minutes', async () => {
    kraken.answer = () => ({ error: ['EQuery:Unknown asset pair'] });
    for (let round = 0; round < 4; round += 1) {
      for (const coin of CURRENCIES.slice(0, 20)) await rates.price('ETH', coin);
      await quiet(20);
      time += 10_000;
    }

    expect(kraken.asked).toHaveLength(20);
    expect(coinbase.asked).toHaveLength(4);
  });
});
