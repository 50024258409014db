import PQueue from 'p-queue';
import { tokenOf, type PayerWallet } from '#sandbox/payer/payer-wallet.js';
import type { KillableSandbox } from '../faults/killable-sandbox.js';
import { MerchantReceiver, type ReceivedDelivery } from '../faults/merchant-receiver.js';
import { promised, Shop, type Order } from '../faults/orders.js';
import { eventually } from '../support/eventually.js';
import type { Rehearsal } from './rehearsal.js';

const WITHIN_MS = 180_000;

/** The sandbox's shop, its payer and an endpoint of its webhooks. */
export class RehearsedShop {
  private readonly wallet: PayerWallet;
  /** One at a time: the wallet asks the chain for its next nonce. */
  private readonly sendings = new PQueue({ concurrency: 1 });

  private constructor(
    private readonly rehearsal: Rehearsal,
    private readonly sandbox: KillableSandbox,
    private readonly receiver: MerchantReceiver,
    private readonly shop: Shop,
  ) {
    this.wallet = sandbox.wallet();
  }

  static async open(rehearsal: Rehearsal, sandbox: KillableSandbox): Promise<RehearsedShop> {
    const receiver = await MerchantReceiver.register(sandbox);
    rehearsal.atEnd(() => receiver.close());
    return new RehearsedShop(rehearsal, sandbox, receiver, new Shop(sandbox));
  }

  asked(amount?: string): Promise<Order> {
    return this.shop.order('exactly', amount);
  }

  /** Until it is in a block: a chain that stops loses what is in none. */
  async pay(order: Order): Promise<void> {
    await this.send(order);
    await this.wallet.mined(order.hashes[0]!);
  }

  /** An order whose payment is sent. */
  async paid(amount?: string): Promise<Order> {
    const order = await this.asked(amount);
    await this.send(order);
    return order;
  }

  /** @returns the request's status, or the sentence by which it is refused */
  statusOf({ request }: Order): Promise<string> {
    return this.shop.read(request.id).then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
  }

  /** All that its endpoint has got until now. */
  received(): readonly ReceivedDelivery[] {
    return this.receiver.deliveries;
  }

  /** Completed, posted once, delivered to the settlement address, and its endpoint was notified. */
  async through(orders: readonly Order[]): Promise<void> {
    const token = tokenOf(this.sandbox.usdc.unique_asset_id);
    for (const order of orders) {
      const { id, address } = order.request;
      const held = () => this.wallet.balance(token, address as `0x${string}`);
      await eventually(
        () => this.statusOf(order),
        (status) => status === promised(order).status,
        WITHIN_MS,
      );
      await eventually(held, (balance) => balance === 0n, WITHIN_MS);
      await eventually(() => this.receiver.of(id).some(({ status }) => status === 'completed'));
      const posted = await eventually(
        () => this.shop.transactionsOf(id),
        ({ length }) => length > 0,
      );
      this.rehearsal.demand(posted.length === 1, `one transaction of ${id}, not ${posted.length}`);
    }
  }

  /** Stored data among themselves, then all of them beside the chain. */
  async verify(): Promise<void> {
    const { exitCode, broken } = await this.sandbox.verify();
    this.rehearsal.demand(exitCode === 0, JSON.stringify(broken));
    const audit = await this.sandbox.operator('verify', '--chain', '--all');
    this.rehearsal.demand(audit.exitCode === 0, audit.answer);
    this.rehearsal.step('`verify` and `verify --chain --all` find nothing.');
  }

  private send(order: Order): Promise<void> {
    return this.sendings.add(() => this.shop.payNextPart(order));
  }
}
