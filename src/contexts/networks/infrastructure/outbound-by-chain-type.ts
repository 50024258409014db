import { recordOutgoing } from '#shared/platform/database/sent-lately.js';
import type { ChainTypes } from '../application/chain-types.js';
import { ChainUnavailable } from '../contract/chain-reader.js';
import type { OutboundChain } from '../application/outbound/outbound-chain.js';

/** Methods throw `ChainUnavailable` if the network is not configured, or if the service sends nothing there. */
export function sendingByChainType(chainTypes: ChainTypes): OutboundChain {
  const chainOf = (network: string) => {
    chainTypes.of(network);
    const { sending } = chainTypes.family(network);
    if (sending === null)
      throw new ChainUnavailable(network, 'the service cannot send transactions on this network.');
    return sending;
  };
  return {
    chainId: (network) => chainOf(network).chainId(network),
    feeLimits: (network) => chainOf(network).feeLimits(network),
    contracts: (network, purpose) => chainOf(network).contracts(network, purpose),
    read: async (network, raw) => chainOf(network).read(network, raw),
    account: async (network, address) => chainOf(network).account(network, address),
    market: async (network) => chainOf(network).market(network),
    blockGas: async (network) => chainOf(network).blockGas(network),
    gasToItself: async (network, address) => chainOf(network).gasToItself(network, address),
    dataFee: async (network, transaction) => chainOf(network).dataFee(network, transaction),
    broadcast: async (network, signed) => {
      recordOutgoing({ kind: 'transaction', id: signed.hash, to: network });
      return chainOf(network).broadcast(network, signed);
    },
    views: async (network, ...rest) => chainOf(network).views(network, ...rest),
    nonceUse: async (network, ...rest) => chainOf(network).nonceUse(network, ...rest),
  };
}
