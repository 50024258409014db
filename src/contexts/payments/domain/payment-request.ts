import { AggregateRoot } from '../../../shared/kernel/aggregate-root.js';
import type {
  AccountId,
  OrganizationId,
  PaymentRequestId,
  PointOfSaleId,
  SettlementTermsId,
} from '../../../shared/kernel/ids.js';
import type { PaymentRequestEvent, PaymentRequestStatus } from '../contract/payment-request-events.js';
import { decideOutcome, type ChainProgress, type Outcome } from './outcome.js';
import { isTerminal, TRANSITIONS, type HistoryStatus } from './status.js';
import { inChainOrder, type RecordedTransfer, type Transfer } from './transfer.js';

/** What the deposit address commits to (decisions.md section 8). Addresses in EIP-55 spelling. */
export interface Deposit {
  readonly address: string;
  readonly factory: string;
  readonly implementation: string;
  readonly settlementTermsId: SettlementTermsId;
  readonly settlementAddress: string;
  readonly feeRecipient: string;
  readonly feeBasisPoints: number;
  /** EIP-155 */
  readonly homeChainId: number;
}

export interface PaymentRequestFacts {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  /** Smallest units. */
  readonly amount: bigint;
  readonly referenceId?: string;
  readonly order?: object;
  readonly deposit: Deposit;
  readonly createdAt: Date;
}

export interface HistoryEntry {
  readonly status: HistoryStatus;
  readonly at: Date;
}

interface Progress {
  status: PaymentRequestStatus;
  receivedAmount: bigint;
  expiresAt: Date;
  countsUntil: Date;
  confirmedAt: Date | null;
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
    return new PaymentRequest(
      snapshot,
      { ...snapshot, transfers: [...snapshot.transfers], history: [...snapshot.history] },
      snapshot.version,
    );
  }

  snapshot(): PaymentRequestSnapshot {
    return { ...this.facts, ...this.progress, version: this.version };
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
   * @returns those that had been part of an outcome already, which un-counting cannot undo
   */
  lose(transferIds: ReadonlySet<string>): RecordedTransfer[] {
    const lost = this.progress.transfers.filter((transfer) => transferIds.has(transfer.id));
    this.progress.transfers = this.progress.transfers.filter((transfer) => !transferIds.has(transfer.id));
    const counted = lost.filter((transfer) => transfer.counted);
    if (isTerminal(this.progress.status)) return counted;
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
