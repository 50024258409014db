import { deliveryReport } from './delivery-report.js';
import { verifyDelivery, type RawDelivery } from './verify-delivery.js';

/** Ids remembered; the oldest are forgotten first. */
const MAX_IDS = 10_000;

export interface DeliveryHandlerOptions {
  /** HTTP status for every delivery; absent: 200 for what verifies, 401 for the rest. */
  answer?: number | undefined;
  show(report: string): void;
  /** Signatures become too old by this clock; absent: real time. */
  clock?: (() => Promise<Date>) | undefined;
}

/** Verifies and shows each delivery, and counts those that came before. */
export class DeliveryHandler {
  private readonly timesSeen = new Map<string, number>();
  /** A delivery can arrive before the answer with the secret. */
  private readonly secrets: Promise<readonly string[]>;
  private provideSecrets!: (secrets: readonly string[]) => void;

  constructor(private readonly options: DeliveryHandlerOptions) {
    this.secrets = new Promise((resolve) => (this.provideSecrets = resolve));
  }

  /** Deliveries wait until it is called. */
  verifyWith(secrets: readonly string[]): void {
    this.provideSecrets(secrets);
  }

  /** @returns the HTTP status to answer */
  async handle(received: RawDelivery): Promise<number> {
    const at = (await this.options.clock?.()) ?? new Date();
    const judgement = verifyDelivery(received, await this.secrets, at);
    const answered = this.options.answer ?? (judgement.verified ? 200 : 401);
    // Any sender can claim an id; only that of a verified delivery counts.
    const seenBefore = judgement.verified ? this.countEarlier(received.headers['webhook-id']?.toString()) : 0;
    this.options.show(deliveryReport({ received, verification: judgement, at, answered, seenBefore }));
    return answered;
  }

  /** @returns how often the id was seen before */
  private countEarlier(id: string | undefined): number {
    if (id === undefined) return 0;
    const times = this.timesSeen.get(id) ?? 0;
    this.timesSeen.delete(id);
    this.timesSeen.set(id, times + 1);
    if (this.timesSeen.size > MAX_IDS) this.timesSeen.delete(this.timesSeen.keys().next().value!);
    return times;
  }
}
