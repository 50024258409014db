import { Injectable } from '@nestjs/common';
import { ChainReader, ChainWitness, type ChainTransfer } from '../../networks/contract/chain-reader.js';
import { NetworkCatalogue } from '../../networks/contract/network-catalogue.js';
import type { OwnedTransfer } from '../domain/recorded-transfers.js';
import type { Arrival, Transfer } from '../domain/transfer.js';

/** Receipts asked for at the same time. */
const AT_ONCE = 8;

export interface Difference {
  /** Both endpoints show them, the first reading did not. */
  readonly missed: readonly Arrival[];
  /** Neither endpoint shows them. */
  readonly phantoms: readonly OwnedTransfer[];
}

/**
 * Settles by receipts what is in final blocks. Endpoints change places as they fall ill and recover, so whoever reads a
 * second time may be who read first: where there are two, both must show each transfer that is to be final.
 */
@Injectable()
export class CompareReadings {
  constructor(
    private readonly reader: ChainReader,
    private readonly witness: ChainWitness,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /**
   * @param told by the witness @param recorded in the same blocks
   * @returns a sentence where one endpoint shows a transfer and the other does not
   */
  async execute(told: readonly Arrival[], recorded: readonly OwnedTransfer[]): Promise<Difference | string> {
    const toldKeys = new Set(told.map(keyOf));
    const recordedKeys = new Set(recorded.map(({ transfer }) => keyOf(transfer)));
    const unheard = told.filter((transfer) => !recordedKeys.has(keyOf(transfer)));
    const all: Transfer[] = [...recorded.map(({ transfer }) => transfer), ...unheard];
    const shown = new Map<string, boolean>();
    for (let at = 0; at < all.length; at += AT_ONCE) {
      const some = all.slice(at, at + AT_ONCE);
      const verdicts = await Promise.all(
        some.map((transfer) => this.isShown(transfer, toldKeys, recordedKeys)),
      );
      const disputed = some.find((_, i) => verdicts[i] === null);
      if (disputed !== undefined) return `only one endpoint shows transfer ${nameOf(disputed)}.`;
      some.forEach((transfer, i) => shown.set(keyOf(transfer), verdicts[i]!));
    }
    return {
      missed: unheard.filter((transfer) => shown.get(keyOf(transfer))),
      phantoms: recorded.filter(({ transfer }) => !shown.get(keyOf(transfer))),
    };
  }

  /** @returns null where one endpoint shows it and the other does not */
  private async isShown(
    transfer: Transfer,
    told: ReadonlySet<string>,
    recorded: ReadonlySet<string>,
  ): Promise<boolean | null> {
    const { network, blockHash } = transfer;
    const bothReadings = told.has(keyOf(transfer)) && recorded.has(keyOf(transfer));
    const independent = this.witness.isIndependent(network);
    if (bothReadings && !independent) return true;
    const asTold = this.asTold(transfer);
    const first = await this.reader.holds(network, blockHash, asTold);
    if (!independent) return first;
    const second = await this.witness.holds(network, blockHash, asTold);
    return first === second ? first : null;
  }

  /** As a node tells of it; its asset may have been withdrawn since. */
  asTold({
    network,
    kind,
    transactionHash,
    index,
    uniqueAssetId,
    from,
    to,
    amount,
  }: Transfer): ChainTransfer {
    if (kind === 'balance' || transactionHash === null) throw new Error('A balance has no receipt.');
    const asset = this.catalogue.assets().find((known) => known.uniqueAssetId === uniqueAssetId);
    const token = asset?.token ?? uniqueAssetId.slice(`n${network}_t`.length);
    const spelled = token.startsWith('0x') ? token.toLowerCase() : token;
    return { kind, transactionHash, index, token: spelled, from, to, amount };
  }
}

export function keyOf({ kind, transactionHash, index, to, amount }: Transfer): string {
  return `${kind} ${transactionHash} ${index} ${to} ${amount}`;
}

function nameOf({ transactionHash, index, blockNumber }: Transfer): string {
  return `${index} of ${transactionHash} in block ${blockNumber}`;
}
