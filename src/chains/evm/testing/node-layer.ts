import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { EndpointBlocks } from '../reading/endpoint-blocks.js';
import { EndpointBlockContents } from '../reading/endpoint-block-contents.js';
import { EndpointLogs } from '../reading/logs/endpoint-logs.js';
import { EndpointPool } from '../../rpc/endpoint-pool.js';
import { EVM_ENDPOINT_SETTINGS } from '../evm-network.js';
import { EndpointBalances } from '../reading/endpoint-balances.js';
import { EndpointReceiptProofs } from '../reading/endpoint-receipt-proofs.js';
import { ForwarderDerivations } from '../forwarders/forwarder-derivations.js';
import { FullBlocks } from '../reading/full-blocks.js';
import { LargeBlockLogs } from '../reading/logs/large-block-logs.js';
import { TransactionReceipts } from '../reading/transaction-receipts.js';
import { IdentifiedNetworks } from '../reading/watched-assets.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { RpcChainReader } from '../../rpc/reading/rpc-chain-reader.js';
import { RpcSecondEndpoint } from '../../rpc/reading/rpc-second-endpoint.js';
import type { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';

/**
 * Creates reader and second endpoint of the first network as the module does, with every network identified and
 * admitted.
 */
export function nodeLayer(settings: NetworksSettings, readiness = identified(settings)) {
  const { network } = settings.networks[0]!;
  const rpc = new JsonRpc(settings);
  const pool = new EndpointPool(settings, rpc, [EVM_ENDPOINT_SETTINGS]);
  for (const each of settings.networks)
    for (const endpoint of rpc.endpoints(each.network)) pool.admit(endpoint);
  const networks = new IdentifiedNetworks(settings, new ForwarderDerivations(settings), readiness);
  const blocks = new EndpointBlocks(rpc, new FullBlocks(rpc, settings));
  const receipts = new TransactionReceipts(rpc);
  const largeBlocks = new LargeBlockLogs(rpc, blocks, receipts);
  const contents = new EndpointBlockContents(new EndpointLogs(rpc, blocks, largeBlocks), settings);
  const proofs = new EndpointReceiptProofs(rpc, blocks, receipts);
  const balances = new EndpointBalances(rpc);
  return {
    rpc,
    networks,
    pool,
    reader: new RpcChainReader(network, networks, pool, blocks, contents, proofs, balances),
    secondEndpoint: new RpcSecondEndpoint(network, networks, pool, blocks, contents, proofs, balances),
  };
}

function identified({ networks }: NetworksSettings): NetworkReadiness {
  const readiness = new NetworkReadiness();
  for (const { network } of networks) readiness.set(network, { kind: 'ready' });
  return readiness;
}
