import { rememberExternalSend } from '#shared/platform/database/recent-external-sends.js';
import type { ChainTypes } from '../application/chain-types.js';
import { ChainUnavailable } from '../contract/chain-reader.js';
import type { OutboundChain } from '../application/outbound/outbound-chain.js';

/** Methods throw `ChainUnavailable` if the network is not configured, or if the service sends nothing there. */
export function outboundChainByChainType(chainTypes: ChainTypes): OutboundChain {
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
    callableContracts: (network, purpose) => chainOf(network).callableContracts(network, purpose),
    decode: async (network, raw) => chainOf(network).decode(network, raw),
    senderAccountState: async (network, address) => chainOf(network).senderAccountState(network, address),
    gasFeeMarket: async (network) => chainOf(network).gasFeeMarket(network),
    blockGasLimit: async (network) => chainOf(network).blockGasLimit(network),
    selfTransferGas: async (network, address) => chainOf(network).selfTransferGas(network, address),
    dataFee: async (network, transaction) => chainOf(network).dataFee(network, transaction),
    broadcast: async (network, signed) => {
      rememberExternalSend({ kind: 'transaction', id: signed.hash, to: network });
      return chainOf(network).broadcast(network, signed);
    },
    nonceObservations: async (network, ...rest) => chainOf(network).nonceObservations(network, ...rest),
    nonceUse: async (network, ...rest) => chainOf(network).nonceUse(network, ...rest),
  };
}
