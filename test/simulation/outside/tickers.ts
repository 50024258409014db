import type { OutsideAnswer, OutsideRequest } from '../process/network-seam.js';
import type { Random } from '../random.js';

/** The first price of one ether, in hundredths of a dollar. */
const FIRST_PRICE = 300_000;
const LEAST_PRICE = 1_000;
const STABLE = ['USDC', 'USDT', 'DAI'];

export class SimulatedTickers {
  private cents = FIRST_PRICE;

  constructor(private readonly random: Random) {}

  /** @returns undefined where the URL is no ticker's */
  answer({ url }: OutsideRequest): OutsideAnswer | undefined {
    const { hostname, searchParams } = new URL(url);
    if (hostname === 'api.kraken.com') return json(this.kraken(searchParams.get('pair') ?? ''));
    if (hostname === 'api.coinbase.com') return json(this.coinbase(searchParams.get('currency') ?? ''));
    return undefined;
  }

  private kraken(pair: string): object {
    if (pair !== 'ETHUSD') return { error: ['EQuery:Unknown asset pair'] };
    const side = [this.price(), '1', '1.000'];
    return { error: [], result: { [pair]: { a: side, b: side } } };
  }

  private coinbase(currency: string): object {
    const rates = STABLE.includes(currency) ? { USD: '1' } : currency === 'ETH' ? { USD: this.price() } : {};
    return { data: { currency, rates } };
  }

  private price(): string {
    this.cents = Math.max(LEAST_PRICE, this.cents + this.random.whole(-200, 200));
    return `${Math.floor(this.cents / 100)}.${String(this.cents % 100).padStart(2, '0')}`;
  }
}

function json(body: object): OutsideAnswer {
  return { status: 200, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) };
}
