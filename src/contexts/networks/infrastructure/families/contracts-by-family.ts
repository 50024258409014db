import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { ChainFamilies, type ChainFamily } from '../../application/chain-families.js';
import { type ChainReader, ChainUnavailable, type SecondEndpoint } from '../../contract/chain-reader.js';
import {
  DepositAddresses,
  type DepositTerms,
  type Derivation,
  type DerivedAddress,
  type Recipient,
} from '../../contract/deposit-addresses.js';
import type { SendingChain } from '../../application/sending/sending-chain.js';
import type { PayoutAddresses } from '../../contract/payout-addresses.js';
import type { SettlementPlanning } from '../../contract/settlement-planning.js';
import type { TransactionLookup } from '../../contract/transaction-lookup.js';
import type { TransferPlanning } from '../../contract/transfer-planning.js';

/** Methods return a promise, which then also carries the failure, or a value. */
type Methods<Contract> = Readonly<Record<keyof Contract, 'promise' | 'value'>>;
type Method = (network: string, ...rest: unknown[]) => unknown;

const OF_BLOCKS = {
  block: 'promise',
  succeeded: 'promise',
  balances: 'promise',
  tokenBalances: 'promise',
  holds: 'promise',
} as const;

export function readerByFamily(families: ChainFamilies): ChainReader {
  const methods = { ...OF_BLOCKS, head: 'promise', blocks: 'promise', doubt: 'value' } as const;
  return byFamily(families, ({ reader }) => reader, methods);
}

export function secondEndpointByFamily(families: ChainFamilies): SecondEndpoint {
  const own = {
    isIndependent: 'value',
    isAlone: 'value',
    finalNumber: 'promise',
    contents: 'promise',
  } as const;
  return byFamily(families, ({ secondEndpoint }) => secondEndpoint, { ...OF_BLOCKS, ...own });
}

export function lookupByFamily(families: ChainFamilies): TransactionLookup {
  return byFamily(families, ({ lookup }) => lookup, { readHash: 'value', find: 'promise' });
}

export function payoutAddressesByFamily(families: ChainFamilies): PayoutAddresses {
  return byFamily(families, ({ payoutAddresses }) => payoutAddresses, { read: 'value', nobody: 'value' });
}

/** Asked about a network whose family sends nothing, it is `ChainUnavailable`. */
export function sendingByFamily(families: ChainFamilies): SendingChain {
  const partOf = (family: ChainFamily, network: string) => {
    if (family.sending === null) throw new ChainUnavailable(network, 'nothing can be sent there.');
    return family.sending;
  };
  return byFamily(families, partOf, {
    ...({
      chainId: 'value',
      feeLimits: 'value',
      contracts: 'value',
      read: 'promise',
      account: 'promise',
      market: 'promise',
      blockGas: 'promise',
      gasToItself: 'promise',
    } as const),
    ...({ dataFee: 'promise', broadcast: 'promise', views: 'promise', nonceUse: 'promise' } as const),
  });
}

/** Asked about a network whose family sends nothing, it is `ChainUnavailable`. */
export function transferPlanningByFamily(families: ChainFamilies): TransferPlanning {
  const partOf = (family: ChainFamily, network: string) => {
    if (family.transferPlanning === null) throw new ChainUnavailable(network, 'nothing can be sent there.');
    return family.transferPlanning;
  };
  return byFamily(families, partOf, {
    encode: 'value',
    plan: 'promise',
    paidBy: 'value',
    moved: 'promise',
  });
}

/** Asked about a network whose family settles nothing, it is `ChainUnavailable`. */
export function settlementPlanningByFamily(families: ChainFamilies): SettlementPlanning {
  const partOf = (family: ChainFamily, network: string) => {
    if (family.settlementPlanning === null)
      throw new ChainUnavailable(network, 'its family settles nothing.');
    return family.settlementPlanning;
  };
  return byFamily(families, partOf, { plan: 'promise', outcome: 'promise', dataFee: 'promise' });
}

/**
 * A contract whose every method is answered by the family of the network that is its first argument.
 * One that is not configured is `ChainUnavailable`.
 */
function byFamily<Contract extends object>(
  families: ChainFamilies,
  partOf: (family: ChainFamily, network: string) => Contract,
  methods: Methods<Contract>,
): Contract {
  const call =
    (name: string): Method =>
    (network, ...rest) => {
      const family = families.find(network);
      if (family === undefined) throw new ChainUnavailable(network, 'it is not configured.');
      return (partOf(family, network) as Record<string, Method>)[name]!(network, ...rest);
    };
  const forwarded = Object.entries(methods).map(([name, returns]) => {
    const method = call(name);
    return [name, returns === 'value' ? method : async (...args: Parameters<Method>) => method(...args)];
  });
  return Object.fromEntries(forwarded) as Contract;
}

@Injectable()
export class DepositAddressesByFamily extends DepositAddresses {
  constructor(private readonly families: ChainFamilies) {
    super();
  }

  derive(network: string, terms: DepositTerms, salt: string): DerivedAddress {
    const family = this.families.find(network);
    if (family === undefined) {
      const message = `Network ${network} takes no requests: it is not configured.`;
      throw new DomainError('unavailable', 'unavailable', message);
    }
    return family.depositAddresses.derive(network, terms, salt);
  }

  deriveAgain(network: string, terms: DepositTerms, salt: string, derivation: Derivation): Recipient | null {
    const family = this.families.find(network);
    return family?.depositAddresses.deriveAgain(network, terms, salt, derivation) ?? null;
  }

  transferUri(asset: Asset, to: Recipient, amount: bigint): string | null {
    return this.families.find(asset.network)?.depositAddresses.transferUri(asset, to, amount) ?? null;
  }
}
