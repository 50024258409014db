import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import { newId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  type ChainAnswers,
  type BlockContents,
  type BlockHeader,
  type ChainTransfer,
  type OwnAddresses,
} from '#contexts/networks/contract/chain-reader.js';
import { recipientKey, type Recipient } from '#contexts/networks/contract/deposit-addresses.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { requiredConfirmations } from '#contexts/networks/contract/finality-depth.js';
import { whole, type RecordedPayout } from '../../domain/recorded-payouts.js';
import { CompleteIncomingTransfers, type ReadTransfer } from './complete-incoming-transfers.js';
import { RecordedTransfers } from '../../contract/recorded-transfers.js';
import { gatheringDay, type IncomingTransfer } from '../../contract/incoming-transfer.js';

/** The contents of a block. The confirmation read returns no complete header. */
export interface LocatedContents extends BlockContents {
  readonly header: Pick<BlockHeader, 'number' | 'hash' | 'time'>;
}

export interface IncomingTransfers {
  /** In chain order. */
  readonly byRequest: ReadonlyMap<PaymentRequestId, IncomingTransfer[]>;
  /** In chain order. */
  readonly payouts: readonly RecordedPayout[];
}

/** Finds transfers to deposit addresses, and payouts from them, in the blocks read. Uses one indexed statement. */
@Injectable()
export class MatchIncomingTransfers {
  constructor(
    private readonly chains: Chains,
    private readonly transfers: RecordedTransfers,
    private readonly catalogue: NetworkCatalogue,
    private readonly completeTransfers: CompleteIncomingTransfers,
  ) {}

  /** A filter for the reader, which applies it while it reads blocks too large for memory. */
  ownAddresses(network: string): OwnAddresses {
    return async (recipients) => new Set((await this.transfers.owners(network, recipients)).keys());
  }

  /**
   * Matches transfers to requests. A request paid in these blocks is already committed, because its address was displayed before.
   * @param by the endpoint that reports which transactions succeeded: only those moved their native value
   */
  async match(
    network: string,
    blocks: readonly LocatedContents[],
    by: ChainAnswers = this.chains.of(network).reader,
  ): Promise<IncomingTransfers> {
    const assets = this.assetsOf(network);
    const recipients = recipientsOf(blocks);
    if (recipients.size === 0) return NO_ARRIVALS;
    const owners = await this.transfers.owners(network, [...recipients.values()]);
    if (owners.size === 0) return NO_ARRIVALS;
    const byRequest = new Map<PaymentRequestId, ReadTransfer[]>();
    for (const { header, transfers } of blocks) {
      // Anyone can emit a transfer of zero to any address.
      const ours = transfers.filter(
        ({ to, toTag, token, amount }) =>
          owners.has(recipientKey({ address: to, tag: toTag })) && assets.has(token) && amount > 0n,
      );
      if (ours.length === 0) continue;
      for (const transfer of await this.succeeded(header.hash, ours, by)) {
        const owner = owners.get(recipientKey({ address: transfer.to, tag: transfer.toTag }))!;
        const list = byRequest.get(owner) ?? byRequest.set(owner, []).get(owner)!;
        const { token, ...seen } = transfer;
        list.push({ ...this.arrivalIn(header, assets.get(token)!, transfer.amount), ...seen });
      }
    }
    const payouts = blocks.flatMap((block) => payoutsOf(block, owners, assets));
    return { byRequest: await this.completeTransfers.complete(network, byRequest), payouts };
  }

  /** Removes native transfers of failed transactions, which still name the value they would have moved. */
  private async succeeded(
    blockHash: string,
    transfers: readonly ChainTransfer[],
    by: ChainAnswers,
  ): Promise<ChainTransfer[]> {
    const calls = transfers.filter(({ kind }) => kind === 'call').map((call) => call.transactionHash);
    const successful = calls.length === 0 ? null : await by.succeeded(blockHash, calls);
    return transfers.filter(
      ({ kind, transactionHash }) => kind !== 'call' || successful!.has(transactionHash),
    );
  }

  arrivalIn(header: LocatedContents['header'], asset: Asset, amount: bigint) {
    const { network, uniqueAssetId, symbol, decimals, crossCheckAbove } = asset;
    return {
      id: newId(),
      network,
      blockNumber: header.number,
      blockHash: header.hash,
      blockTime: header.time,
      uniqueAssetId,
      currency: symbol,
      decimals,
      amount,
      requiredConfirmations: requiredConfirmations(this.catalogue.network(network)!, asset, amount),
      gatheredOn: gatheringDay(amount, asset, header.time),
      awaitsCrossCheck: crossCheckAbove !== undefined && amount > crossCheckAbove,
    };
  }

  private assetsOf(network: string): Map<string, Asset> {
    const assets = this.catalogue.assets().filter((asset) => asset.network === network);
    return new Map(assets.map((asset) => [asset.token, asset]));
  }
}

const NO_ARRIVALS: IncomingTransfers = { byRequest: new Map(), payouts: [] };

/** Uses plain loops for speed: nearly all transfers here go to addresses of other parties. */
function recipientsOf(blocks: readonly LocatedContents[]): Map<string, Recipient> {
  const recipients = new Map<string, Recipient>();
  const add = (recipient: Recipient) => recipients.set(recipientKey(recipient), recipient);
  for (const { transfers, payouts } of blocks) {
    for (const { to, toTag } of transfers) add({ address: to, tag: toTag });
    for (const { address } of payouts) add({ address });
  }
  return recipients;
}

function payoutsOf(
  { header, payouts }: LocatedContents,
  owners: ReadonlyMap<string, PaymentRequestId>,
  assets: ReadonlyMap<string, Asset>,
): RecordedPayout[] {
  const { number: blockNumber, hash: blockHash, time: blockTime } = header;
  return payouts.flatMap(({ token, ...payout }) => {
    const asset = assets.get(token);
    // Anyone can call the factory for an address that holds nothing.
    if (asset === undefined || !owners.has(payout.address) || whole(payout) === 0n) return [];
    const { uniqueAssetId, symbol: currency, decimals } = asset;
    return [{ ...payout, blockNumber, blockHash, blockTime, uniqueAssetId, currency, decimals }];
  });
}
