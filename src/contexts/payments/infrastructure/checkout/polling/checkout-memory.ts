import { LRUCache } from 'lru-cache';
import type { CheckoutView } from '../../../application/requests/checkout-view.js';

/** A session as it was read, and the answer it is told with. Times are milliseconds of real time. */
export interface RememberedCheckout {
  readonly view: CheckoutView;
  readonly readAt: number;
  body: Buffer;
  etag: string;
  renderedAt: number;
  /** The head of its network that the answer counts confirmations from. */
  head: number | undefined;
  askedAt: number;
}

/** The sessions that are being polled: so many at most, those not asked for longest leaving first. */
export class CheckoutMemory {
  private readonly bySession: LRUCache<string, RememberedCheckout>;
  private readonly sessionOf = new Map<string, string>();
  /** Of sessions that may be framed. Outlives the rest, since it is wanted when nothing can be read. */
  private readonly framesOf: LRUCache<string, readonly string[]>;

  constructor(most = 20_000) {
    const dispose = ({ view }: RememberedCheckout) => this.sessionOf.delete(view.id);
    this.bySession = new LRUCache({ max: most, dispose, noDisposeOnSet: true });
    this.framesOf = new LRUCache({ max: most });
  }

  recall(sessionId: string): RememberedCheckout | undefined {
    return this.bySession.get(sessionId);
  }

  keep(remembered: RememberedCheckout): void {
    const { sessionId, id } = remembered.view;
    this.bySession.set(sessionId, remembered);
    this.sessionOf.set(id, sessionId);
  }

  /** As read last; none where it is not known. */
  frameOriginsOf(sessionId: string): readonly string[] {
    return this.framesOf.peek(sessionId) ?? [];
  }

  noteFrameOrigins({ sessionId, frameOrigins }: CheckoutView): void {
    if (frameOrigins.length > 0) this.framesOf.set(sessionId, frameOrigins);
    else this.framesOf.delete(sessionId);
  }

  /** @param id of the payment request */
  forget(id: string): void {
    const sessionId = this.sessionOf.get(id);
    if (sessionId !== undefined) this.bySession.delete(sessionId);
  }

  forgetAll(): void {
    this.bySession.clear();
  }

  /** @param askedBefore those that nobody has asked for since, and @param readBefore those read earlier, are forgotten */
  sweep(askedBefore: number, readBefore: number): void {
    const forgotten: string[] = [];
    for (const { view, askedAt, readAt } of this.bySession.values()) {
      if (askedAt < askedBefore || readAt < readBefore) forgotten.push(view.id);
    }
    for (const id of forgotten) this.forget(id);
  }

  get size(): number {
    return this.bySession.size;
  }

  all(): Iterable<RememberedCheckout> {
    return this.bySession.values();
  }
}
