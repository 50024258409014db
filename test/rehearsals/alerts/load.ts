import { pause, repeat } from './fault.js';
import type { WatchedWorld } from './watched-world.js';

/** Payment requests begun in a second. */
const RATE = 3;
/** One in so many is paid: each is a transaction of one wallet. */
const PAID_EVERY = 4;
/** Requests that wait for longer hold no more than these connections to the database. */
const MAX_AT_ONCE = 4;

/** The asset has 6 decimals. */
const AMOUNT = { text: '5', units: 5_000_000n };

export interface CreatedRequest {
  readonly id: string;
  readonly address: `0x${string}`;
}

/** A shop whose customers come all the time: requests are created, read and paid, webhooks are received. */
export class Load {
  /** Each failure is a sentence. */
  failures: string[] = [];
  begun = 0;
  private readonly path: string;
  private readonly api;
  private open = 0;

  constructor(private readonly world: WatchedWorld) {
    this.path = `/v1/pos/${world.seed.posId}/payment-request`;
    this.api = world.api;
  }

  /** @returns what ends it */
  start(): () => Promise<void> {
    return repeat(async () => {
      if (this.open < MAX_AT_ONCE) void this.one(this.begun++);
      await pause(1_000 / RATE);
    });
  }

  create(): Promise<CreatedRequest> {
    return this.api.post(this.path, { amount: AMOUNT.text, unique_asset_id: this.world.asset.id });
  }

  async pay({ address }: CreatedRequest): Promise<void> {
    await this.world.wallet.send(this.world.asset.token, address, AMOUNT.units);
  }

  async statusOf({ id }: CreatedRequest): Promise<string> {
    return (await this.api.get<{ status: string }>(`${this.path}/${id}`)).status;
  }

  private async one(number: number): Promise<void> {
    this.open += 1;
    try {
      const request = await this.create();
      await this.statusOf(request);
      if (number % PAID_EVERY === 0) await this.pay(request);
    } catch (error) {
      this.failures.push(String(error));
    } finally {
      this.open -= 1;
    }
  }
}
