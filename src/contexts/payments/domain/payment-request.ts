import { AggregateRoot } from '../../../shared/kernel/aggregate-root.js';
import type { PaymentRequestId } from '../../../shared/kernel/ids.js';
import type { PaymentRequestEvent, PaymentRequestStatus } from '../contract/payment-request-events.js';
import { decideOutcome, type ChainProgress, type Outcome } from './outcome.js';
import type { HistoryEntry, PaymentRequestFacts, Unsaved } from './payment-request-facts.js';
import { isTerminal, TRANSITIONS } from './status.js';
import { inChainOrder, type RecordedTransfer, type Transfer } from './transfer.js';

interface Progress {
  status: PaymentRequestStatus;
  receivedAmount: bigint;
  expiresAt: Date;
  countsUntil: Date;
  confirmedAt: Date | null;
  /** Those that count and are canonical, and what was received since the request was loaded. */
  transfers: RecordedTransfer[];
  history: HistoryEntry[];
}

export type PaymentRequestSnapshot = PaymentRequestFacts & Readonly<Progress> & { readonly version: number };

/** One attempt to collect one amount. Everything it decides follows from blocks that were read, never from a timer. */
export class PaymentRequest extends AggregateRoot<PaymentRequestEvent> {
  private constructor(
    readonly facts: PaymentRequestFacts,
    private readonly progress: Progress,
    private readonly version: number,
    private readonly stored: Pick<Progress, 'transfers' | 'history'> = { transfers: [], history: [] },
  ) {
    super();
  }

  /**
   * Opens a request whose asset is known and whose address is assigned.
   * @param windowSeconds how long the payer has, from creation
   * @param inclusionGraceSeconds the network's, added to the deadline for a block's timestamp
   */
  static open(
    facts: PaymentRequestFacts,
    windowSeconds: number,
    inclusionGraceSeconds: number,
  ): PaymentRequest {
    const expiresAt = secondsAfter(facts.createdAt, windowSeconds);
    const request = new PaymentRequest(
      facts,
      {
        status: 'created',
        receivedAmount: 0n,
        expiresAt,
        countsUntil: secondsAfter(expiresAt, inclusionGraceSeconds),
        confirmedAt: null,
        transfers: [],
        history: [{ status: 'created', at: facts.createdAt }],
      },
      1,
    );
    request.announce('created', facts.createdAt);
    return request;
  }

  /** For the repository alone. */
  static restore(snapshot: PaymentRequestSnapshot): PaymentRequest {
    const {
      status,
      receivedAmount,
      expiresAt,
      countsUntil,
      confirmedAt,
      transfers,
      history,
      version,
      ...facts
    } = snapshot;
    const stored = { transfers: [...transfers], history: [...history] };
    const progress = {
      ...{ status, receivedAmount, expiresAt, countsUntil, confirmedAt },
      ...{ transfers: [...transfers], history: [...history] },
    };
    return new PaymentRequest(facts, progress, version, stored);
  }

  snapshot(): PaymentRequestSnapshot {
    return { ...this.facts, ...this.progress, version: this.version };
  }

  /** For the repository alone. */
  unsaved(): Unsaved {
    const counted = new Map(this.stored.transfers.map((transfer) => [transfer.id, transfer.counted]));
    return {
      transfers: this.progress.transfers.filter((transfer) => counted.get(transfer.id) !== transfer.counted),
      history: this.progress.history
        .map((entry, position) => ({ ...entry, step: position + 1 }))
        .slice(this.stored.history.length),
    };
  }

  get id(): PaymentRequestId {
    return this.facts.id;
  }

  /** A transfer to this request's address stands in a block. It counts when in time, in the asset, before the outcome. */
  receive(transfer: Transfer, now: Date): void {
    const counted =
      !isTerminal(this.progress.status) &&
      transfer.uniqueAssetId === this.facts.uniqueAssetId &&
      transfer.blockTime <= this.progress.countsUntil;
    this.progress.transfers.push({ ...transfer, counted });
    if (!counted) return;
    this.progress.receivedAmount += transfer.amount;
    if (this.progress.status === 'created') this.become('processing', now);
  }

