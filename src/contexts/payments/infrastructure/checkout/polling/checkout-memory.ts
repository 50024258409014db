import { LRUCache } from 'lru-cache';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';

/** A session as it was read, and the answer to its polls. Times are milliseconds of real time. */
export interface RememberedCheckout {
  readonly view: CheckoutView;
  readonly readAt: number;
  body: Buffer;
  etag: string;
  renderedAt: number;
  /** The head of its network that the answer counts confirmations from. */
  head: number | undefined;
  /** How many domains of tokens were known to whoever rendered it. */
  domains: number;
  askedAt: number;
}

/** The sessions that are being polled, bounded: the session not polled for longest is evicted first. */
export class CheckoutMemory {
  private readonly bySession: LRUCache<string, RememberedCheckout>;
  private readonly sessionOf = new Map<string, string>();
  /** Sites that may frame a session's page, by session. It outlives the rest: error pages need it while the database is away. */
  private readonly framesOf: LRUCache<string, readonly string[]>;

  constructor(max = 20_000) {
    const dispose = ({ view }: RememberedCheckout) => this.sessionOf.delete(view.id);
    this.bySession = new LRUCache({ max: max, dispose, noDisposeOnSet: true });
    this.framesOf = new LRUCache({ max });
  }

  recall(sessionId: string): RememberedCheckout | undefined {
    return this.bySession.get(sessionId);
  }

  keep(remembered: RememberedCheckout): void {
    const { sessionId, id } = remembered.view;
    this.bySession.set(sessionId, remembered);
    this.sessionOf.set(id, sessionId);
  }

  /** The sites that were read last; empty for an unknown session. */
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

  /** Forgets sessions last polled before `askedBefore` or read before `readBefore`, in milliseconds of real time. */
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
