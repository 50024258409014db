import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import type { Asset } from '#shared/kernel/asset.js';
import { newId, type PaymentRequestId } from '#shared/kernel/ids.js';
import {
  type ChainQueries,
  type BlockContents,
  type BlockHeader,
  type ChainTransfer,
  type OwnAddressLookup,
} from '#contexts/networks/contract/chain-reader.js';
import { recipientKey, type Recipient } from '#contexts/networks/contract/deposit-addresses.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { requiredConfirmations } from '#contexts/networks/contract/finality-depth.js';
import { paidAmount, type RecordedPayout } from '../../domain/recorded-payouts.js';
import { EnrichIncomingTransfers } from './enrich-incoming-transfers.js';
import { RecordedTransfers } from '../../contract/recorded-transfers.js';
import { aggregationDay } from '../../contract/incoming-transfer.js';
import type { TransfersByRequest } from '../transfers-by-request.js';

export interface BlockWithContents extends BlockContents {
  readonly header: Pick<BlockHeader, 'number' | 'hash' | 'time'>;
}

export interface IncomingTransfers {
  /** In chain order. */
  readonly byRequest: TransfersByRequest;
  /** In chain order. */
  readonly payouts: readonly RecordedPayout[];
}

/** Looks up all addresses in one indexed statement. */
@Injectable()
export class MatchIncomingTransfers {
  constructor(
    private readonly chains: Chains,
    private readonly transfers: RecordedTransfers,
    private readonly catalogue: NetworkCatalogue,
    private readonly completeTransfers: EnrichIncomingTransfers,
  ) {}

  ownAddressLookup(network: string): OwnAddressLookup {
    return async (recipients) => new Set((await this.transfers.findOwners(network, recipients)).keys());
  }

  /** The request was committed before its address was displayed, so no payment can precede it. */
  async match(
    network: string,
    blocks: readonly BlockWithContents[],
    by: ChainQueries = this.chains.of(network).reader,
  ): Promise<IncomingTransfers> {
    const assets = this.assetsByToken(network);
    const recipients = collectRecipients(blocks);
    if (recipients.length === 0) return NO_INCOMING_TRANSFERS;
    const owners = await this.transfers.findOwners(network, recipients);
    if (owners.size === 0) return NO_INCOMING_TRANSFERS;
    const owned = [];
    for (const { header, transfers } of blocks) {
      // Contracts can emit a transfer of zero to any address.
      const ours = transfers.filter(
        ({ to, toTag, token, amount }) =>
          owners.has(recipientKey({ address: to, tag: toTag })) && assets.has(token) && amount > 0n,
      );
      if (ours.length === 0) continue;
      for (const { token, ...transfer } of await this.excludeFailedCalls(header.hash, ours, by)) {
        const request = owners.get(recipientKey({ address: transfer.to, tag: transfer.toTag }))!;
        const located = {
          ...this.toTransferFields(header, assets.get(token)!, transfer.amount),
          ...transfer,
        };
        owned.push({ request, located });
      }
    }
    const groups = [...Map.groupBy(owned, ({ request }) => request)];
    const byRequest = new Map(groups.map(([id, group]) => [id, group.map(({ located }) => located)]));
    const payouts = blocks.flatMap((block) => matchPayouts(block, owners, assets));
    return { byRequest: await this.completeTransfers.enrich(network, byRequest), payouts };
  }

  /** Removes native transfers of failed transactions, which still contain the value they would have moved. */
  private async excludeFailedCalls(
    blockHash: string,
    transfers: readonly ChainTransfer[],
    by: ChainQueries,
  ): Promise<ChainTransfer[]> {
    const calls = transfers.filter(({ kind }) => kind === 'call').map((call) => call.transactionHash);
    const successful = calls.length === 0 ? null : await by.succeededTransactions(blockHash, calls);
    return transfers.filter(
      ({ kind, transactionHash }) => kind !== 'call' || successful!.has(transactionHash),
    );
  }

  toTransferFields(header: BlockWithContents['header'], asset: Asset, amount: bigint) {
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
      gatheredOn: aggregationDay(amount, asset, header.time),
      awaitsCrossCheck: crossCheckAbove !== undefined && amount > crossCheckAbove,
    };
  }

  private assetsByToken(network: string): Map<string, Asset> {
    const assets = this.catalogue.assets().filter((asset) => asset.network === network);
    return new Map(assets.map((asset) => [asset.token, asset]));
  }
}

const NO_INCOMING_TRANSFERS: IncomingTransfers = { byRequest: new Map(), payouts: [] };

function collectRecipients(blocks: readonly BlockWithContents[]): Recipient[] {
  const all = blocks.flatMap(({ transfers, payouts }): Recipient[] => [
    ...transfers.map(({ to, toTag }) => ({ address: to, tag: toTag })),
    ...payouts.map(({ address }) => ({ address })),
  ]);
  return [...new Map(all.map((recipient) => [recipientKey(recipient), recipient])).values()];
}

function matchPayouts(
  { header, payouts }: BlockWithContents,
  owners: ReadonlyMap<string, PaymentRequestId>,
  assets: ReadonlyMap<string, Asset>,
): RecordedPayout[] {
  const { number: blockNumber, hash: blockHash, time: blockTime } = header;
  return payouts.flatMap(({ token, ...payout }) => {
    const asset = assets.get(token);
    // Anyone can call the factory contract for an address that holds nothing, which produces a payout of zero.
    if (asset === undefined || !owners.has(payout.address) || paidAmount(payout) === 0n) return [];
    const { uniqueAssetId, symbol: currency, decimals } = asset;
    return [{ ...payout, blockNumber, blockHash, blockTime, uniqueAssetId, currency, decimals }];
  });
}
