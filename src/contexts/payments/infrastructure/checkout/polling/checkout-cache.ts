import { LRUCache } from 'lru-cache';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';

/** Times are real time in milliseconds. */
export interface CachedCheckout {
  readonly view: CheckoutView;
  readonly readAt: number;
  body: Buffer;
  etag: string;
  renderedAt: number;
  /** Head from which the confirmations were computed. */
  head: number | undefined;
  /** EIP-712 token domains that were known when the response was rendered. */
  domains: number;
  askedAt: number;
}

/** If it is full, the session that was not polled for longest is evicted. */
export class CheckoutCache {
  private readonly bySession: LRUCache<string, CachedCheckout>;
  private readonly sessionOf = new Map<string, string>();
  /** Kept longer than sessions, for error pages without the database. */
  private readonly framesOf: LRUCache<string, readonly string[]>;

  constructor(max = 20_000) {
    const dispose = ({ view }: CachedCheckout) => this.sessionOf.delete(view.id);
    this.bySession = new LRUCache({ max: max, dispose, noDisposeOnSet: true });
    this.framesOf = new LRUCache({ max });
  }

  find(sessionId: string): CachedCheckout | undefined {
    return this.bySession.get(sessionId);
  }

  keep(remembered: CachedCheckout): void {
    const { sessionId, id } = remembered.view;
    this.bySession.set(sessionId, remembered);
    this.sessionOf.set(id, sessionId);
  }

  frameOriginsOf(sessionId: string): readonly string[] {
    return this.framesOf.peek(sessionId) ?? [];
  }

  storeFrameOrigins({ sessionId, frameOrigins }: CheckoutView): void {
    if (frameOrigins.length > 0) this.framesOf.set(sessionId, frameOrigins);
    else this.framesOf.delete(sessionId);
  }

  forget(id: string): void {
    const sessionId = this.sessionOf.get(id);
    if (sessionId !== undefined) this.bySession.delete(sessionId);
  }

  forgetAll(): void {
    this.bySession.clear();
  }

  /** Both times are milliseconds of real time. */
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

  all(): Iterable<CachedCheckout> {
    return this.bySession.values();
  }
}
