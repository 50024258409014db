import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { noteSent } from '#shared/platform/database/sent-lately.js';
import { ChainTypes, type ChainType } from '../application/chain-types.js';
import type { AuthorizedTransfers } from '../contract/authorized-transfers.js';
import { ChainUnavailable } from '../contract/chain-reader.js';
import {
  type AddressSource,
  DepositAddresses,
  type DepositTerms,
  type Derivation,
  type DerivedAddress,
  type Recipient,
  type TransferUri,
} from '../contract/deposit-addresses.js';
import type { OutboundChain } from '../application/outbound/outbound-chain.js';
import type { MerchantWallets, PayoutAddresses } from '../contract/payout-addresses.js';
import type { GasPrices } from '../contract/settlement-policies.js';
import type { SettlementPlanning } from '../contract/settlement-planning.js';
import type { TransferPlanning } from '../contract/transfer-planning.js';
import { expectedPrice } from '../domain/outbound/fees.js';

export function payoutAddressesByChainType(chainTypes: ChainTypes): PayoutAddresses {
  const addressesOf = (network: string) => configured(chainTypes, network).payoutAddresses;
  return {
    read: (network, ...rest) => addressesOf(network).read(network, ...rest),
    readTerms: (network, ...rest) => addressesOf(network).readTerms(network, ...rest),
    takesFee: (network) => addressesOf(network).takesFee(network),
    nobody: (network) => addressesOf(network).nobody(network),
  };
}

export function walletsByChainType(chainTypes: ChainTypes): MerchantWallets {
  return { find: (network, terms) => chainTypes.find(network)?.wallets?.find(network, terms) ?? null };
}

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

export function gasPrices(chain: OutboundChain): GasPrices {
  return { now: async (network) => expectedPrice(await chain.market(network), chain.feeLimits(network)) };
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

export function settlementPlanningByChainType(chainTypes: ChainTypes): SettlementPlanning {
  const planningOf = (network: string) => {
    const { settlementPlanning } = configured(chainTypes, network);
    if (settlementPlanning === null)
      throw new ChainUnavailable(network, 'its chain type does not support settlements.');
    return settlementPlanning;
  };
  return {
    plan: async (network, ...rest) => planningOf(network).plan(network, ...rest),
    outcome: async (network, ...rest) => planningOf(network).outcome(network, ...rest),
    dataFee: async (network) => planningOf(network).dataFee(network),
  };
}

function configured(chainTypes: ChainTypes, network: string): ChainType {
  const family = chainTypes.find(network);
  if (family === undefined) throw new ChainUnavailable(network, 'it is not configured.');
  return family;
}

@Injectable()
export class DepositAddressesByChainType extends DepositAddresses {
  constructor(private readonly chainTypes: ChainTypes) {
    super();
  }

  numbering(network: string, terms: DepositTerms): string | null {
    return this.chainTypes.find(network)?.depositAddresses.numbering(network, terms) ?? null;
  }

  derive(network: string, terms: DepositTerms, source: AddressSource): DerivedAddress {
    const family = this.chainTypes.find(network);
    if (family === undefined) {
      const message = `The network ${network} is not configured. Use another network.`;
      throw new DomainError('unavailable', 'unavailable', message);
    }
    return family.depositAddresses.derive(network, terms, source);
  }

  deriveAgain(
    network: string,
    terms: DepositTerms,
    source: AddressSource,
    derivation: Derivation,
  ): Recipient | null {
    const family = this.chainTypes.find(network);
    return family?.depositAddresses.deriveAgain(network, terms, source, derivation) ?? null;
  }

  transferUri(asset: Asset, to: Recipient, amount: bigint): TransferUri | null {
    return this.chainTypes.find(asset.network)?.depositAddresses.transferUri(asset, to, amount) ?? null;
  }
}
