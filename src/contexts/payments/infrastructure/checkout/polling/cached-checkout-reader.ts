import { createHash } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { EventTail, type TailPoll } from '#shared/platform/event-log/event-tail.js';
import { CheckoutQueries } from '#contexts/payments/application/checkout/checkout-session.js';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';
import { ChangeListeners } from './change-listeners.js';
import { CheckoutCache, type CachedCheckout } from './checkout-cache.js';
import { CheckoutPresenter } from '../../requests/http/checkout-presenter.js';

/** Together with reading the session, a change is visible within 50 ms of its commit. */
const READ_EVENTS_EVERY_MS = 20;
/** If the last event log read is older, the cache is not used. */
const MAX_EVENTS_AGE_MS = 1_000;
const EVICT_UNPOLLED_AFTER_MS = 60_000;
/** A session is closed a day after its end without an event. */
const MAX_CACHED_SESSION_AGE_MS = 10 * 60_000;
const MAX_PRICE_AGE_MS = 5_000;

export interface CheckoutAnswer {
  readonly view: CheckoutView;
  /** Complete response envelope, in UTF-8. */
  readonly body: Buffer;
  /** Strong ETag: every replica returns the same bytes. */
  readonly etag: string;
}

/**
 * The tail of the event log names the requests that changed; their sessions are evicted and read again. A new head
 * only raises confirmations, unless it may have moved the payment's transfer, which no event reports. The tail is
 * read only while a session is cached or a request has a listener.
 */
@Injectable()
export class CachedCheckoutReader implements BeforeApplicationShutdown {
  private readonly memory = new CheckoutCache();
  private readonly listeners = new ChangeListeners();
  private readonly tail: EventTail;
  private heads: { readonly byNetwork: ReadonlyMap<string, number>; readonly at: number } = {
    byNetwork: new Map(),
    at: -Infinity,
  };
  private eventsReadAt = -Infinity;
  private eventReads = 0;
  /** Session reads that began before the last change of their request may be stale. */
  private readonly changedAt = new Map<string, number>();
  private allChangedAt = 0;
  private loop: BackgroundLoop | undefined;
  private currentEventRead: Promise<void> | undefined;

  constructor(
    database: Database,
    private readonly queries: CheckoutQueries,
    private readonly presenter: CheckoutPresenter,
  ) {
    this.tail = new EventTail(database);
    // After a failover, no poll is served from the cache until the tail reports `too_many`, which clears the cache.
    database.identity.onAnotherTimeline(() => (this.eventsReadAt = -Infinity));
  }

  findCached(sessionId: string): CheckoutAnswer | undefined {
    const remembered = this.memory.find(sessionId);
    const now = performance.now();
    if (remembered === undefined || now - this.eventsReadAt > MAX_EVENTS_AGE_MS) return undefined;
    if (this.mayHaveMoved(remembered)) {
      this.memory.forget(remembered.view.id);
      return undefined;
    }
    remembered.askedAt = now;
    this.renderIfStale(remembered, now);
    return remembered;
  }

  async read(sessionId: string): Promise<CheckoutAnswer> {
    await this.followEvents();
    return this.findCached(sessionId) ?? this.readUncached(sessionId);
  }

  /** Serves callers that may just have changed the session: the cache follows a few milliseconds later. */
  async readFromDatabase(sessionId: string): Promise<CheckoutAnswer> {
    await this.followEvents();
    return this.readUncached(sessionId);
  }

  async listen(id: PaymentRequestId, wake: () => void): Promise<() => void> {
    await this.followEvents();
    return this.listeners.add(id, wake);
  }