  /**
   * Transfers were reorganised away: they no longer count. The status stays, silently.
   * @param lost as they were recorded before
   * @returns those that had been part of an outcome already, which un-counting cannot undo
   */
  lose(lost: readonly RecordedTransfer[]): RecordedTransfer[] {
    const ids = new Set(lost.map((transfer) => transfer.id));
    this.progress.transfers = this.progress.transfers.filter((transfer) => !ids.has(transfer.id));
    const counted = lost.filter((transfer) => transfer.counted);
    if (this.progress.confirmedAt !== null) return counted;
    for (const transfer of counted) this.progress.receivedAmount -= transfer.amount;
    return [];
  }

  /** The network was read further: decides the request if its time has come. */
  follow(chain: ChainProgress, now: Date): void {
    if (isTerminal(this.progress.status)) return;
    const counted = this.progress.transfers.filter((transfer) => transfer.counted);
    const outcome = decideOutcome(
      { amount: this.facts.amount, countsUntil: this.progress.countsUntil },
      counted,
      chain,
    );
    if (outcome === null) {
      // Nothing was ever seen, so nothing can be waiting for its finality: the read head is enough.
      if (this.progress.status === 'created' && chain.headTime > this.progress.countsUntil)
        this.become('expired', now);
    } else if (outcome.status === 'expired') {
      this.become('expired', now);
    } else {
      this.conclude(outcome, now);
    }
  }

  /**
   * Ends the window now: a physical point of sale has one open request. It then ends by the usual rule.
   * @param now may lie before this request's birth, when the one that replaces it was asked for first
   */
  closeWindow(now: Date): void {
    if (this.progress.status !== 'created' || this.progress.expiresAt <= now) return;
    const grace = this.progress.countsUntil.getTime() - this.progress.expiresAt.getTime();
    this.progress.expiresAt = now < this.facts.createdAt ? this.facts.createdAt : now;
    this.progress.countsUntil = new Date(this.progress.expiresAt.getTime() + grace);
  }

  /** Ends it where no retry can cure: its asset or network was withdrawn. What was decided already stays. */
  fail(now: Date): void {
    if (!isTerminal(this.progress.status)) this.become('failed', now);
  }

  private conclude(outcome: Exclude<Outcome, { status: 'expired' }>, now: Date): void {
    const part = new Set(outcome.by.map((transfer) => transfer.id));
    this.progress.transfers = this.progress.transfers.map((t) => ({ ...t, counted: part.has(t.id) }));
    this.progress.receivedAmount = outcome.received;
    this.become(outcome.status, now);
    this.progress.confirmedAt = now;
    this.progress.history.push({ status: 'confirmed', at: now });
    const last = [...outcome.by].sort(inChainOrder).at(-1)!;
    const { network, uniqueAssetId, currency, decimals, referenceId, deposit } = this.facts;
    this.record({
      type: 'payment_request.confirmed',
      ...this.eventEnvelope(now),
      data: {
        network,
        uniqueAssetId,
        currency,
        decimals,
        expectedAmount: this.facts.amount.toString(),
        receivedAmount: outcome.received.toString(),
        feeBasisPoints: deposit.feeBasisPoints,
        ...(referenceId === undefined ? {} : { referenceId }),
        to: deposit.address.toLowerCase(),
        from: last.from,
        transactionHash: last.transactionHash,
      },
    });
  }

  private become(status: PaymentRequestStatus, now: Date): void {
    if (!TRANSITIONS[this.progress.status].includes(status)) {
      throw new Error(`A payment request cannot go from ${this.progress.status} to ${status}.`);
    }
    this.progress.status = status;
    this.progress.history.push({ status, at: now });
    this.announce(status, now);
  }

  private announce(status: PaymentRequestStatus, now: Date): void {
    const { pointOfSaleId, referenceId } = this.facts;
    this.record({
      type: 'payment_request.status_changed',
      ...this.eventEnvelope(now),
      data: {
        status,
        paymentRequestType: 'fixed',
        pointOfSaleId,
        ...(referenceId === undefined ? {} : { referenceId }),
      },
    });
  }

  private eventEnvelope(now: Date) {
    const { id, organizationId, accountId } = this.facts;
    return { aggregateId: id, organizationId, accountId, occurredAt: now };
  }
}

function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}
