import type { Asset } from '#shared/kernel/asset.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { ChainType, NetworkConfigurationCheck, ChainInspection } from '../application/chain-types.js';
import type { BlockHeader } from '../contract/chain-reader.js';
import {
  type AddressDerivationInput,
  type DepositAddresses,
  type DepositTerms,
  type DerivedAddress,
  type Derivation,
} from '../contract/deposit-addresses.js';
import { PayoutAddressRules } from '../contract/payout-address-rules.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { NetworkCheckFinding } from '../domain/finding.js';
import type { NetworkConfiguration } from '../domain/network-configuration.js';
import type { ChainTypeConfigurationSchema } from '../infrastructure/configuration/configuration-reader.js';
import { MemoryAuthorizedTransfers } from './memory-authorizations.js';
import type { MemoryBlock, MemoryChain } from './memory-chain.js';
import { InMemoryLookup, InMemoryReading } from './in-memory-reading.js';

export const MEMORY_NETWORK = 'memory';
/** The only account to which payers of a memory network send. */
export const MEMORY_ACCOUNT = 'rCOLLECTOR';
/** A token that accepts payments by signature and has no other features. */
export const MEMORY_TOKEN = 'rTOKEN';
const MEMORY_TIME = 1_900_000_000n;
const ACCOUNT = /^r[A-Z]{4,20}$/;

export const MEMORY_COIN: Asset = {
  uniqueAssetId: `n${MEMORY_NETWORK}_tMEM`,
  network: MEMORY_NETWORK,
  token: 'MEM',
  symbol: 'MEM',
  name: 'Memory Coin',
  decimals: 6,
  minimumAmount: 1n,
};

export const MEMORY_CONFIGURATION: NetworkConfiguration = {
  network: MEMORY_NETWORK,
  name: 'Memory',
  family: 'memory',
  hidesNativeTransfers: false,
  deliversDirectly: false,
  finality: { kind: 'confirmations', confirmations: 3 },
  blockSeconds: 60,
  inclusionGraceSeconds: 60,
  maxLagSeconds: 400 * 86_400,
  chainId: 1,
  rpcUrls: ['http://127.0.0.1:1'],
  acceptedRisks: new Set(),
  contracts: [],
  settlement: { everySeconds: 300, maxGasSharePercent: 2, afterHours: 168, isPaused: false },
  assets: [MEMORY_COIN],
};

/** Configuration of the memory chain type. Asset names are not restricted. */
export const MEMORY_SETTINGS: ChainTypeConfigurationSchema = {
  name: 'memory',
  chainKey: 'chain_id',
  settings: ['collector'],
  hidesNativeTransfers: false,
  followsPending: false,
  deliversDirectly: false,
  hasBrowserWallets: false,
  nativeDecimals: 6,
  nativeSymbols: {},
  readChainId: (network) => network.integer('chain_id', 1, Number.MAX_SAFE_INTEGER),
  readToken: (asset) => asset.text('token', (text) => ACCOUNT.test(text), 'must be an account'),
  readChainTypeSettings: () => ({ contracts: [] }),
};

/**
 * Deposit addresses with one account for all requests and a memo for each. Their derivation has nothing in common with
 * that of EVM networks.
 */
class MemoDeposits implements DepositAddresses {
  sequenceName(): null {
    return null;
  }

  derive(terms: DepositTerms, { requestId }: AddressDerivationInput): DerivedAddress {
    const { settlementAddress, feeBasisPoints } = terms;
    const memo = BigInt(`0x${requestId.replaceAll('-', '')}`).toString();
    const derivation = { account: MEMORY_ACCOUNT, sweepTo: settlementAddress, split: [feeBasisPoints] };
    return { address: MEMORY_ACCOUNT, tag: memo, derivation };
  }

  rederive(terms: DepositTerms, source: AddressDerivationInput, { account }: Derivation) {
    return account === MEMORY_ACCOUNT ? this.derive(terms, source) : null;
  }

  transferUri(): null {
    return null;
  }
}

class AccountNames extends PayoutAddressRules {
  parse(field: string, text: string): string {
    if (ACCOUNT.test(text)) return text;
    throw invalidField(field, 'account_name', 'must be r and four to twenty capital letters.');
  }

  placeholderFeeRecipient(): string {
    return '';
  }
}

interface HeldBlocks {
  readonly head: BlockHeader;
  readonly blocks: readonly { readonly header: BlockHeader }[];
}

export class InMemoryInspection extends ChainInspection {
  private readonly endpoint: Endpoint;

  constructor(
    network: string,
    private readonly chain: HeldBlocks,
  ) {
    super();
    this.endpoint = { network, position: 0, name: 'memory', fingerprint: 'memory' };
  }

  endpoints = () => [this.endpoint];
  unverifiedEndpoints = () => [];
  identity = () => Promise.resolve({ chainId: 1, genesisHash: this.chain.blocks[0]!.header.hash });
  head = () => Promise.resolve(this.chain.head);
  configurationMismatches = () => Promise.resolve([]);
  admit = () => undefined;
  exclude = () => undefined;
}

export class InMemoryExamination extends NetworkConfigurationCheck {
  check({ network }: NetworkConfiguration): Promise<NetworkCheckFinding[]> {
    return Promise.resolve([{ about: network, check: 'chain', verdict: 'ok', says: 'It is in memory.' }]);
  }
}

/** A chain type that shares nothing with EVM chains except the contracts of the networks context. */
export class MemoryChainType extends ChainType {
  readonly name = 'memory';
  readonly reader: InMemoryReading<MemoryBlock>;
  readonly secondEndpoint: InMemoryReading<MemoryBlock>;
  readonly lookup: InMemoryLookup<MemoryBlock>;
  readonly depositAddresses = new MemoDeposits();
  readonly payoutAddresses = new AccountNames();
  readonly inspection: InMemoryInspection;
  readonly examination = new InMemoryExamination();
  readonly deployment = null;
  readonly sending = null;
  readonly authorizedTransfers = new MemoryAuthorizedTransfers(MEMORY_TOKEN, MEMORY_TIME);
  transferPricing: ChainType['transferPricing'] = null;

  chainOf = () => this;

  constructor(chain: MemoryChain) {
    super();
    this.reader = new InMemoryReading(MEMORY_NETWORK, chain, 3, false);
    this.secondEndpoint = this.reader;
    this.lookup = new InMemoryLookup(chain, { form: /^TX-\d+$/i, spelled: (text) => text.toUpperCase() });
    this.inspection = new InMemoryInspection(MEMORY_NETWORK, chain);
  }
}
