import { setTimeout as pause } from 'node:timers/promises';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { KillableSandbox } from '../../faults/killable-sandbox.js';
import { units, type Order } from '../../faults/orders.js';
import { eventually } from '../../support/eventually.js';
import type { ReplicatedWorld } from './failover-world.js';
import type { RehearsedShop } from '../rehearsed-shop.js';

const CLIENTS = 4;
const PAUSE_MS = 100;
/** One in so many is paid; the others stay open. */
const PAID_EVERY = 10;
/** Little enough for the payer's coins to last. */
const AMOUNT = '1.25';
/** A client stops waiting then, and repeats. */
const ANSWERED_WITHIN = 30_000;

export interface Acknowledged {
  /** Idempotency key and reference. */
  readonly key: string;
  readonly request: PaymentRequestDto;
  /** When the answered attempt began and ended, by `performance.now()`. */
  readonly begun: number;
  readonly ended: number;
}

/** Clients that create payment requests, each under a key that is repeated until it is acknowledged, and pay some of them. */
export class CreationLoad {
  readonly acknowledged: Acknowledged[] = [];
  readonly paid: Order[] = [];
  /** Answers other than 200, by status and code. */
  readonly refusals = new Map<string, number>();
  private token: Promise<string> | undefined;
  private isOver = false;
  private isAbandoned = false;
  private clients: Promise<unknown> = Promise.resolve();
  private readonly payments: Promise<void>[] = [];

  private constructor(
    private readonly sandbox: KillableSandbox,
    private readonly shop: RehearsedShop,
    private readonly name: string,
  ) {}

  /** @param name begins its keys, so that each load has its own */
  static begin({ rehearsal, sandbox, shop }: ReplicatedWorld, name: string, clients = CLIENTS): CreationLoad {
    const load = new CreationLoad(sandbox, shop, name);
    rehearsal.atEnd(() => load.abandon());
    load.clients = Promise.all(Array.from({ length: clients }, (_, client) => load.run(client)));
    return load;
  }

  /** Until so many more than now are acknowledged. */
  async more(count: number): Promise<void> {
    const before = this.acknowledged.length;
    await eventually(() => this.acknowledged.length >= before + count, Boolean, 180_000);
  }

  /** @returns after how many seconds from then on the first attempt that began later was acknowledged */
  async answersAgain(since: number): Promise<number> {
    const first = () => this.acknowledged.find(({ begun }) => begun > since);
    return (await eventually(first, Boolean, 180_000))!.ended / 1_000 - since / 1_000;
  }

  /** Each client is acknowledged what it has asked for, and every payment is in a block. */
  async end(): Promise<void> {
    this.isOver = true;
    await this.clients;
    await Promise.all(this.payments);
  }

  /** Ends it, with requests that nobody has acknowledged. */
  private abandon(): Promise<unknown> {
    [this.isOver, this.isAbandoned] = [true, true];
    return Promise.allSettled([this.clients, ...this.payments]);
  }

  /** One attempt. @returns the answer's object, or status and code of the refusal */
  async attempt(key: string): Promise<PaymentRequestDto | string> {
    const { api_url, api_key, pos_id } = this.sandbox.file;
    const body = { amount: AMOUNT, unique_asset_id: this.sandbox.usdc.unique_asset_id, reference_id: key };
    try {
      this.token ??= this.sandbox.api().proof();
      const headers = { authorization: `Bearer ${await this.token}`, 'x-service-api-key': api_key };
      const response = await fetch(`${api_url}/v1/pos/${pos_id}/payment-request`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWERED_WITHIN),
      });
      const answer = (await response.json()) as { data: PaymentRequestDto; code?: string };
      if (response.ok) return answer.data;
      if (response.status === 401) this.token = undefined;
      return `${response.status} ${answer.code}`;
    } catch (error) {
      this.token = undefined;
      return (error as Error).name === 'TimeoutError' ? 'no answer in time' : 'no answer';
    }
  }

  private async run(client: number): Promise<void> {
    for (let n = 0; !this.isOver; n += 1) await this.create(`${this.name}-${client}-${n}`);
  }

  private async create(key: string): Promise<void> {
    while (!this.isAbandoned) {
      const begun = performance.now();
      const answer = await this.attempt(key);
      if (typeof answer !== 'string') {
        this.acknowledged.push({ key, request: answer, begun, ended: performance.now() });
        if (this.acknowledged.length % PAID_EVERY === 0) this.pay(answer);
        return pause(PAUSE_MS);
      }
      this.refusals.set(answer, (this.refusals.get(answer) ?? 0) + 1);
      await pause(PAUSE_MS);
    }
  }

  private pay(request: PaymentRequestDto): void {
    const order: Order = { manner: 'exactly', request, parts: [units(request.amount)], hashes: [] };
    this.paid.push(order);
    this.payments.push(this.shop.pay(order));
  }
}
