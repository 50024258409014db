import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer } from '#sandbox/processes/loopback-server.js';

type Source = 'kraken' | 'coinbase';
/** Each source says one price. */
export type Quoted = Readonly<Record<Source, string>>;

/** Two tickers on this machine that answer as Kraken and Coinbase do. */
export class RateServer {
  /** Who answers nothing but 503. */
  readonly down = new Set<Source>();
  private readonly quoted = new Map<string, Quoted>();

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<RateServer> {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
      if (pathname === '/kraken/0/public/Ticker') rates.tickKraken(response, searchParams.get('pair')!);
      else rates.tickCoinbase(response, searchParams.get('currency')!);
    });
    const rates = new RateServer(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return rates;
  }

  get settings(): Record<string, string> {
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return { RATE_KRAKEN_URL: `${url}/kraken`, RATE_COINBASE_URL: `${url}/coinbase` };
  }

  set(symbol: string, currency: string, quoted: Quoted): void {
    this.quoted.set(symbol + currency, quoted);
  }

  close(): Promise<void> {
    return closeServer(this.server);
  }

  private tickKraken(response: ServerResponse, pair: string): void {
    const price = this.quoted.get(pair)?.kraken;
    const side = [price, '1', '1.000'];
    const known = { error: [], result: { [pair]: { a: side, b: side } } };
    this.send('kraken', response, price === undefined ? { error: ['EQuery:Unknown asset pair'] } : known);
  }

  private tickCoinbase(response: ServerResponse, symbol: string): void {
    const pairs = [...this.quoted].filter(([pair]) => pair.startsWith(symbol));
    const rates = Object.fromEntries(
      pairs.map(([pair, { coinbase }]) => [pair.slice(symbol.length), coinbase]),
    );
    this.send('coinbase', response, { data: { currency: symbol, rates } });
  }

  private send(source: Source, response: ServerResponse, body: object): void {
    response.writeHead(this.down.has(source) ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }
}
