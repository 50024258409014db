import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { type ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { OwnedTransfer } from '../../contract/recorded-transfers.js';
import type { IncomingTransfer, Transfer } from '../../contract/incoming-transfer.js';

const AT_ONCE = 8;

export interface Difference {
  /** Transfers that both endpoints show but the first reading did not. */
  readonly missed: readonly IncomingTransfer[];
  /** Recorded transfers that neither endpoint shows. */
  readonly refuted: readonly OwnedTransfer[];
}

interface Keyed {
  readonly key: string;
  readonly transfer: Transfer;
}

/** The result of comparing receipts. `disputed`: one endpoint shows the transfer and the other does not. */
type ReceiptVerdict = 'shown' | 'refuted' | 'disputed';

/**
 * Decides by receipts which transfers are in final blocks. A single endpoint may hide or invent transfers, so if there are two
 * endpoints, both must show each transfer before it becomes final.
 */
@Injectable()
export class CompareReadings {
  constructor(
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /**
   * @param reread transfers of the confirmation read @param recorded transfers of the same blocks
   * @returns a sentence if one endpoint shows a transfer and the other does not
   */
  async compare(
    reread: readonly IncomingTransfer[],
    recorded: readonly OwnedTransfer[],
  ): Promise<Difference | string> {
    const rereadKeys = new Set(reread.map(keyOf));
    const recordedKeys = new Set(recorded.map(({ transfer }) => keyOf(transfer)));
    const onlyReread = reread.filter((transfer) => !recordedKeys.has(keyOf(transfer)));
    const byTransaction = inTransactions([...recorded.map(({ transfer }) => transfer), ...onlyReread]);
    const inBoth = ({ key }: Keyed) => rereadKeys.has(key) && recordedKeys.has(key);
    const shown = new Set<string>();
    for (let at = 0; at < byTransaction.length; at += AT_ONCE) {
      const some = byTransaction.slice(at, at + AT_ONCE);
      const verdicts = await Promise.all(some.map((keyed) => this.verdictsOn(keyed, inBoth)));
      for (const [which, keyed] of some.entries())
        for (const [i, { key, transfer }] of keyed.entries()) {
          const verdict = verdicts[which]![i]!;
          if (verdict === 'disputed') return `only one endpoint shows transfer ${nameOf(transfer)}.`;
          if (verdict === 'shown') shown.add(key);
        }
    }
    return {
      missed: onlyReread.filter((transfer) => shown.has(keyOf(transfer))),
      refuted: recorded.filter(({ transfer }) => !shown.has(keyOf(transfer))),
    };
  }

  /** @param transfers of one transaction; its receipt is requested at most once per endpoint */
  private async verdictsOn(
    transfers: readonly Keyed[],
    inBoth: (transfer: Keyed) => boolean,
  ): Promise<ReceiptVerdict[]> {
    const { network, blockHash } = transfers[0]!.transfer;
    const { reader, secondEndpoint } = this.chains.of(network);
    const independent = secondEndpoint.isIndependent();
    const unproven = independent ? transfers : transfers.filter((each) => !inBoth(each));
    if (unproven.length === 0) return transfers.map(() => 'shown');
    const chainTransfers = unproven.map(({ transfer }) => this.asChainTransfer(transfer));
    const first = await reader.holds(blockHash, chainTransfers);
    const second = independent ? await secondEndpoint.holds(blockHash, chainTransfers) : first;
    const verdicts = new Map(unproven.map(({ key }, i) => [key, verdictOf(first[i]!, second[i]!)]));
    return transfers.map(({ key }) => verdicts.get(key) ?? 'shown');
  }

  /** Converts a recorded transfer to a node's representation. Its asset may have been removed from the catalogue. */
  asChainTransfer(transfer: Transfer): ChainTransfer {
    const { network, kind, transactionHash, index, uniqueAssetId, from, to, toTag, amount } = transfer;
    if (kind === 'balance' || transactionHash === null) throw new Error('A balance has no receipt.');
    const asset = this.catalogue.assets().find((known) => known.uniqueAssetId === uniqueAssetId);
    const token = canonicalAddress(asset?.token ?? uniqueAssetId.slice(`n${network}_t`.length));
    return { kind, transactionHash, index, token, from, to, toTag, amount };
  }
}

/** Includes every field in which two readings can differ: a transfer with another sender is another transfer. */
export function keyOf(transfer: Transfer): string {
  const { kind, transactionHash, index, from, to, toTag = '', amount } = transfer;
  // The catalogue may change the capitalisation of a contract address.
  const asset = transfer.uniqueAssetId.toLowerCase();
  return `${kind} ${transactionHash} ${index} ${asset} ${from} ${to} ${toTag} ${amount} ${transfer.blockHash}`;
}

function inTransactions(transfers: readonly Transfer[]): Keyed[][] {
  const keyed = transfers.map((transfer) => ({ key: keyOf(transfer), transfer }));
  const places = Map.groupBy(
    keyed,
    ({ transfer: { blockHash, transactionHash } }) => `${blockHash} ${transactionHash}`,
  );
  return [...places.values()];
}

function verdictOf(first: boolean, second: boolean): ReceiptVerdict {
  if (first !== second) return 'disputed';
  return first ? 'shown' : 'refuted';
}

function nameOf({ transactionHash, index, blockNumber }: Transfer): string {
  return `${index} of ${transactionHash} in block ${blockNumber}`;
}
