import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import type { ChainProgress } from '../../domain/requests/outcome-rule.js';
import type { PaymentRequest } from '../../domain/requests/payment-request.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';
import type { Arrival, RecordedTransfer } from '../../domain/requests/transfer.js';
import { WatchedChain } from '../../domain/watching/watched-chain.js';

/** What a turn of a watcher found, by request. */
export interface ChainUpdate {
  /** How far networks were read by this very turn. */
  readonly read: ReadonlyMap<string, ChainProgress>;
  /** Requests to look at although nothing of the below concerns them. */
  readonly due: readonly PaymentRequestId[];
  /** As they were recorded before. */
  readonly lost: ReadonlyMap<PaymentRequestId, readonly RecordedTransfer[]>;
  readonly arrived: ReadonlyMap<PaymentRequestId, readonly Arrival[]>;
  readonly agreed: ReadonlyMap<PaymentRequestId, ReadonlySet<string>>;
}

/** Transfers that had been posted already and are gone from the chain. */
export interface Reversal {
  readonly request: PaymentRequestId;
  readonly transfers: readonly RecordedTransfer[];
}

/** Lets requests follow what was read, each locked once. Part of the caller's unit of work. */
@Injectable()
export class JudgeRequests {
  constructor(
    private readonly requests: PaymentRequests,
    private readonly chain: WatchedChain,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  async execute({ read, due, lost, arrived, agreed }: ChainUpdate, now: Date): Promise<Reversal[]> {
    const ids = new Set([...due, ...lost.keys(), ...arrived.keys(), ...agreed.keys()]);
    const requests = await this.requests.lock([...ids]);
    const chains = await this.withOthers(read, requests);
    const reversals = requests.map((request) => {
      const gone = lost.get(request.id);
      const transfers = gone === undefined ? [] : request.lose(gone, now);
      request.agree(agreed.get(request.id) ?? new Set());
      for (const transfer of arrived.get(request.id) ?? []) request.receive(transfer, now);
      request.follow(chains, now);
      return { request: request.id, transfers };
    });
    await this.requests.save(requests);
    return reversals.filter(({ transfers }) => transfers.length > 0);
  }

  /** A payer may hold addresses on several networks: how far the others were read, where that matters. */
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
