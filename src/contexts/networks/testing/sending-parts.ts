import { Clock } from '#shared/kernel/clock.js';
import { KnownChains } from '../domain/foreign-chain.js';
import { AuthorizationReads } from '../infrastructure/evm/authorizations/authorization-reads.js';
import { EvmAuthorizedTransfers } from '../infrastructure/evm/authorizations/evm-authorized-transfers.js';
import { TokenDomains } from '../infrastructure/evm/authorizations/token-domains.js';
import { EndpointPool } from '../infrastructure/endpoints/endpoint-pool.js';
import { EVM_ENDPOINTS } from '../infrastructure/evm/rpc/block-answers.js';
import { ProvenEndpoints } from '../infrastructure/evm/examination/proven-endpoints.js';
import { RpcChainInspection } from '../infrastructure/evm/examination/rpc-chain-inspection.js';
import { ForwarderDerivations } from '../infrastructure/evm/forwarders/forwarder-derivation.js';
import { JsonRpc } from '../infrastructure/json-rpc/json-rpc.js';
import { EndpointAccounts } from '../infrastructure/evm/sending/endpoint-accounts.js';
import { heldKeys } from '../infrastructure/evm/sending/held-keys.js';
import { NonceSearch } from '../infrastructure/evm/sending/nonce-search.js';
import { EvmTransferPlanning } from '../infrastructure/evm/sending/evm-transfer-planning.js';
import { EvmTransferPricing } from '../infrastructure/evm/sending/evm-transfer-pricing.js';
import { RpcSendingChain } from '../infrastructure/evm/sending/rpc-sending-chain.js';
import { RpcTransferSimulation } from '../infrastructure/evm/sending/rpc-transfer-simulation.js';
import type { NetworksSettings } from '../infrastructure/networks-settings.js';

/** Has met no chain yet, and remembers none. */
class NoKnownChains extends KnownChains {
  remember = () => Promise.reject(new Error('Nothing is remembered here.'));
  find = () => Promise.resolve(null);
}

/** Endpoints that are asked for their chain, without a database. */
export function provenEndpoints(settings: NetworksSettings, rpc: JsonRpc): ProvenEndpoints {
  const derivations = new ForwarderDerivations(settings);
  const pool = new EndpointPool(settings, rpc, [EVM_ENDPOINTS]);
  return new ProvenEndpoints(
    settings,
    new RpcChainInspection(settings, new NoKnownChains(), derivations, rpc, pool),
    rpc,
  );
}

export function sendingChain(endpoints: ProvenEndpoints, rpc: JsonRpc): RpcSendingChain {
  return new RpcSendingChain(endpoints, rpc, new EndpointAccounts(rpc), new NonceSearch(rpc));
}

/** Puts it together as the module does. */
export function transferPlanning(settings: NetworksSettings): EvmTransferPlanning {
  return sendingParts(settings).planning;
}

class SystemClock extends Clock {
  now = async () => new Date();
}

/** Authorized transfers, put together as the module does, in a process that holds the keys of the settings. */
export function authorizedTransfers(settings: NetworksSettings): EvmAuthorizedTransfers {
  const rpc = new JsonRpc(settings);
  const endpoints = provenEndpoints(settings, rpc);
  return new EvmAuthorizedTransfers(
    ...([endpoints, rpc, new TokenDomains(endpoints, rpc), new AuthorizationReads(rpc)] as const),
    ...([new RpcTransferSimulation(rpc), sendingChain(endpoints, rpc)] as const),
    ...([heldKeys(settings), new SystemClock()] as const),
  );
}

export function transferPricing(settings: NetworksSettings): EvmTransferPricing {
  const rpc = new JsonRpc(settings);
  return new EvmTransferPricing(provenEndpoints(settings, rpc), new EndpointAccounts(rpc));
}

export function sendingParts(settings: NetworksSettings) {
  const rpc = new JsonRpc(settings);
  const endpoints = provenEndpoints(settings, rpc);
  const chain = new RpcSendingChain(endpoints, rpc, new EndpointAccounts(rpc), new NonceSearch(rpc));
  return { chain, planning: new EvmTransferPlanning(endpoints, rpc, new RpcTransferSimulation(rpc), chain) };
}
