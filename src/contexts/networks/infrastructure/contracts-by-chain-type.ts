import { noteSent } from '#shared/platform/database/sent-lately.js';
import { ChainTypes, type ChainType } from '../application/chain-types.js';
import type { AuthorizedTransfers } from '../contract/authorized-transfers.js';
import { ChainUnavailable } from '../contract/chain-reader.js';
import type { OutboundChain } from '../application/outbound/outbound-chain.js';
import type { TransferPlanning } from '../contract/transfer-planning.js';

export function sendingByChainType(chainTypes: ChainTypes): OutboundChain {
  const chainOf = (network: string) => {
    const { sending } = configured(chainTypes, network);
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
      noteSent({ kind: 'transaction', id: signed.hash, to: network });
      return chainOf(network).broadcast(network, signed);
    },
    views: async (network, ...rest) => chainOf(network).views(network, ...rest),
    nonceUse: async (network, ...rest) => chainOf(network).nonceUse(network, ...rest),
  };
}

export function transferPlanningByChainType(chainTypes: ChainTypes): TransferPlanning {
  const planningOf = (network: string) => {
    const { transferPlanning } = configured(chainTypes, network);
    if (transferPlanning === null)
      throw new ChainUnavailable(network, 'the service cannot send transactions on this network.');
    return transferPlanning;
  };
  return {
    encode: (network, ...rest) => planningOf(network).encode(network, ...rest),
    plan: async (network, ...rest) => planningOf(network).plan(network, ...rest),
    paidBy: (network, call) => planningOf(network).paidBy(network, call),
    moved: async (network, ...rest) => planningOf(network).moved(network, ...rest),
  };
}

/**
 * Throws `ChainUnavailable` if the network's chain type has no payments by signature. Exception: `domainOf` returns
 * null.
 */
export function authorizedTransfersByChainType(chainTypes: ChainTypes): AuthorizedTransfers {
  const transfersOf = (network: string) => {
    const { authorizedTransfers } = configured(chainTypes, network);
    if (authorizedTransfers === null)
      throw new ChainUnavailable(network, 'it does not accept payments by signature.');
    return authorizedTransfers;
  };
  return {
    domainOf: async (network, token) =>
      configured(chainTypes, network).authorizedTransfers?.domainOf(network, token) ?? null,
    encode: (signed) => transfersOf(signed.network).encode(signed),
    carriesOut: (signed, call) => transfersOf(signed.network).carriesOut(signed, call),
    read: (network, call) => transfersOf(network).read(network, call),
    plan: async (signed) => transfersOf(signed.network).plan(signed),
    isUsed: async (signed) => transfersOf(signed.network).isUsed(signed),
  };
}

function configured(chainTypes: ChainTypes, network: string): ChainType {
  chainTypes.of(network);
  return chainTypes.family(network);
}
