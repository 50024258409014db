import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { ChainUnavailable, type ChainQueries } from '#contexts/networks/contract/chain-reader.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { NativeBalances } from '../../contract/native-balances.js';
import {
  RecordedTransfers,
  type TransferEvidence,
  type TransferOfRequest,
} from '../../contract/recorded-transfers.js';
import type { RecordedTransfer } from '../../contract/incoming-transfer.js';
import { PostgresWatchedChains } from '../../infrastructure/persistence/postgres-watched-chains.js';
import type { Block, Cursor } from '../../domain/cursor.js';
import { CompareBlockReads } from './compare-block-reads.js';

/** Each receipt needs its own call; all balances fit into one. */
const CROSS_CHECKS_PER_ITERATION: Readonly<Record<TransferEvidence, number>> = {
  receipt: 20,
  balances: 1_000,
};
const LOWEST_TRANSFER_ID = '00000000-0000-0000-0000-000000000000';
/** Balances are compared this far below the head, so that an endpoint slightly behind has them too. */
const BLOCKS_BELOW_HEAD = 3;

export interface CrossCheckResult {
  readonly confirmed: ReadonlyMap<PaymentRequestId, ReadonlySet<string>>;
  /** Internal transfers that the balances at no endpoint confirm. */
  readonly refuted: readonly TransferOfRequest[];
  /**
   * Earliest block timestamp of the refuted transfers of which a part was real. The real part must be found again.
   */
  readonly hiddenSince: Date | null;
}

type CrossCheckVerdict = 'confirmed' | 'refuted' | 'waits';

interface CheckedTransfer {
  readonly owned: TransferOfRequest;
  readonly verdict: CrossCheckVerdict;
  /** True if the transfer is refuted, but balances confirm a part of its amount. */
  readonly isPartlyShown?: boolean;
}

/**
 * Transfers above `crossCheckAbove` of their asset need receipts from both endpoints. Internal transfers have no
 * receipt. Anyone can send hundreds in each block, so their balances are read together.
 */
@Injectable()
export class CrossCheckTransfers {
  /** The next iteration continues after this transfer, so that an unconfirmed transfer does not block later ones. */
  private readonly lastChecked = new Map<string, string>();

  constructor(
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
    private readonly chain: PostgresWatchedChains,
    private readonly transfers: RecordedTransfers,
    private readonly balances: NativeBalances,
    private readonly compareReadings: CompareBlockReads,
  ) {}

  async crossCheck(network: string, cursor: Cursor): Promise<CrossCheckResult> {
    const checked = await this.checkByBalances(
      network,
      await this.nextTransfers(network, 'balances'),
      cursor,
    );
    for (const owned of await this.nextTransfers(network, 'receipt'))
      checked.push({ owned, verdict: await this.checkByReceipt(owned.transfer) });
    const confirmed = new Map<PaymentRequestId, Set<string>>();
    for (const { owned, verdict } of checked) {
      if (verdict !== 'confirmed') continue;
      const ids = confirmed.get(owned.paymentRequestId) ?? new Set();
      confirmed.set(owned.paymentRequestId, ids.add(owned.transfer.id));
    }
    const refuted = checked.filter(({ verdict }) => verdict === 'refuted');
    const partly = refuted.filter(({ isPartlyShown }) => isPartlyShown);
    const times = partly.map(({ owned }) => owned.transfer.blockTime.getTime());
    return {
      confirmed,
      refuted: refuted.map(({ owned }) => owned),
      hiddenSince: times.length === 0 ? null : new Date(Math.min(...times)),
    };
  }

  private async nextTransfers(network: string, evidence: TransferEvidence): Promise<TransferOfRequest[]> {
    const queue = `${network} ${evidence}`;
    const limit = CROSS_CHECKS_PER_ITERATION[evidence];
    const after = this.lastChecked.get(queue) ?? LOWEST_TRANSFER_ID;
    const waiting = await this.transfers.awaitingCrossCheck(network, evidence, after, limit);
    const last = waiting.length < limit ? undefined : waiting.at(-1);
    this.lastChecked.set(queue, last?.transfer.id ?? LOWEST_TRANSFER_ID);
    return waiting;
  }

