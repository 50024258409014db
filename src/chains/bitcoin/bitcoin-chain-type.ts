import { Injectable } from '@nestjs/common';
import { ChainType } from '#contexts/networks/application/chain-types.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import type { Chain } from '#contexts/networks/contract/chains.js';
import { EndpointPool } from '../rpc/endpoint-pool.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { BITCOIN, bitcoinChainOf } from './bitcoin-network.js';
import { BitcoinPayoutAddressRules } from './addresses/bitcoin-payout-address-rules.js';
import { DescriptorAddresses } from './addresses/descriptor-addresses.js';
import { DescriptorWallets } from './addresses/descriptor-wallets.js';
import { BitcoinTransferFeeEstimator } from './bitcoin-transfer-fee-estimator.js';
import { BitcoinChainInspection } from './check/bitcoin-chain-inspection.js';
import { BitcoinNetworkConfigurationCheck } from './check/bitcoin-network-configuration-check.js';
import { BitcoinNodeCheck } from './check/bitcoin-node-check.js';
import { BitcoinPendingTransfers } from './pending/bitcoin-pending-transfers.js';
import { ReplacedTransactions } from './pending/replaced-transactions.js';
import { MempoolEntries } from './pending/mempool-entries.js';
import { MempoolTransactions } from './pending/mempool-transactions.js';
import { BitcoinChainReader } from './reading/bitcoin-chain-reader.js';
import { BitcoinSecondEndpoint } from './reading/bitcoin-second-endpoint.js';
import { BitcoinTransactionLookup } from './reading/bitcoin-transaction-lookup.js';
import { HeaderChain } from './reading/header-chain.js';
import { VerifiedBlockCache } from './reading/verified-block-cache.js';
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
    private readonly blocks: VerifiedBlockCache,
    private readonly shown: MempoolTransactions,
    private readonly entries: MempoolEntries,
    private readonly fates: ReplacedTransactions,
    readonly inspection: BitcoinChainInspection,
    readonly examination: BitcoinNetworkConfigurationCheck,
    readonly transferPricing: BitcoinTransferFeeEstimator,
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
      payoutAddresses: new BitcoinPayoutAddressRules(format, wallets),
      wallets,
    };
  }
}

export const BITCOIN_NEST_PROVIDERS = [
  WatchedChains,
  HeaderChain,
  VerifiedBlockCache,
  MempoolTransactions,
  MempoolEntries,
  ReplacedTransactions,
  BitcoinChainInspection,
  BitcoinNodeCheck,
  BitcoinNetworkConfigurationCheck,
  BitcoinTransferFeeEstimator,
  BitcoinChainType,
];
