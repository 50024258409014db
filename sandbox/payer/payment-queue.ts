import { waitUntil } from '../processes/child-process.js';

export interface OrderedPayment {
  readonly to: string;
  /** Smallest units. */
  readonly amount: bigint;
  /** Earliest time by the chain's clock. Absent: immediately. */
  readonly notBefore?: Date;
}

export interface QueuedWallet<Payment extends OrderedPayment> {
  /** @returns the transaction's hash, once the node has accepted it */
  send(payment: Payment): Promise<string>;
  /**
   * Returns whether the transaction does not have to be sent again.
   * @throws Error if the transaction failed
   */
  isDone(hash: string): Promise<boolean>;
  chainTime(): Promise<Date>;
}

interface Waiting<Payment> {
  readonly payment: Payment;
  tries: number;
  /** The last transaction that the node accepted. */
  hash?: string;
}

const LOOK_EVERY_MS = 250;
const RETRY_AFTER_MS = 1_000;
/** A killed chain node restarts within seconds. */
const MAX_TRIES = 60;
/** A transaction not done by then was lost with its chain node. */
const MINED_WITHIN_MS = 10_000;

/** Sends payments sequentially, because each takes the wallet's next nonce. In memory only. */
export class PaymentQueue<Payment extends OrderedPayment> {
  private readonly waiting: Waiting<Payment>[] = [];
  private readonly worked: Promise<void>;
  private wake: () => void = () => undefined;
  private stopping = false;

  constructor(
    private readonly wallet: QueuedWallet<Payment>,
    private readonly say: (sentence: string) => void,
  ) {
    this.worked = this.work();
  }

  add(payment: Payment): void {
    this.waiting.push({ payment, tries: 0 });
    this.wake();
  }

  /** Finishes the current payment and drops the others. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.worked;
  }

  private async work(): Promise<void> {
    while (!this.stopping) {
      const next = await this.nextDue();
      if (next === undefined) await this.rest(this.waiting.length === 0 ? undefined : LOOK_EVERY_MS);
      else await this.attempt(next);
    }
  }

  /** Removes and returns the first due payment. A payment with a later time does not delay others. */
  private async nextDue(): Promise<Waiting<Payment> | undefined> {
    const isAnyLate = this.waiting.some(({ payment }) => payment.notBefore !== undefined);
    const chainTime = isAnyLate ? await this.wallet.chainTime().catch(() => undefined) : undefined;
    const due = this.waiting.findIndex(({ payment: { notBefore } }) => {
      return notBefore === undefined || (chainTime !== undefined && chainTime >= notBefore);
    });
    return due === -1 ? undefined : this.waiting.splice(due, 1)[0];
  }

  private async attempt(one: Waiting<Payment>): Promise<void> {
    try {
      await this.pay(one);
    } catch (error) {
      one.tries += 1;
      if (one.tries < MAX_TRIES) this.waiting.push(one);
      else this.say(`The sandbox wallet gave up a payment to ${one.payment.to}: ${firstLine(error)}`);
      await this.rest(RETRY_AFTER_MS);
    }
  }

  private async pay(one: Waiting<Payment>): Promise<void> {
    // An earlier attempt may have succeeded, and sending it again would pay twice.
    if (one.hash === undefined || !(await this.isDone(one.hash))) {
      one.hash = await this.wallet.send(one.payment);
    }
    if (!(await this.isDone(one.hash))) throw new Error(`Transaction ${one.hash} is lost.`);
  }

  private async isDone(hash: string): Promise<boolean> {
    let done = false;
    const isOver = async () => this.stopping || (done = await this.wallet.isDone(hash));
    await waitUntil(isOver, { timeoutMs: MINED_WITHIN_MS, everyMs: 100 });
    return done;
  }

  /** Waits until a payment is added, at most `ms` milliseconds. */
  private async rest(ms: number | undefined): Promise<void> {
    if (this.stopping) return;
    await new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
}
