import type { Asset } from '#shared/kernel/asset.js';
import type { OwnAddressLookup } from '#contexts/networks/contract/chain-reader.js';
import { recipientKey } from '#contexts/networks/contract/deposit-addresses.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { ADDRESS_FORMATS } from '../addresses/address-format.js';
import { addressOfScript } from '../addresses/address-script.js';
import type { BitcoinNetworkConfiguration } from '../bitcoin-network.js';
import { BitcoinPendingTransfers } from '../pending/bitcoin-pending-transfers.js';
import { ReplacedTransactions } from '../pending/replaced-transactions.js';
import { MempoolEntries } from '../pending/mempool-entries.js';
import { MempoolTransactions } from '../pending/mempool-transactions.js';
import { BitcoinTransferFeeEstimator } from '../bitcoin-transfer-fee-estimator.js';
import { BitcoinChainReader } from '../reading/bitcoin-chain-reader.js';
import { BitcoinSecondEndpoint } from '../reading/bitcoin-second-endpoint.js';
import { BitcoinTransactionLookup } from '../reading/bitcoin-transaction-lookup.js';
import { HeaderChain } from '../reading/header-chain.js';
import { VerifiedBlockCache } from '../reading/verified-block-cache.js';
import { WatchedChains } from '../reading/watched-chains.js';
import { BITCOIN_ENDPOINT_SETTINGS } from '../rpc/block-calls.js';
import { EndpointPool } from '../../rpc/endpoint-pool.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import {
  NetworksSettings,
  type RpcClientOptions,
} from '#contexts/networks/infrastructure/networks-settings.js';

export const BITCOIN_NETWORK = 'bitcoin';
const REGTEST = 0xdab5bffa;

/** Returns an output script that pays a key nobody owns, and its address. */
export function recipient(digits: string): { readonly script: string; readonly address: string } {
  const script = `0014${digits.padStart(40, '0')}`;
  return { script, address: addressOfScript(ADDRESS_FORMATS.regtest, script)!.address };
}

const COIN: Asset = {
  uniqueAssetId: `n${BITCOIN_NETWORK}_tBTC`,
  network: BITCOIN_NETWORK,
  token: 'BTC',
  symbol: 'BTC',
  name: 'Bitcoin',
  decimals: 8,
  minimumAmount: 1n,
};

/** Configures a regtest network with these endpoints, whose mempools are queried at each check. */
export function bitcoinConfiguration(rpcUrls: readonly string[]): BitcoinNetworkConfiguration {
  return {
    network: BITCOIN_NETWORK,
    name: 'Bitcoin',
    family: 'bitcoin',
    hidesNativeTransfers: false,
    deliversDirectly: true,
    finality: { kind: 'confirmations', confirmations: 1 },
    blockSeconds: 600,
    inclusionGraceSeconds: 0,
    pendingGraceSeconds: 86_400,
    maxLagSeconds: 21_600,
    chainId: REGTEST,
    rpcUrls,
    acceptedRisks: new Set(),
    contracts: [],
    settlement: { everySeconds: 300, maxGasSharePercent: 2, afterHours: 168, isPaused: false },
    assets: [COIN],
    mempoolPollSeconds: 0,
  };
}

/** Long timeouts, so that an honest node never fails on a slow machine. Tests of silent nodes set shorter ones. */
const PATIENCE: RpcClientOptions = {
  callTimeoutMs: 60_000,
  retryAfterMs: [],
  backOffMs: [20, 100],
  headsEveryMs: 50,
};

export function bitcoinLayer(
  rpcUrls: readonly string[],
  changes: Partial<BitcoinNetworkConfiguration> = {},
  patience: Partial<RpcClientOptions> = {},
) {
  const configuration = { ...bitcoinConfiguration(rpcUrls), ...changes };
  const settings = new NetworksSettings([configuration], { ...PATIENCE, ...patience });
  const rpc = new JsonRpc(settings, { bitcoin: BITCOIN_ENDPOINT_SETTINGS });
  const pool = new EndpointPool(settings, rpc, [BITCOIN_ENDPOINT_SETTINGS]);
  rpc.endpoints(BITCOIN_NETWORK).forEach((endpoint) => pool.admit(endpoint));
  const readiness = new NetworkReadiness();
  readiness.set(BITCOIN_NETWORK, { kind: 'ready' });
  const networks = new WatchedChains(settings, readiness);
  const headers = new HeaderChain(rpc);
  const blocks = new VerifiedBlockCache(rpc, headers);
  const shown = new MempoolTransactions(rpc, pool);
  const entries = new MempoolEntries(rpc, pool);
  const fates = new ReplacedTransactions(rpc);
  return {
    configuration,
    settings,
    rpc,
    pool,
    headers,
    readiness,
    reader: new BitcoinChainReader(BITCOIN_NETWORK, networks, pool, rpc, headers, blocks),
    secondEndpoint: new BitcoinSecondEndpoint(BITCOIN_NETWORK, networks, pool, rpc, headers, blocks),
    lookup: new BitcoinTransactionLookup(BITCOIN_NETWORK, networks, pool, rpc, headers),
    pricing: new BitcoinTransferFeeEstimator(settings, networks, pool, rpc),
    pending: new BitcoinPendingTransfers(BITCOIN_NETWORK, networks, pool, rpc, shown, entries, fates),
  };
}

export function ownOf(addresses: readonly string[], asked?: (recipients: number) => void): OwnAddressLookup {
  return (recipients) => {
    asked?.(recipients.length);
    return Promise.resolve(new Set(recipients.map(recipientKey).filter((key) => addresses.includes(key))));
  };
}
