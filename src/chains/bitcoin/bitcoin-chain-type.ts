import { Injectable } from '@nestjs/common';
import { ChainType } from '#contexts/networks/application/chain-types.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import type { Chain } from '#contexts/networks/contract/chains.js';
import { EndpointPool } from '../rpc/endpoint-pool.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { BITCOIN, bitcoinChainOf } from './bitcoin-network.js';
import { BitcoinPayoutAddresses } from './addresses/bitcoin-payout-addresses.js';
import { DescriptorAddresses } from './addresses/descriptor-addresses.js';
import { DescriptorWallets } from './addresses/descriptor-wallets.js';
import { BitcoinTransferPricing } from './bitcoin-transfer-pricing.js';
import { BitcoinChainInspection } from './check/bitcoin-chain-inspection.js';
import { BitcoinNetworkExamination } from './check/bitcoin-network-examination.js';
import { BitcoinNodeExamination } from './check/bitcoin-node-examination.js';
import { BitcoinPendingTransfers } from './pending/bitcoin-pending-transfers.js';
import { PendingFates } from './pending/pending-fates.js';
import { PoolEntries } from './pending/pool-entries.js';
import { MempoolTransactions } from './pending/mempool-transactions.js';
import { BitcoinChainReader } from './reading/bitcoin-chain-reader.js';
import { BitcoinSecondEndpoint } from './reading/bitcoin-second-endpoint.js';
import { BitcoinTransactionLookup } from './reading/bitcoin-transaction-lookup.js';
import { HeaderChain } from './reading/header-chain.js';
import { ProvenBlocks } from './reading/proven-blocks.js';
import { WatchedChains } from './reading/watched-chains.js';

/** Deposit addresses are children of the merchants' own keys. */
@Injectable()
export class BitcoinChainType extends ChainType {
  readonly name = BITCOIN;
  readonly deployment = null;
  readonly sending = null;

  constructor(
    private readonly networks: WatchedChains,
    private readonly pool: EndpointPool,
    private readonly rpc: JsonRpc,
    private readonly headers: HeaderChain,
    private readonly blocks: ProvenBlocks,
    private readonly shown: MempoolTransactions,
    private readonly entries: PoolEntries,
    private readonly fates: PendingFates,
    readonly inspection: BitcoinChainInspection,
    readonly examination: BitcoinNetworkExamination,
    readonly transferPricing: BitcoinTransferPricing,
  ) {
    super();
  }

  chainOf(configuration: NetworkConfiguration): Chain {
    const { network } = configuration;
    const { format } = bitcoinChainOf(configuration);
    const wallets = new DescriptorWallets(format);
    const { networks, pool, rpc, headers, blocks, shown, entries, fates } = this;
    return {
      reader: new BitcoinChainReader(network, networks, pool, rpc, headers, blocks),
      secondEndpoint: new BitcoinSecondEndpoint(network, networks, pool, rpc, headers, blocks),
      lookup: new BitcoinTransactionLookup(network, networks, pool, rpc, headers),
      pending: new BitcoinPendingTransfers(network, networks, pool, rpc, shown, entries, fates),
      depositAddresses: new DescriptorAddresses(wallets),
      payoutAddresses: new BitcoinPayoutAddresses(format, wallets),
      wallets,
    };
  }
}

export const BITCOIN_PROVIDERS = [
  WatchedChains,
  HeaderChain,
  ProvenBlocks,
  MempoolTransactions,
  PoolEntries,
  PendingFates,
  BitcoinChainInspection,
  BitcoinNodeExamination,
  BitcoinNetworkExamination,
  BitcoinTransferPricing,
  BitcoinChainType,
];
