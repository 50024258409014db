import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Source = 'kraken' | 'coinbase';
/** What each source says; null where it is down. */
export type Quoted = Readonly<Record<Source, string | null>>;

/** Two tickers on this machine that answer as Kraken and Coinbase do. */
export class RateServer {
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

  /** Settings of a service that asks these two. */
  get settings(): Record<string, string> {
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return { RATE_KRAKEN_URL: `${url}/kraken`, RATE_COINBASE_URL: `${url}/coinbase` };
  }

  /** What one unit of the asset costs from now on, for whoever asks. */
  set(symbol: string, currency: string, quoted: Quoted): void {
    this.quoted.set(symbol + currency, quoted);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private tickKraken(response: ServerResponse, pair: string): void {
    const price = this.quoted.get(pair)?.kraken ?? null;
    const side = [price, '1', '1.000'];
    send(response, price !== null, { error: [], result: { [pair]: { a: side, b: side } } });
  }

  private tickCoinbase(response: ServerResponse, symbol: string): void {
    const prices = [...this.quoted].flatMap(([pair, { coinbase }]) =>
      pair.startsWith(symbol) && coinbase !== null ? [[pair.slice(symbol.length), coinbase]] : [],
    );
    const rates = Object.fromEntries(prices) as Record<string, string>;
    send(response, prices.length > 0, { data: { currency: symbol, rates } });
  }
}

function send(response: ServerResponse, isUp: boolean, body: object): void {
  response.writeHead(isUp ? 200 : 503, { 'content-type': 'application/json' });
  response.end(isUp ? JSON.stringify(body) : '');
}
