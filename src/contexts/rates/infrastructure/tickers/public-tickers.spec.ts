import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CoinbaseRates, KrakenRates } from './public-tickers.js';
import { InconsistentPriceError, NoSuchPriceError, PriceSourceDownError } from './rate-source.js';

let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked: string[];
let base: string;
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  answer(request, response);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const answers = (body: unknown, status = 200, headers: Record<string, string> = {}) => {
  answer = (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
};
const inTime = () => AbortSignal.timeout(60_000);
const kraken = async (symbol = 'USDC', currency = 'EUR') => {
  const source = new KrakenRates(base, 200);
  return (await source.query(source.toPairQuery(symbol, currency)!, inTime())).priceIn(currency);
};
const coinbase = async (symbol = 'ETH', currency = 'EUR') =>
  (await new CoinbaseRates(base).query(symbol, inTime())).priceIn(currency);

/** An answer of Kraken, including fields that the service does not read. */
const ticker = (ask: unknown, bid: unknown, name = 'USDCEUR') => ({
  error: [],
  result: {
    [name]: {
      a: [ask, '9300', '9300.000'],
      b: [bid, '1200', '1200.000'],
      c: ['0.86240000', '31.05797100'],
      v: ['4112345.52310000', '9212345.11000000'],
      p: ['0.86201', '0.86188'],
      t: [4211, 9011],
      l: ['0.86010000', '0.85980000'],
      h: ['0.86390000', '0.86390000'],
      o: '0.86120000',
    },
  },
});
const rates = (currency: string, prices: unknown) => ({ data: { currency, rates: prices } });

describe('The Kraken ticker', () => {
  it('requests a pair and returns the middle of bid and ask', async () => {
    answers(ticker('0.86250000', '0.86230000'));

    expect(await kraken()).toBe('0.8624');
    expect(asked).toEqual(['/0/public/Ticker?pair=USDCEUR']);
  });

  it.each([
    ['BTC', 'USD', 'XBTUSD', 'XXBTZUSD'],
    ['USDT', 'USD', 'USDTUSD', 'USDTZUSD'],
  ])('uses its own spelling of %s in %s', async (symbol, currency, pair, name) => {
    answers(ticker('2', '2', name));

    expect(await kraken(symbol, currency)).toBe('2');
    expect(asked).toEqual([`/0/public/Ticker?pair=${pair}`]);
  });

  it.each([
    ['an unknown pair', { error: ['EQuery:Unknown asset pair'] }],
    ['no result', { error: [] }],
    ['numbers', ticker(0.8625, 0.8623)],
    ['a missing side', { error: [], result: { USDCEUR: { a: ['1'] } } }],
    ['exponents', ticker('1e0', '1e0')],
  ])('has no price if the answer contains %s', async (_, body) => {
    answers(body);

    await expect(kraken()).rejects.toBeInstanceOf(NoSuchPriceError);
  });

  it('rejects its own price if bid and ask differ by more than 2%', async () => {
    answers(ticker('1.0200', '1.0000'));
    expect(await kraken()).toBe('1.01');
    answers(ticker('1.0201', '1.0000'));

    await expect(kraken()).rejects.toThrow(new InconsistentPriceError('bid 1.0000 and ask 1.0201'));
  });

  it.each([
    ['is unavailable', { error: ['EService:Unavailable'] }, 200],
    ['limits the rate', {}, 429],
    ['answers something else', [1], 200],
  ])('is unavailable if it %s', async (_, body, status) => {
    answers(body, status);

    await expect(kraken()).rejects.toBeInstanceOf(PriceSourceDownError);
  });

  it.each(['USDC.e', 'stETH', ''])('has no question for the symbol %s', (symbol) => {
    expect(new KrakenRates(base, 200).toPairQuery(symbol, 'EUR')).toBeUndefined();
    expect(new CoinbaseRates(base).toPairQuery(symbol)).toBeUndefined();
  });
});

describe('The Coinbase ticker', () => {
  it('requests all rates of a symbol and returns one as written', async () => {
    answers(rates('ETH', { AED: '10842.12', EUR: '2512.3100000000005', USD: '2950.1' }));

    expect(await coinbase()).toBe('2512.3100000000005');
    expect(asked).toEqual(['/v2/exchange-rates?currency=ETH']);
  });

  it('returns the age of a cached answer', async () => {
    answers(rates('ETH', { EUR: '1' }), 200, { age: '30' });

    const before = Date.now();

    const { at } = await new CoinbaseRates(base).query('ETH', inTime());

    expect(at!.getTime()).toBeGreaterThanOrEqual(before - 30_000);
    expect(at!.getTime()).toBeLessThanOrEqual(Date.now() - 30_000);
  });

  it.each([
    ['refuses the symbol', { errors: [{ id: 'invalid_request', message: 'Invalid currency (NOPE)' }] }, 400],
    ['answers for another symbol', rates('USD', { EUR: '0.9' }), 200],
    ['answers numbers', rates('ETH', { EUR: 2512.31 }), 200],
    ['answers null', null, 200],
  ])('has no price if it %s', async (_, body, status) => {
    answers(body, status);

    await expect(coinbase()).rejects.toBeInstanceOf(NoSuchPriceError);
  });

  it.each([
    ['forbids', '<html>', 403],
    ['requires a token', { errors: [{ id: 'invalid_token', message: 'The access token is invalid' }] }, 401],
    ['refuses something else', { errors: [{ id: 'invalid_request', message: 'Invalid version' }] }, 400],
  ])('is unavailable if it %s', async (_, body, status) => {
    answers(body, status);

    await expect(coinbase()).rejects.toThrow(new PriceSourceDownError(`HTTP status ${status}`));
  });
});

describe('A ticker', () => {
  it('is unavailable if the answer exceeds 256 kB', async () => {
    answers(rates('ETH', { EUR: '1', padding: 'x'.repeat(256 * 1024) }));

    await expect(coinbase()).rejects.toThrow('exceeds 262144 bytes');
  });

  it.each([
    ['says nothing', () => undefined],
    [
      'stops in the middle',
      (_: IncomingMessage, response: ServerResponse) => void response.write('{"data":'),
    ],
  ])('is unavailable if it %s until the timeout', async (_, silence) => {
    answer = silence;

    const price = new CoinbaseRates(base).query('ETH', AbortSignal.timeout(50));

    await expect(price).rejects.toThrow('did not respond completely in time');
  });
});