  private async checkByReceipt(transfer: RecordedTransfer): Promise<CrossCheckVerdict> {
    try {
      const { network, blockHash } = transfer;
      const { reader, secondEndpoint } = this.chains.of(network);
      if (!secondEndpoint.isIndependent() && this.needsSecondEndpoint(transfer)) return 'waits';
      const chainTransfers = [this.compareReadings.toChainTransfer(transfer)];
      const shown = await Promise.all([
        reader.containsTransfers(blockHash, chainTransfers),
        secondEndpoint.containsTransfers(blockHash, chainTransfers),
      ]);
      return shown.flat().every(Boolean) ? 'confirmed' : 'waits';
    } catch (error) {
      // An unavailable second endpoint delays only the transfers that need it.
      if (error instanceof ChainUnavailable) return 'waits';
      throw error;
    }
  }

  private needsSecondEndpoint({ uniqueAssetId, amount }: RecordedTransfer): boolean {
    const above = this.catalogue.asset(uniqueAssetId)?.crossCheckAbove;
    return above !== undefined && amount > above;
  }

  private async checkByBalances(
    network: string,
    waiting: readonly TransferOfRequest[],
    { head }: Cursor,
  ): Promise<CheckedTransfer[]> {
    const comparedAt = ({ blockNumber }: RecordedTransfer) =>
      Math.max(blockNumber, head.number - BLOCKS_BELOW_HEAD);
    const blocks = await this.chain.blocks(network, [
      ...new Set(waiting.map(({ transfer }) => comparedAt(transfer))),
    ]);
    // The asset id changes if a coin is configured under another symbol, and recorded movements belong to one asset
    // id.
    const groups = Map.groupBy(
      waiting,
      ({ transfer }) => `${comparedAt(transfer)} ${transfer.uniqueAssetId}`,
    );
    const checked: CheckedTransfer[] = [];
    for (const group of groups.values()) {
      const block = blocks.get(comparedAt(group[0]!.transfer));
      if (block !== undefined) checked.push(...(await this.checkBalancesAtBlock(network, block, group)));
    }
    return checked;
  }

  private async checkBalancesAtBlock(
    network: string,
    block: Block,
    group: readonly TransferOfRequest[],
  ): Promise<CheckedTransfer[]> {
    try {
      const { reader, secondEndpoint } = this.chains.of(network);
      const independent = secondEndpoint.isIndependent();
      const checkable = group.filter(({ transfer }) => independent || !this.needsSecondEndpoint(transfer));
      return await this.compareBalances(
        network,
        block,
        checkable,
        independent ? [reader, secondEndpoint] : [reader],
      );
    } catch (error) {
      if (error instanceof ChainUnavailable) return [];
      throw error;
    }
  }

  /**
   * Confirms transfers whose address holds, at each endpoint, at least the recorded amount received minus the
   * amount paid out.
   */
  private async compareBalances(
    network: string,
    { number, hash }: Block,
    transfers: readonly TransferOfRequest[],
    endpoints: readonly ChainQueries[],
  ): Promise<CheckedTransfer[]> {
    if (transfers.length === 0) return [];
    const { uniqueAssetId } = transfers[0]!.transfer;
    const byAddress = Map.groupBy(transfers, ({ transfer }) => transfer.to);
    const addresses = [...byAddress.keys()];
    const expected = await this.balances.expectedAt(network, uniqueAssetId, addresses, number);
    const balances = await Promise.all(endpoints.map((each) => each.balances(hash, addresses)));
    return addresses.flatMap((address, position): CheckedTransfer[] => {
      const owned = byAddress.get(address)!;
      const shown = balances.map((ofEndpoint) => ofEndpoint[position]!);
      const enough = shown.filter((balance) => balance >= expected[position]!).length;
      if (enough === shown.length) return owned.map((each) => ({ owned: each, verdict: 'confirmed' }));
      if (enough > 0) return [];
      const without = owned.reduce((left, { transfer }) => left - transfer.amount, expected[position]!);
      const isPartlyShown = shown.some((balance) => balance > without);
      return owned.map((each) => ({ owned: each, verdict: 'refuted', isPartlyShown }));
    });
  }
}
