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
  private readonly bySession = new Map<string, RememberedCheckout>();
  private readonly sessionOf = new Map<string, string>();
  /** Of sessions that may be framed. Outlives the rest, since it is wanted when nothing can be read. */
  private readonly framesOf = new Map<string, readonly string[]>();

  constructor(private readonly most = 20_000) {}

  recall(sessionId: string): RememberedCheckout | undefined {
    const remembered = this.bySession.get(sessionId);
    if (remembered === undefined) return undefined;
    // To the end of the map, whose first leaves first.
    this.bySession.delete(sessionId);
    this.bySession.set(sessionId, remembered);
    return remembered;
  }

  keep(remembered: RememberedCheckout): void {
    const { sessionId, id } = remembered.view;
    this.bySession.delete(sessionId);
    this.bySession.set(sessionId, remembered);
    this.sessionOf.set(id, sessionId);
    const [oldest] = this.bySession.values();
    if (this.bySession.size > this.most && oldest !== undefined) this.forget(oldest.view.id);
  }

  /** As read last; none where it is not known. */
  frameOriginsOf(sessionId: string): readonly string[] {
    return this.framesOf.get(sessionId) ?? [];
  }

  noteFrameOrigins({ sessionId, frameOrigins }: CheckoutView): void {
    this.framesOf.delete(sessionId);
    if (frameOrigins.length > 0) this.framesOf.set(sessionId, frameOrigins);
    const [oldest] = this.framesOf.keys();
    if (this.framesOf.size > this.most && oldest !== undefined) this.framesOf.delete(oldest);
  }

  /** @param id of the payment request */
  forget(id: string): void {
    const sessionId = this.sessionOf.get(id);
    if (sessionId === undefined) return;
    this.sessionOf.delete(id);
    this.bySession.delete(sessionId);
  }

  forgetAll(): void {
    this.bySession.clear();
    this.sessionOf.clear();
  }

  /** @param askedBefore those that nobody has asked for since, and @param readBefore those read earlier, are forgotten */
  sweep(askedBefore: number, readBefore: number): void {
    for (const { view, askedAt, readAt } of this.bySession.values()) {
      if (askedAt < askedBefore || readAt < readBefore) this.forget(view.id);
    }
  }

  get size(): number {
    return this.bySession.size;
  }

  all(): Iterable<RememberedCheckout> {
    return this.bySession.values();
  }
}
