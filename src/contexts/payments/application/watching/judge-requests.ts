import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { Arrival, ChainProgress, RecordedTransfer } from '../../domain/requests/transfer.js';
import type { PaymentRequest } from '../../domain/requests/payment-request.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';
import { ParkedRequests } from '../../domain/watching/requests-to-judge.js';
import { WatchedChain } from '../../domain/watching/watched-chain.js';

/** Parked requests that an operator wants to be judged again, in one turn. */
const RETRIED_AT_ONCE = 20;

/** The changes of a watcher's turn, by request. */
export interface ChainUpdate {
  /** How far networks were read by this very turn. */
  readonly read: ReadonlyMap<string, ChainProgress>;
  /** Requests to judge although none of the fields below concerns them. */
  readonly due: readonly PaymentRequestId[];
  /** Transfers that are no longer in the chain, as they were recorded before. */
  readonly lost: ReadonlyMap<PaymentRequestId, readonly RecordedTransfer[]>;
  readonly arrived: ReadonlyMap<PaymentRequestId, readonly Arrival[]>;
}

/** Transfers of a request that disappeared from the chain after they were posted. */
export interface ReversedTransfers {
  readonly request: PaymentRequestId;
  readonly transfers: readonly RecordedTransfer[];
}

/** The conditions to alert of once the unit of work is committed. */
export interface Judged {
  readonly reversals: readonly ReversedTransfers[];
  readonly parked: readonly { readonly request: PaymentRequestId; readonly reason: string }[];
}

/**
 * Applies a chain update to the requests concerned, each locked once, in the caller's unit of work. A request that cannot be
 * judged is parked alone: its transfers are recorded, and all others go on.
 */
@Injectable()
export class JudgeRequests {
  constructor(
    private readonly requests: PaymentRequests,
    private readonly parked: ParkedRequests,
    private readonly chain: WatchedChain,
    private readonly catalogue: NetworkCatalogue,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async evaluate(update: ChainUpdate, now: Date): Promise<Judged> {
    const retried = await this.parked.toRetry(RETRIED_AT_ONCE);
    const { due, lost, arrived } = update;
    const ids = [...new Set([...due, ...retried, ...lost.keys(), ...arrived.keys()])].sort();
    const waiting = await this.parked.among(ids);
    for (const id of retried) waiting.delete(id);
    const judged = ids.filter((id) => !waiting.has(id));
    const all = await this.unitOfWork.attempt(() => this.judge(judged, retried, update, now));
    const reversals = 'result' in all ? all.result : [];
    const parked: { request: PaymentRequestId; reason: string }[] = [];
    if ('error' in all)
      for (const id of judged) {
        const one = await this.unitOfWork.attempt(() =>
          this.judge([id], retried.includes(id) ? [id] : [], update, now),
        );
        if ('result' in one) reversals.push(...one.result);
        else {
          await this.parked.park(id, one.error.message);
          waiting.add(id);
          parked.push({ request: id, reason: one.error.message });
        }
      }
    for (const id of waiting)
      await this.parked.record(id, { arrived: arrived.get(id) ?? [], lost: lost.get(id) ?? [] });
    return { reversals, parked };
  }

  private async judge(
    ids: readonly PaymentRequestId[],
    retried: readonly PaymentRequestId[],
    { read, lost, arrived }: ChainUpdate,
    now: Date,
  ): Promise<ReversedTransfers[]> {
    const lostMeanwhile = await this.parked.release(retried);
    const requests = await this.requests.lock(ids);
    const chains = await this.withOthers(read, requests);
    const lostOf = (id: PaymentRequestId) => [...(lostMeanwhile.get(id) ?? []), ...(lost.get(id) ?? [])];
    const concerned = ids.flatMap((id) => lostOf(id).flatMap(({ depositId }) => depositId ?? []));
    const standing = await this.requests.standingDeposits(concerned);
    const reversals = requests.map((request) => {
      const { id } = request;
      const transfers = request.lose(lostOf(id), now, standing, arrived.get(id));
      request.judge(chains, now);
      return { request: id, transfers };
    });
    await this.requests.save(requests);
    return reversals.filter(({ transfers }) => transfers.length > 0);
  }

  /** A payer may have addresses on several networks: adds how far the others were read. */
  private async withOthers(
    read: ReadonlyMap<string, ChainProgress>,
    requests: readonly PaymentRequest[],
  ): Promise<ReadonlyMap<string, ChainProgress>> {
    const shown = requests.flatMap((request) => request.snapshot().selections.map(({ network }) => network));
    const others = [...new Set(shown)].filter(
      (network) => !read.has(network) && this.catalogue.network(network) !== undefined,
    );
    return others.length === 0 ? read : new Map([...read, ...(await this.chain.progress(others))]);
  }
}
