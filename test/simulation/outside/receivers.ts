import type { Receivers } from '../acts/world.js';
import type { DeliveryFact } from '../facts/fact.js';
import type { OutsideAnswer, OutsideRequest } from '../process/network-seam.js';
import type { Random } from '../random.js';

/** A public address: where it leads does not matter, since nothing leaves this process. */
const ORIGIN = 'https://8.8.4.4';

type Behaviour = Parameters<Receivers['behave']>[1];

export class SimulatedReceivers implements Receivers {
  private readonly behaviours = new Map<string, Behaviour>();

  constructor(
    private readonly now: () => number,
    private readonly note: (fact: DeliveryFact) => void,
  ) {}

  open(): string {
    const url = `${ORIGIN}/hooks/${this.behaviours.size + 1}`;
    this.behaviours.set(url, 200);
    return url;
  }

  behave(url: string, how: Behaviour): void {
    this.behaviours.set(url, how);
  }

  recover(): void {
    for (const url of this.behaviours.keys()) this.behaviours.set(url, 200);
  }

  /** @returns null where no answer comes. @throws where the connection breaks; undefined where the URL is no receiver's */
  take({ url, headers, body }: OutsideRequest): OutsideAnswer | null | undefined {
    if (!url.startsWith(`${ORIGIN}/`)) return undefined;
    const how = this.behaviours.get(url) ?? 404;
    const answered = typeof how === 'number' ? how : null;
    this.note({ kind: 'delivery', at: this.now(), url, headers, body, answered });
    if (how === 'breaks') throw Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
    return how === 'silent' ? null : { status: how, headers: {}, text: '' };
  }
}

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
