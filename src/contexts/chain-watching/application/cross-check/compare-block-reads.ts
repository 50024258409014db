import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { ChainUnavailable, type ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { TransferOfRequest } from '../../contract/recorded-transfers.js';
import type { IncomingTransfer, Transfer } from '../../contract/incoming-transfer.js';
import { payoutContentKey } from '../../domain/group-payouts.js';
import type { RecordedPayout } from '../../domain/recorded-payouts.js';
import { MatchIncomingTransfers } from '../reading/match-incoming-transfers.js';
import { transferContentKey } from '../transfers-by-request.js';

const CONCURRENT_QUERIES = 8;

/** `disagreement`: one endpoint reports a transfer and the second endpoint does not. */
export type TransferComparison =
  | { readonly kind: 'disagreement'; readonly reason: string }
  | {
      readonly kind: 'agreement';
      /** Transfers that both endpoints report now but that the first read of the blocks did not contain. */
      readonly missed: readonly IncomingTransfer[];
      /** Recorded transfers that neither endpoint reports. */
      readonly refuted: readonly TransferOfRequest[];
    };

/**
 * `disagreement`: the endpoints disagree about a payout, or the only available endpoint no longer reports a recorded
 * payout.
 */
export type PayoutComparison =
  | { readonly kind: 'disagreement'; readonly reason: string }
  | {
      readonly kind: 'agreement';
      readonly missed: readonly RecordedPayout[];
      readonly refuted: readonly RecordedPayout[];
    };

interface KeyedTransfer {
  readonly key: string;
  readonly transfer: Transfer;
}

type ReceiptComparison = 'shown' | 'refuted' | 'disputed';

/**
 * Both endpoints must report a transfer or payout before it becomes final, because one endpoint may hide or invent
 * some.
 */
@Injectable()
export class CompareBlockReads {
  constructor(
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
    private readonly matchTransfers: MatchIncomingTransfers,
  ) {}

  async compareTransfers(
    reread: readonly IncomingTransfer[],
    recorded: readonly TransferOfRequest[],
  ): Promise<TransferComparison> {
    const rereadKeys = new Set(reread.map(transferContentKey));
    const recordedKeys = new Set(recorded.map(({ transfer }) => transferContentKey(transfer)));
    const onlyReread = reread.filter((transfer) => !recordedKeys.has(transferContentKey(transfer)));
    const byTransaction = groupByTransaction([...recorded.map(({ transfer }) => transfer), ...onlyReread]);
    const inBoth = ({ key }: KeyedTransfer) => rereadKeys.has(key) && recordedKeys.has(key);
    const shown = new Set<string>();
    for (let at = 0; at < byTransaction.length; at += CONCURRENT_QUERIES) {
      const some = byTransaction.slice(at, at + CONCURRENT_QUERIES);
      const verdicts = await Promise.all(some.map((transfers) => this.compareReceipts(transfers, inBoth)));
      for (const [which, transfers] of some.entries())
        for (const [i, { key, transfer }] of transfers.entries()) {
          const verdict = verdicts[which]![i]!;
          if (verdict === 'disputed')
            return disagreementBecause(
              `only one endpoint shows transfer ${describeLogPosition(transfer.index, transfer)}.`,
            );
          if (verdict === 'shown') shown.add(key);
        }
    }
    return {
      kind: 'agreement',
      missed: onlyReread.filter((transfer) => shown.has(transferContentKey(transfer))),
      refuted: recorded.filter(({ transfer }) => !shown.has(transferContentKey(transfer))),
    };
  }

  /** @param transfers all in one transaction, whose receipt is requested at most once per endpoint */
  private async compareReceipts(
    transfers: readonly KeyedTransfer[],
    inBoth: (transfer: KeyedTransfer) => boolean,
  ): Promise<ReceiptComparison[]> {
    const { network, blockHash } = transfers[0]!.transfer;
    const { reader, secondEndpoint } = this.chains.of(network);
    const independent = secondEndpoint.isIndependent();
    const unproven = independent ? transfers : transfers.filter((each) => !inBoth(each));
    if (unproven.length === 0) return transfers.map(() => 'shown');
    const chainTransfers = unproven.map(({ transfer }) => this.toChainTransfer(transfer));
    const first = await reader.containsTransfers(blockHash, chainTransfers);
    const second = independent ? await secondEndpoint.containsTransfers(blockHash, chainTransfers) : first;
    const verdicts = new Map(
      unproven.map(({ key }, i) => [key, compareReceiptAnswers(first[i]!, second[i]!)]),
    );
    return transfers.map(({ key }) => verdicts.get(key) ?? 'shown');
  }

  async comparePayouts(
    network: string,
    reread: readonly RecordedPayout[],
    recorded: readonly RecordedPayout[],
  ): Promise<PayoutComparison> {
    const rereadKeys = new Set(reread.map(payoutContentKey));
    const recordedKeys = new Set(recorded.map(payoutContentKey));
    const { secondEndpoint } = this.chains.of(network);
    const isIndependent = secondEndpoint.isIndependent();
    if (isIndependent) {
      const numbers = [...new Set([...reread, ...recorded].map(({ blockNumber }) => blockNumber))];
      const ofReader = await this.rereadPayouts(network, numbers);
      const readerKeys = new Set(ofReader.map(payoutContentKey));
      const disputed =
        ofReader.find((payout) => !rereadKeys.has(payoutContentKey(payout))) ??
        reread.find((payout) => !readerKeys.has(payoutContentKey(payout)));
      if (disputed !== undefined)
        return disagreementBecause(
          `only one endpoint shows payout ${describeLogPosition(disputed.logIndex, disputed)}.`,
        );
    }
    const refuted = recorded.filter((payout) => !rereadKeys.has(payoutContentKey(payout)));
    // With a second endpoint configured but unavailable, the remaining endpoint may be the faulty one.
    if (refuted.length > 0 && !isIndependent && !secondEndpoint.isOnlyEndpoint())
      return disagreementBecause(
        `only the first read shows payout ${describeLogPosition(refuted[0]!.logIndex, refuted[0]!)}.`,
      );
    const missed = reread.filter((payout) => !recordedKeys.has(payoutContentKey(payout)));
    return { kind: 'agreement', missed, refuted };
  }

  /** Reads the blocks again from the reader's current endpoint, because the first read may have used another endpoint. */
  private async rereadPayouts(network: string, numbers: readonly number[]): Promise<RecordedPayout[]> {
    const ours = this.matchTransfers.ownAddressLookup(network);
    const found: RecordedPayout[] = [];
    for (let at = 0; at < numbers.length; at += CONCURRENT_QUERIES) {
      const some = numbers.slice(at, at + CONCURRENT_QUERIES);
      const blocks = await Promise.all(
        some.map(async (number) => {
          const [block] = await this.chains.of(network).reader.blocks(number, number, null, ours);
          if (block === undefined) throw new ChainUnavailable(network, `block ${number} is missing.`);
          return { ...block, transfers: [] };
        }),
      );
      found.push(...(await this.matchTransfers.match(network, blocks)).payouts);
    }
    return found;
  }

  /** The transfer's asset may no longer be in the catalogue. */
  toChainTransfer(transfer: Transfer): ChainTransfer {
    const { network, kind, transactionHash, index, uniqueAssetId, from, to, toTag, amount } = transfer;
    if (kind === 'balance' || transactionHash === null) throw new Error('A balance has no receipt.');
    const asset = this.catalogue.assets().find((known) => known.uniqueAssetId === uniqueAssetId);
    const token = canonicalAddress(asset?.token ?? uniqueAssetId.slice(`n${network}_t`.length));
    return { kind, transactionHash, index, token, from, to, toTag, amount };
  }
}

function groupByTransaction(transfers: readonly Transfer[]): KeyedTransfer[][] {
  const withKeys = transfers.map((transfer) => ({ key: transferContentKey(transfer), transfer }));
  const transactions = Map.groupBy(
    withKeys,
    ({ transfer: { blockHash, transactionHash } }) => `${blockHash} ${transactionHash}`,
  );
  return [...transactions.values()];
}

function compareReceiptAnswers(first: boolean, second: boolean): ReceiptComparison {
  if (first !== second) return 'disputed';
  return first ? 'shown' : 'refuted';
}

function describeLogPosition(
  index: number,
  { transactionHash, blockNumber }: Pick<Transfer, 'transactionHash' | 'blockNumber'>,
): string {
  return `${index} of ${transactionHash} in block ${blockNumber}`;
}

function disagreementBecause(reason: string): { readonly kind: 'disagreement'; readonly reason: string } {
  return { kind: 'disagreement', reason };
}
