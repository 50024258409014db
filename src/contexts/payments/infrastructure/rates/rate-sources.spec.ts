import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Clock } from '../../../../shared/kernel/clock.js';
import { rateSources } from './rate-sources.js';
import { RatesSettings } from './rates-settings.js';
import { RememberedExchangeRates } from './remembered-exchange-rates.js';

const NOW = new Date('2030-01-01T00:00:00Z');
const KRAKEN = {
  error: [],
  result: { XETHZEUR: { a: ['2512.40', '1', '1.000'], b: ['2512.20', '1', '1.000'] } },
};
const COINBASE = { data: { currency: 'ETH', rates: { EUR: '2512.31', USD: '2950.12' } } };

class StandingClock extends Clock {
  async now(): Promise<Date> {
    return NOW;
  }
}

async function serve(answer: object): Promise<{ server: Server; url: string }> {
  const server = createServer((_, response) => response.end(JSON.stringify(answer)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

let kraken: { server: Server; url: string };
let coinbase: { server: Server; url: string };
let rates: RememberedExchangeRates;

beforeEach(async () => {
  Logger.overrideLogger(false);
  [kraken, coinbase] = [await serve(KRAKEN), await serve(COINBASE)];
  const settings = new RatesSettings([
    { name: 'kraken', url: kraken.url },
    { name: 'coinbase', url: coinbase.url },
  ]);
  rates = new RememberedExchangeRates(rateSources(settings), settings, new StandingClock());
});
afterEach(async () => {
  await Promise.all([stop(kraken.server), stop(coinbase.server)]);
});

describe('Two public tickers', () => {
  it('agree on a price', async () => {
    expect(await rates.price('ETH', 'EUR')).toEqual({
      price: '2512.305',
      sources: ['coinbase', 'kraken'],
      at: NOW,
    });
  });

  it('may be one, when the other has gone', async () => {
    await stop(kraken.server);

    expect(await rates.price('ETH', 'EUR')).toEqual({ price: '2512.31', sources: ['coinbase'], at: NOW });
  });

  it('leave no price when both have gone', async () => {
    await Promise.all([stop(kraken.server), stop(coinbase.server)]);

    await expect(rates.price('ETH', 'EUR')).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'rate_unavailable',
    });
  });
});
