import { createHash } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { EventTail, type TailPoll } from '#shared/platform/event-log/event-tail.js';
import { CheckoutQueries } from '#contexts/payments/application/checkout/checkout-session.js';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';
import { ChangeListeners } from './change-listeners.js';
import { CheckoutMemory, type RememberedCheckout } from './checkout-memory.js';
import { CheckoutPresenter } from '../../requests/http/checkout-presenter.js';

/** Pause between two reads of the event log. Together with reading the session, a change is visible within 50 ms of its commit. */
const POLL_EVERY_MS = 20;
/** The cache is used only if the event log was read within this time. */
const MEMORY_HOLDS_MS = 1_000;
const UNPOLLED_MS = 60_000;
/** Sessions are closed a day after their end by the clock, without an event. */
const READ_AGAIN_MS = 10 * 60_000;
/** Maximum age of the prices of options that can still be selected. */
const PRICES_MS = 5_000;

export interface CheckoutAnswer {
  readonly view: CheckoutView;
  /** Complete response envelope, in UTF-8. */
  readonly body: Buffer;
  /** Strong ETag: every replica returns the same bytes. */
  readonly etag: string;
}

/**
 * Responds to polls of checkout sessions from a cache. The tail of the event log names the requests that changed; their sessions are
 * removed and read again. New heads of the networks raise confirmations without a read, but a session is read again if a new head may
 * have included its payment in a block or removed it, because no event reports that. The tail is read only while a session is cached or
 * a request has a listener.
 */
@Injectable()
export class LiveCheckouts implements BeforeApplicationShutdown {
  private readonly memory = new CheckoutMemory();
  private readonly listeners = new ChangeListeners();
  private readonly tail: EventTail;
  private heads: { readonly byNetwork: ReadonlyMap<string, number>; readonly at: number } = {
    byNetwork: new Map(),
    at: -Infinity,
  };
  private lookedAt = -Infinity;
  private looks = 0;
  /** Number of the log read that last named a request. A session whose read began earlier may be stale. */
  private readonly changedAt = new Map<string, number>();
  private manyChangedAt = 0;
  private loop: BackgroundLoop | undefined;
  private looking: Promise<void> | undefined;

  constructor(
    database: Database,
    private readonly queries: CheckoutQueries,
    private readonly presenter: CheckoutPresenter,
  ) {
    this.tail = new EventTail(database);
    // The tail then reports `too_many`, which clears the cache. Until then, no poll is served from the cache.
    database.identity.onAnotherTimeline(() => (this.lookedAt = -Infinity));
  }

  /** Reads only the cache, without SQL; undefined if the cache may be stale. */
  recall(sessionId: string): CheckoutAnswer | undefined {
    const remembered = this.memory.recall(sessionId);
    const now = performance.now();
    if (remembered === undefined || now - this.lookedAt > MEMORY_HOLDS_MS) return undefined;
    if (this.mayHaveMoved(remembered)) {
      this.memory.forget(remembered.view.id);
      return undefined;
    }
    remembered.askedAt = now;
    this.renew(remembered, now);
    return remembered;
  }

  /** @throws not_found */
  async read(sessionId: string): Promise<CheckoutAnswer> {
    await this.follow();
    return this.recall(sessionId) ?? this.readNow(sessionId);
  }

  /** Bypasses the cache, for callers that may just have changed the session: the cache follows a few milliseconds later. */
  async readFromDatabase(sessionId: string): Promise<CheckoutAnswer> {
    await this.follow();
    return this.readNow(sessionId);
  }

  /**
   * Calls `wake` after each later commit that changes the request.
   * @returns a function that removes the listener
   */
  async listen(id: PaymentRequestId, wake: () => void): Promise<() => void> {
    await this.follow();
    return this.listeners.add(id, wake);
  }

  /** Most recently read sites that may frame the page. Reads only the cache, so it works if the database is unavailable. */
  frameOriginsOf(sessionId: string): readonly string[] {
    return this.memory.frameOriginsOf(sessionId);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  private async readNow(sessionId: string): Promise<CheckoutAnswer> {
    const begun = this.looks;
    const view = await this.queries.get(sessionId);
    this.memory.noteFrameOrigins(view);
    this.presenter.signatures.learn(view);
    const now = performance.now();
    const remembered = { view, readAt: now, askedAt: now, ...this.render(view, now) };
    const changed = Math.max(this.changedAt.get(view.id) ?? 0, this.manyChangedAt);
    // An alias ends with the first payment, which the cache learns later.
    if (changed <= begun && view.isAlias !== true) this.memory.keep(remembered);
    return remembered;
  }

  /** The tail's checkpoint must be set before a session is read for the cache. */
  private async follow(): Promise<void> {
    if (performance.now() - this.lookedAt > MEMORY_HOLDS_MS) await this.look();
    if (this.loop !== undefined) return;
    const options = { name: 'polled checkouts', idleMs: POLL_EVERY_MS };
    this.loop = new BackgroundLoop(options, async () => {
      if (this.memory.size > 0 || this.listeners.size > 0) await this.look();
      return false;
    });
    this.loop.start();
  }

  /** Runs one read at a time, because the tail holds its checkpoint. */
  private look(): Promise<void> {
    this.looking ??= this.readEvents().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async readEvents(): Promise<void> {
    const begun = performance.now();
    const [seen, heads] = await Promise.allSettled([this.tail.poll(), this.readHeads()]);
    if (seen.status === 'rejected') throw seen.reason;
    // The tail returns each event only once, so its events must be processed even if reading the heads failed.
    this.forgetChanged(seen.value);
    if (heads.status === 'rejected') throw heads.reason;
    this.heads = heads.value;
    this.lookedAt = begun;
    this.memory.sweep(begun - UNPOLLED_MS, begun - READ_AGAIN_MS);
    this.forgetOldChanges();
  }

  private forgetChanged({ events }: TailPoll): void {
    this.looks += 1;
    if (events === 'too_many') {
      this.manyChangedAt = this.looks;
      this.memory.forgetAll();
      this.listeners.wakeAll();
    } else {
      for (const { aggregateId } of events) this.noteChange(aggregateId);
    }
  }

  private noteChange(id: string): void {
    this.changedAt.delete(id);
    this.changedAt.set(id, this.looks);
    this.memory.forget(id);
    this.listeners.wake(id);
  }

  /** Any session read that is older than this many log reads has timed out. */
  private forgetOldChanges(): void {
    for (const [id, at] of this.changedAt) {
      if (at > this.looks - 1_000) return;
      this.changedAt.delete(id);
    }
  }

  private async readHeads() {
    for (const { view } of this.memory.all()) {
      const at = performance.now();
      if (isConfirming(view)) return { byNetwork: await this.queries.heads(), at };
    }
    return this.heads;
  }

  private renew(remembered: RememberedCheckout, now: number): void {
    const { view } = remembered;
    const moved = isConfirming(view) && this.headOf(view, remembered.readAt) !== remembered.head;
    const aged = hasPrices(view) && now - remembered.renderedAt > PRICES_MS;
    this.presenter.signatures.learn(view);
    const learned = remembered.domains !== this.presenter.signatures.known;
    if (moved || aged || learned) Object.assign(remembered, this.render(view, remembered.readAt, now));
  }

  /** True if a transfer of the session may have moved to another block, or into its first block, without changing the sum. */
  private mayHaveMoved({ view, readAt, head }: RememberedCheckout): boolean {
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
    return { body, etag, head, renderedAt: now, domains: this.presenter.signatures.known };
  }

  /** The most recently read head: from the view or a later read. It may decrease after a reorganization. */
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
