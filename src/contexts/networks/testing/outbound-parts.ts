import { Clock } from '#shared/kernel/clock.js';
import { KnownChains } from '../domain/wrong-chain.js';
import { AuthorizationQueries } from '#chains/evm/authorizations/authorization-queries.js';
import { EvmAuthorizedTransfers } from '#chains/evm/authorizations/evm-authorized-transfers.js';
import { TokenSignatureProbe } from '#chains/evm/authorizations/token-signature-probe.js';
import { EndpointPool } from '#chains/rpc/endpoint-pool.js';
import { EVM_ENDPOINT_SETTINGS } from '#chains/evm/evm-network.js';
import { VerifiedEndpoints } from '#chains/evm/check/verified-endpoints.js';
import { RpcChainInspection } from '#chains/evm/check/rpc-chain-inspection.js';
import { ForwarderDerivations } from '#chains/evm/forwarders/forwarder-derivations.js';
import { JsonRpc } from '#chains/rpc/json-rpc.js';
import { EndpointAccountQueries } from '#chains/evm/outbound/endpoint-account-queries.js';
import { senderKeysFrom } from '#chains/held-keys.js';
import { NonceSearch } from '#chains/evm/outbound/nonce-search.js';
import { EvmTransferPlanning } from '#chains/evm/outbound/evm-transfer-planning.js';
import { RpcOutboundChain } from '#chains/evm/outbound/rpc-outbound-chain.js';
import { RpcTransferSimulation } from '#chains/evm/outbound/rpc-transfer-simulation.js';
import type { NetworksSettings } from '../infrastructure/networks-settings.js';

class NoKnownChains extends KnownChains {
  remember = () => Promise.reject(new Error('Nothing is remembered here.'));
  find = () => Promise.resolve(null);
}

export function sendingParts(
  settings: NetworksSettings,
  known: KnownChains = new NoKnownChains(),
  rpc = new JsonRpc(settings),
) {
  const derivations = new ForwarderDerivations(settings);
  const pool = new EndpointPool(settings, rpc, [EVM_ENDPOINT_SETTINGS]);
  const inspection = new RpcChainInspection(settings, known, derivations, rpc, pool);
  const endpoints = new VerifiedEndpoints(settings, inspection, rpc);
  const chain = sendingChain(endpoints, rpc);
  const { network } = settings.networks[0]!;
  const planning = new EvmTransferPlanning(network, endpoints, rpc, new RpcTransferSimulation(rpc), chain);
  return { rpc, derivations, inspection, endpoints, chain, planning };
}

export function verifiedEndpoints(settings: NetworksSettings, rpc: JsonRpc): VerifiedEndpoints {
  return sendingParts(settings, undefined, rpc).endpoints;
}

export function sendingChain(endpoints: VerifiedEndpoints, rpc: JsonRpc): RpcOutboundChain {
  return new RpcOutboundChain(endpoints, rpc, new EndpointAccountQueries(rpc), new NonceSearch(rpc));
}

export function transferPlanning(settings: NetworksSettings): EvmTransferPlanning {
  return sendingParts(settings).planning;
}

class SystemClock extends Clock {
  now = async () => new Date();
}

/** Creates authorized transfers for a process that holds these keys. Default: the keys of the settings. */
export function authorizedTransfers(
  settings: NetworksSettings,
  { endpoints, rpc, chain } = sendingParts(settings),
  keys = senderKeysFrom(settings),
  clock: Clock = new SystemClock(),
): EvmAuthorizedTransfers {
  return new EvmAuthorizedTransfers(
    settings.networks[0]!.network,
    ...([endpoints, rpc, new TokenSignatureProbe(endpoints, rpc), new AuthorizationQueries(rpc)] as const),
    ...([new RpcTransferSimulation(rpc), chain, keys, clock] as const),
  );
}
