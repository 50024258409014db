import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  type DuePayout,
  type SettlementBatch,
  SettlementPlanMismatch,
} from '#contexts/networks/contract/settlement-planning.js';
import { InternalTransferCheck } from '#contexts/chain-watching/contract/native-balances.js';
import type { DueAddress } from '../../domain/settling/due-money.js';
import { DueFunds } from '../../infrastructure/settling/persistence/due-funds.js';
import { UNREADABLE_BALANCE, type PlanDifference } from '../../domain/settling/set-aside.js';
import { FindSettlementMinimums, type NetworkSettlementMinimums } from './find-settlement-minimums.js';
import { ReadBalances, type DueAddressWithBalance } from './read-balances.js';

/** Limits memory and RPC requests of a settlement run. One transaction has room for about 300 first payouts. */
const MAX_ADDRESSES = 300;
const COMPARISON_VALID_MS = 3_600_000;

export interface SettlementRunPlan {
  readonly terms: NetworkSettlementMinimums;
  /** Starts with the oldest address of each organization and asset; the other addresses follow. */
  readonly due: readonly DueAddress[];
  readonly isFull: boolean;
  readonly batches: readonly SettlementBatch[];
  /** Payouts that are not sent because the simulation differs from the plan. */
  readonly differences: readonly PlanDifference[];
  /** Excluded until the watcher has compared their native balances, so that internal transfers are booked first. */
  readonly awaitingComparison: readonly DueAddress[];
}

@Injectable()
export class PlanSettlementRun {
  constructor(
    private readonly findTerms: FindSettlementMinimums,
    private readonly dueFunds: DueFunds,
    private readonly catalogue: NetworkCatalogue,
    private readonly readBalances: ReadBalances,
    private readonly chains: Chains,
    private readonly clock: Clock,
    private readonly internalTransferCheck: InternalTransferCheck,
  ) {}

  /** Stores nothing. @param sender account that would send the batches @throws not_found, ChainUnavailable */
  async plan(network: string, sender: string): Promise<SettlementRunPlan> {
    const terms = await this.findTerms.find(network);
    const { afterHours } = terms.policy;
    const due = await this.dueFunds.listRoundRobin(network, terms.terms, afterHours, MAX_ADDRESSES);
    const compared = await this.readComparedAddresses(network, due);
    const isReady = ({ address, isSettled }: DueAddress) => isSettled || compared.has(address);
    const { found, unreadable } = await this.readBalances.read(network, due.filter(isReady));
    const [whole, short] = partition(found, ({ balance, amount }) => balance >= amount);
    const [trials, others] = partition(whole, ({ isTrial }) => isTrial);
    const planned = [];
    // Payouts whose terms failed before are planned one per batch, so that they cannot affect other payouts.
    for (const together of [others, ...trials.map((trial) => [trial])])
      planned.push(await this.planBatches(network, sender, together));
    return {
      terms,
      due,
      isFull: due.length === MAX_ADDRESSES,
      batches: sortByEarliestDue(
        planned.flatMap(({ batches }) => batches),
        whole,
      ),
      differences: [
        ...unreadable.map(unreadableDifference),
        ...short.map(holdsLessDifference),
        ...planned.flatMap(({ differences }) => differences),
      ],
      awaitingComparison: due.filter((each) => !isReady(each)),
    };
  }

  /** Returns all addresses on a network that hides no transfers. */
  private async readComparedAddresses(
    network: string,
    due: readonly DueAddress[],
  ): Promise<ReadonlySet<string>> {
    const first = due.filter(({ isSettled }) => !isSettled).map(({ address }) => address);
    const isHidden = this.catalogue.network(network)?.hidesNativeTransfers === true;
    if (first.length === 0 || !isHidden) return new Set(first);
    const since = new Date((await this.clock.now()).getTime() - COMPARISON_VALID_MS);
    return this.internalTransferCheck.requestComparison(network, [...new Set(first)], since);
  }

  /** Removes payouts whose simulation differs from the plan, and plans the remaining payouts again. */
  private async planBatches(
    network: string,
    sender: string,
    found: readonly DueAddressWithBalance[],
  ): Promise<{ batches: readonly SettlementBatch[]; differences: PlanDifference[] }> {
    const differences: PlanDifference[] = [];
    let left = found;
    while (left.length > 0) {
      try {
        const batches = await this.chains.require(network, 'settlementPlanning').plan(
          sender,
          left.map((each) => this.payoutOf(each)),
        );
        return { batches, differences };
      } catch (error) {
        if (!(error instanceof SettlementPlanMismatch)) throw error;
        const [named, others] = partition(left, (each) =>
          error.differences.some((one) => isDifferenceOf(one, each)),
        );
        if (named.length === 0) throw error;
        for (const each of named) {
          const { kind: reason, says } = error.differences.find((one) => isDifferenceOf(one, each))!;
          differences.push({ address: each.address, uniqueAssetId: each.uniqueAssetId, reason, says });
        }
        left = others;
      }
    }
    return { batches: [], differences };
  }

  private payoutOf(due: DueAddressWithBalance): DuePayout {
    const { settlementAddress, feeRecipient, feeBasisPoints } = due;
    return {
      depositAddress: due.address,
      derivation: due.derivation,
      terms: { settlementAddress, feeRecipient, feeBasisPoints },
      paymentRequestId: due.paymentRequestId,
      asset: this.catalogue.asset(due.uniqueAssetId)!,
      gross: due.balance,
    };
  }
}

function isDifferenceOf(
  { depositAddress, uniqueAssetId }: { depositAddress: string; uniqueAssetId: string | null },
  due: DueAddress,
): boolean {
  return depositAddress === due.address && (uniqueAssetId ?? due.uniqueAssetId) === due.uniqueAssetId;
}

function holdsLessDifference({
  address,
  uniqueAssetId,
  amount,
  balance,
}: DueAddressWithBalance): PlanDifference {
  const says = `${address} holds ${balance} of ${uniqueAssetId}, less than the ${amount} that the records say.`;
  return { address, uniqueAssetId, reason: 'holds_less', says };
}

function unreadableDifference({ address, uniqueAssetId }: DueAddress): PlanDifference {
  return {
    address,
    uniqueAssetId,
    reason: UNREADABLE_BALANCE,
    says: `The token returns no balance of ${address}.`,
  };
}

function partition<T>(all: readonly T[], is: (one: T) => boolean): [T[], T[]] {
  return [all.filter(is), all.filter((one) => !is(one))];
}

function sortByEarliestDue(
  batches: readonly SettlementBatch[],
  due: readonly DueAddress[],
): SettlementBatch[] {
  const keyOf = (address: string, asset: string) => `${address} ${asset}`;
  const rank = new Map(due.map(({ address, uniqueAssetId }, i) => [keyOf(address, uniqueAssetId), i]));
  const rankOf = ({ payouts }: SettlementBatch) =>
    Math.min(
      ...payouts.map(({ depositAddress, asset }) => rank.get(keyOf(depositAddress, asset.uniqueAssetId))!),
    );
  return [...batches].sort((one, other) => rankOf(one) - rankOf(other));
}
