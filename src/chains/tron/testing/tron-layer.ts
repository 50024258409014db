import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { parseNetworksConfiguration } from '#contexts/networks/infrastructure/configuration/parse-networks-configuration.js';
import {
  NetworksSettings,
  type RpcClientOptions,
} from '#contexts/networks/infrastructure/networks-settings.js';
import { EndpointPool } from '../../rpc/endpoint-pool.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { TronNetworkConfigurationCheck } from '../check/tron-network-configuration-check.js';
import { TronChainInspection } from '../check/tron-chain-inspection.js';
import { TronBalances } from '../reading/tron-balances.js';
import { TronBlocks } from '../reading/tron-blocks.js';
import { TronReceipts } from '../reading/tron-receipts.js';
import { TronEndpoints } from '../sending/tron-endpoints.js';
import { TronFactoryDeployment } from '../sending/tron-factory-deployment.js';
import { TronOutboundChain } from '../sending/tron-outbound-chain.js';
import { WatchedTronNetworks } from '../reading/watched-tron.js';
import { TronChainType } from '../tron-chain-type.js';
import { TRON, TRON_ENDPOINT_SETTINGS } from '../tron-network.js';
import { TronTransferFeeEstimator } from '../tron-transfer-fee-estimator.js';

export const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
/** A wallet of nobody. */
export const WALLET = 'TThJt8zaJzJMhCEScH7zWKnp5buVZqys9x';

export const NILE_CHAIN_ID = 3_448_148_188;

export function tronNetwork(changes: object = {}): object {
  const asset = { token: USDT, symbol: 'USDT', name: 'Tether USD', decimals: 6, minimum_amount: '1' };
  return {
    network: 'trc20',
    name: 'TRON (TRC-20)',
    family: TRON,
    chain_id: NILE_CHAIN_ID,
    rpc_urls: ['http://127.0.0.1:8545'],
    finality: 'finalized',
    factory: 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR',
    assets: [asset],
    ...changes,
  };
}

/** The parts of the chain type for one network, with its endpoints admitted. */
export function tronLayer(changes: object, patience: Partial<RpcClientOptions> = {}) {
  const [configuration] = parseNetworksConfiguration([JSON.parse(JSON.stringify(tronNetwork(changes)))]);
  const { network } = configuration!;
  const settings = new NetworksSettings([configuration!], {
    ...{ callTimeoutMs: 60_000, retryAfterMs: [5, 5], backOffMs: [20, 100], headsEveryMs: 50 },
    ...patience,
  });
  const rpc = new JsonRpc(settings, { [TRON]: TRON_ENDPOINT_SETTINGS });
  const pool = new EndpointPool(settings, rpc, [TRON_ENDPOINT_SETTINGS]);
  rpc.endpoints(network).forEach((endpoint) => pool.admit(endpoint));
  const readiness = new NetworkReadiness();
  readiness.set(network, { kind: 'ready' });
  const networks = new WatchedTronNetworks(settings, readiness);
  const receipts = new TronReceipts(rpc, settings);
  const inspection = new TronChainInspection(
    settings,
    { find: () => Promise.resolve(null) } as never,
    rpc,
    pool,
  );
  const clock = { now: () => Promise.resolve(new Date(0)) };
  const check = new TronNetworkConfigurationCheck(clock as never, rpc, receipts, inspection);
  const pricing = new TronTransferFeeEstimator(networks, pool, rpc);
  const blocks = new TronBlocks(rpc);
  const balances = new TronBalances(rpc, blocks, receipts);
  const endpoints = new TronEndpoints(settings, inspection, rpc);
  const sending = new TronOutboundChain(endpoints, rpc);
  const deployment = new TronFactoryDeployment(inspection, endpoints, rpc);
  const type = new TronChainType(
    networks,
    pool,
    rpc,
    blocks,
    receipts,
    balances,
    readiness,
    inspection,
    check,
    pricing,
    endpoints,
    sending,
    deployment,
  );
  return {
    configuration: configuration!,
    sending,
    deployment,
    rpc,
    pool,
    readiness,
    inspection,
    check,
    pricing,
    ...type.chainOf(configuration!),
  };
}
