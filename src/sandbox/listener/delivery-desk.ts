import { deliveryReport } from './delivery-report.js';
import { judgeDelivery, type Received } from './judge-delivery.js';

/** Ids remembered; the oldest are forgotten first. */
const MOST_IDS = 10_000;

export interface DeliveryDeskOptions {
  /** HTTP status for every delivery; absent: 200 for what verifies, 401 for the rest. */
  answer?: number | undefined;
  show(report: string): void;
}

/** Verifies and shows what arrives, and remembers what has arrived before. */
export class DeliveryDesk {
  private readonly timesSeen = new Map<string, number>();
  /** A delivery can arrive before the answer that brings the secret. */
  private readonly secrets: Promise<readonly string[]>;
  private tell!: (secrets: readonly string[]) => void;

  constructor(private readonly options: DeliveryDeskOptions) {
    this.secrets = new Promise((resolve) => (this.tell = resolve));
  }

  /** Deliveries wait until it is called. */
  verifyWith(secrets: readonly string[]): void {
    this.tell(secrets);
  }

  /** @returns the HTTP status to answer */
  async take(received: Received): Promise<number> {
    const at = new Date();
    const judgement = judgeDelivery(received, await this.secrets, at);
    const answered = this.options.answer ?? (judgement.verified ? 200 : 401);
    // Anybody may claim an id; only a delivery that verifies has one.
    const seenBefore = judgement.verified ? this.seen(received.headers['webhook-id']?.toString()) : 0;
    this.options.show(deliveryReport({ received, judgement, at, answered, seenBefore }));
    return answered;
  }

  /** @returns how often it was seen before this time */
  private seen(id: string | undefined): number {
    if (id === undefined) return 0;
    const times = this.timesSeen.get(id) ?? 0;
    this.timesSeen.delete(id);
    this.timesSeen.set(id, times + 1);
    if (this.timesSeen.size > MOST_IDS) this.timesSeen.delete(this.timesSeen.keys().next().value!);
    return times;
  }
}
