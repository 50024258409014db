import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { ChainProgress } from '#contexts/chain-watching/contract/incoming-transfer.js';
import type { PaymentRequest } from '../../domain/requests/payment-request.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';
import { ParkedRequests } from '../../infrastructure/requests/persistence/parked-requests.js';
import {
  RequestEvaluation,
  type RequestEvaluationInput,
  type RequestEvaluationResult,
  type ReversedTransfers,
} from '#contexts/chain-watching/contract/requests-to-evaluate.js';
import { ChainProgressQuery } from '#contexts/chain-watching/contract/reading-progress.js';

const RETRIED_REQUESTS_PER_EVALUATION = 20;

/**
 * If evaluating all requests together fails, evaluates them individually and parks the failing ones, whose transfers
 * are stored so that none is lost.
 */
@Injectable()
export class EvaluateRequests extends RequestEvaluation {
  constructor(
    private readonly requests: PaymentRequests,
    private readonly parked: ParkedRequests,
    private readonly progress: ChainProgressQuery,
    private readonly catalogue: NetworkCatalogue,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  async evaluate(update: RequestEvaluationInput, now: Date): Promise<RequestEvaluationResult> {
    const retried = await this.parked.listToRetry(RETRIED_REQUESTS_PER_EVALUATION);
    const { due, lost, arrived } = update;
    const ids = [...new Set([...due, ...retried, ...lost.keys(), ...arrived.keys()])].sort();
    const parkedBefore = await this.parked.lockParked(ids);
    const isSkipped = (id: PaymentRequestId) => parkedBefore.has(id) && !retried.includes(id);
    const evaluated = ids.filter((id) => !isSkipped(id));
    const evaluation = await this.evaluateOrPark(evaluated, retried, update, now);
    const parked = [...ids.filter(isSkipped), ...evaluation.parked.map(({ request }) => request)];
    for (const id of parked)
      await this.parked.recordTransfers(id, { arrived: arrived.get(id) ?? [], lost: lost.get(id) ?? [] });
    return evaluation;
  }

  private async evaluateOrPark(
    ids: readonly PaymentRequestId[],
    retried: readonly PaymentRequestId[],
    update: RequestEvaluationInput,
    now: Date,
  ): Promise<RequestEvaluationResult> {
    const together = await this.unitOfWork.attempt(() => this.evaluateAll(ids, retried, update, now));
    if ('result' in together) return { reversals: together.result, parked: [] };
    const reversals: ReversedTransfers[] = [];
    const parked: { request: PaymentRequestId; reason: string }[] = [];
    for (const id of ids) {
      const released = retried.filter((each) => each === id);
      const single = await this.unitOfWork.attempt(() => this.evaluateAll([id], released, update, now));
      if ('result' in single) reversals.push(...single.result);
      else {
        await this.parked.park(id, single.error.message);
        parked.push({ request: id, reason: single.error.message });
      }
    }
    return { reversals, parked };
  }

  private async evaluateAll(
    ids: readonly PaymentRequestId[],
    retried: readonly PaymentRequestId[],
    { read, lost, arrived }: RequestEvaluationInput,
    now: Date,
  ): Promise<ReversedTransfers[]> {
    const lostWhileParked = await this.parked.unpark(retried);
    const requests = await this.requests.lock(ids);
    const chains = await this.addOtherNetworks(read, requests);
    const lostOf = (id: PaymentRequestId) => [...(lostWhileParked.get(id) ?? []), ...(lost.get(id) ?? [])];
    const depositIds = ids.flatMap((id) => lostOf(id).flatMap(({ depositId }) => depositId ?? []));
    const standing = await this.requests.unreversedDeposits(depositIds);
    const reversals = requests.map((request) => {
      const { id } = request;
      const transfers = request.removeLostTransfers(lostOf(id), now, standing, arrived.get(id));
      request.evaluate(chains, now);
      return { request: id, transfers };
    });
    await this.requests.save(requests);
    return reversals.filter(({ transfers }) => transfers.length > 0);
  }

  private async addOtherNetworks(
    read: ReadonlyMap<string, ChainProgress>,
    requests: readonly PaymentRequest[],
  ): Promise<ReadonlyMap<string, ChainProgress>> {
    const networks = requests.flatMap((request) =>
      request.snapshot().selections.map(({ network }) => network),
    );
    const others = [...new Set(networks)].filter(
      (network) => !read.has(network) && this.catalogue.network(network) !== undefined,
    );
    return others.length === 0 ? read : new Map([...read, ...(await this.progress.progress(others))]);
  }
}