  /** Works even if the database is unavailable. */
  frameOriginsOf(sessionId: string): readonly string[] {
    return this.memory.frameOriginsOf(sessionId);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  private async readUncached(sessionId: string): Promise<CheckoutAnswer> {
    const begun = this.eventReads;
    const view = await this.queries.get(sessionId);
    this.memory.storeFrameOrigins(view);
    this.presenter.signatures.requestTokenDomains(view);
    const now = performance.now();
    const remembered = { view, readAt: now, askedAt: now, ...this.render(view, now) };
    const changed = Math.max(this.changedAt.get(view.id) ?? 0, this.allChangedAt);
    // An alias is not cached: it ends with the first payment, which the cache would notice later.
    if (changed <= begun && view.isAlias !== true) this.memory.keep(remembered);
    return remembered;
  }

  /** The tail must have a checkpoint before a session is read for the cache. */
  private async followEvents(): Promise<void> {
    if (performance.now() - this.eventsReadAt > MAX_EVENTS_AGE_MS) await this.readEventsOnce();
    if (this.loop !== undefined) return;
    const options = { name: 'polled checkouts', idleMs: READ_EVENTS_EVERY_MS };
    this.loop = new BackgroundLoop(options, async () => {
      if (this.memory.size > 0 || this.listeners.size > 0) await this.readEventsOnce();
      return false;
    });
    this.loop.start();
  }

  /** One read at a time, because the tail has only one checkpoint. */
  private readEventsOnce(): Promise<void> {
    this.currentEventRead ??= this.readEvents().finally(() => (this.currentEventRead = undefined));
    return this.currentEventRead;
  }

  private async readEvents(): Promise<void> {
    const begun = performance.now();
    const [seen, heads] = await Promise.allSettled([this.tail.poll(), this.readHeads()]);
    if (seen.status === 'rejected') throw seen.reason;
    // The tail returns each event only once, so its events must be processed even if reading the heads failed.
    this.forgetChanged(seen.value);
    if (heads.status === 'rejected') throw heads.reason;
    this.heads = heads.value;
    this.eventsReadAt = begun;
    this.memory.sweep(begun - EVICT_UNPOLLED_AFTER_MS, begun - MAX_CACHED_SESSION_AGE_MS);
    this.forgetOldChanges();
  }

  private forgetChanged({ events }: TailPoll): void {
    this.eventReads += 1;
    if (events === 'too_many') {
      this.allChangedAt = this.eventReads;
      this.memory.forgetAll();
      this.listeners.wakeAll();
    } else {
      for (const { aggregateId } of events) this.noteChange(aggregateId);
    }
  }

  private noteChange(id: string): void {
    this.changedAt.delete(id);
    this.changedAt.set(id, this.eventReads);
    this.memory.forget(id);
    this.listeners.wake(id);
  }

  /** A session read that began 1,000 event log reads ago has timed out. */
  private forgetOldChanges(): void {
    for (const [id, at] of this.changedAt) {
      if (at > this.eventReads - 1_000) return;
      this.changedAt.delete(id);
    }
  }

  private async readHeads() {
    for (const { view } of this.memory.all()) {
      const at = performance.now();
      if (isConfirming(view)) return { byNetwork: await this.queries.newestReadBlocks(), at };
    }
    return this.heads;
  }

  private renderIfStale(remembered: CachedCheckout, now: number): void {
    const { view } = remembered;
    const moved = isConfirming(view) && this.headOf(view, remembered.readAt) !== remembered.head;
    const aged = hasPrices(view) && now - remembered.renderedAt > MAX_PRICE_AGE_MS;
    this.presenter.signatures.requestTokenDomains(view);
    const learned = remembered.domains !== this.presenter.signatures.knownDomainCount;
    if (moved || aged || learned) Object.assign(remembered, this.render(view, remembered.readAt, now));
  }

  /** A transfer may have moved to another block, or into its first block, without changing the sum. */
  private mayHaveMoved({ view, readAt, head }: CachedCheckout): boolean {
    const newest = view.selected?.transfers.at(-1);
    const now = this.headOf(view, readAt);
    if (newest === undefined || !isConfirming(view) || now === head) return false;
    return newest.blockNumber > now!;
  }

  private render(view: CheckoutView, readAt: number, now = readAt) {
    const head = this.headOf(view, readAt);
    const heads = head === undefined ? undefined : new Map([[view.selected!.network, head]]);
    const envelope = { status: 'success', data: this.presenter.forPayer(view, heads) };
    const body = Buffer.from(JSON.stringify(envelope));
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    return { body, etag, head, renderedAt: now, domains: this.presenter.signatures.knownDomainCount };
  }

  /** The head may decrease after a reorganization. */
  private headOf({ selected }: CheckoutView, readAt: number): number | undefined {
    if (selected === undefined) return undefined;
    const { byNetwork, at } = this.heads;
    return (at > readAt ? byNetwork.get(selected.network) : undefined) ?? selected.headNumber;
  }
}

function isConfirming({ status }: CheckoutView): boolean {
  return status === 'processing';
}

function hasPrices({ status, paymentOptions }: CheckoutView): boolean {
  return (status === 'pending' || status === 'created') && paymentOptions.length > 1;
}
