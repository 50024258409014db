import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import type { ChainProgress } from '../../domain/requests/chain-progress.js';
import type { PaymentRequest } from '../../domain/requests/payment-request.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';
import type { Arrival, RecordedTransfer } from '../../domain/requests/transfer.js';
import { WatchedChain } from '../../domain/watching/watched-chain.js';

/** What a turn of a watcher changes, by request. */
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

/** Applies a chain update to the requests concerned, each locked once, in the caller's unit of work. */
@Injectable()
export class JudgeRequests {
  constructor(
    private readonly requests: PaymentRequests,
    private readonly chain: WatchedChain,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  async execute({ read, due, lost, arrived }: ChainUpdate, now: Date): Promise<ReversedTransfers[]> {
    const ids = new Set([...due, ...lost.keys(), ...arrived.keys()]);
    const requests = await this.requests.lock([...ids]);
    const chains = await this.withOthers(read, requests);
    const reversals = requests.map((request) => {
      const lostOnes = lost.get(request.id);
      const transfers = lostOnes === undefined ? [] : request.lose(lostOnes, now);
      request.receive(arrived.get(request.id) ?? [], now);
      request.judge(chains, now);
      return { request: request.id, transfers };
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
