import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  type ChainTransfer,
  catchChainUnavailable,
  ChainUnavailable,
} from '#contexts/networks/contract/chain-reader.js';
import { requiredConfirmations } from '#contexts/networks/contract/finality-depth.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { type FoundTransaction } from '#contexts/networks/contract/transaction-lookup.js';
import {
  type NetworkReadProgress,
  NetworkReadProgressQuery,
} from '#contexts/chain-watching/contract/reading-progress.js';
import { RefundableRequests } from '#contexts/payments/contract/refundable-requests.js';
import type { RefundSnapshot } from '../../domain/refunds/refund.js';
import { Refunds } from '../../domain/refunds/refunds.js';

const MAX_REFUNDS_AT_ONCE = 20;
/** Days after which a merchant's refund fails if no endpoint has found its transaction. */
export const MERCHANT_REFUND_TIMEOUT_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1_000;

type MerchantRefundOutcome = 'paid' | { readonly failure: string };

export interface MerchantRefundUpdate {
  readonly refund: RefundSnapshot;
  readonly unavailable: string | null;
}

@Injectable()
export class TrackMerchantRefunds {
  constructor(
    private readonly refunds: Refunds,
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
    private readonly requests: RefundableRequests,
    private readonly progress: NetworkReadProgressQuery,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async track(network: string): Promise<MerchantRefundUpdate[]> {
    const reading = (await this.progress.networkProgress()).find((each) => each.network === network);
    if (reading === undefined) return [];
    const followed: MerchantRefundUpdate[] = [];
    const taken = await this.unitOfWork.run(() =>
      this.refunds.takeMerchantRefunds(network, MAX_REFUNDS_AT_ONCE),
    );
    for (const { snapshot } of taken) {
      const verdict = await catchChainUnavailable(this.decideOutcome(snapshot, reading));
      if (verdict instanceof ChainUnavailable)
        followed.push({ refund: snapshot, unavailable: verdict.message });
      else if (verdict !== null) followed.push(...(await this.endRefund(snapshot, verdict)));
    }
    return followed;
  }

  private async decideOutcome(
    refund: RefundSnapshot,
    reading: NetworkReadProgress,
  ): Promise<MerchantRefundOutcome | null> {
    const { asset, transactionHash = '', createdAt, amount, to, paymentRequestId } = refund;
    const found = await this.chains.of(asset.network).lookup.find(transactionHash);
    if (found === 'unknown') {
      const isGivenUp =
        (await this.clock.now()).getTime() - createdAt.getTime() > MERCHANT_REFUND_TIMEOUT_DAYS * DAY_MS;
      const failure = `Transaction ${transactionHash} was not found within ${MERCHANT_REFUND_TIMEOUT_DAYS} days. If it is mined later, submit its hash again.`;
      return isGivenUp ? { failure } : null;
    }
    if (!this.isFinal(refund, found, reading)) return null;
    if (!(await this.isConfirmedBySecondEndpoint(asset.network, transactionHash, found))) return null;
    const paying = { network: asset.network, transactionHash, to: found.transfers.map((each) => each.to) };
    if (await this.requests.isPaidBy(paymentRequestId, paying))
      return {
        failure: `Transaction ${transactionHash} is a payment of this payment request, not a refund.`,
      };
    const payments = found.transfers.filter((each) => each.to === to && each.token === asset.token);
    const paid = payments.reduce((sum, each) => sum + each.amount, 0n);
    if (paid >= amount) return 'paid';
    const [shown, owed] = [paid, amount].map(
      (units) => `${formatAmount(units, asset.decimals)} ${asset.symbol}`,
    );
    return {
      failure: `Transaction ${transactionHash} pays ${shown} to the refund address, which is less than ${owed}.`,
    };
  }

  private isFinal(
    { asset, amount }: RefundSnapshot,
    { blockNumber, transfers }: FoundTransaction,
    { headNumber, finalizedNumber }: NetworkReadProgress,
  ): boolean {
    const network = this.catalogue.network(asset.network);
    if (network === undefined || blockNumber === null || finalizedNumber === null) return false;
    const byAmount = requiredConfirmations(network, this.catalogue.asset(asset.uniqueAssetId) ?? {}, amount);
    const depth = Math.max(byAmount, ...transfers.map(({ spendableAfter = 0 }) => spendableAfter));
    return blockNumber <= finalizedNumber && blockNumber + depth - 1 <= headNumber;
  }

  /** An endpoint on a fork decides nothing. @throws ChainUnavailable if the second endpoint returns other outputs */
  private async isConfirmedBySecondEndpoint(
    network: string,
    transactionHash: string,
    { blockNumber, blockHash, transfers }: FoundTransaction,
  ): Promise<boolean> {
    if (blockNumber === null || blockHash === null) return false;
    const { reader, secondEndpoint } = this.chains.of(network);
    if ((await reader.blockHeader(blockNumber))?.hash !== blockHash) return false;
    const { last, contents } = await secondEndpoint.contentsOfBlockRange(blockNumber, blockNumber);
    if (last.hash !== blockHash) return false;
    const shown = contents.flatMap((each) => each.transfers);
    if (!isDeepStrictEqual(outputsOf(shown, transactionHash), outputsOf(transfers, transactionHash)))
      throw new ChainUnavailable(network, `its endpoints return different outputs of ${transactionHash}.`);
    return true;
  }

  private endRefund(
    { id, organizationId }: RefundSnapshot,
    verdict: MerchantRefundOutcome,
  ): Promise<MerchantRefundUpdate[]> {
    return this.unitOfWork.run(async () => {
      const refund = await this.refunds.lock({ organizationId, accountId: null }, id);
      const { status, transactionHash = '' } = refund.snapshot;
      if (status !== 'processing') return [];
      const now = await this.clock.now();
      if (verdict === 'paid') refund.complete({ transactionHash }, now);
      else refund.fail(verdict.failure, { transactionHash }, now);
      await this.refunds.save(refund);
      return [{ refund: refund.snapshot, unavailable: null }];
    });
  }
}

function outputsOf(transfers: readonly ChainTransfer[], hash: string) {
  return transfers
    .filter(({ transactionHash }) => transactionHash === hash)
    .sort((one, other) => one.index - other.index)
    .map(({ index, token, to, amount }) => ({ index, token, to, amount }));
}
