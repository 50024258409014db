import { createHash } from 'node:crypto';
import type { Asset } from '#shared/kernel/asset.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { ChainType } from '../application/chain-types.js';
import {
  type AddressDerivationInput,
  type DepositAddresses,
  type DepositTerms,
  type Derivation,
  type DerivedAddress,
  type Recipient,
  recipientKey,
} from '../contract/deposit-addresses.js';
import {
  type MerchantWallet,
  type MerchantWallets,
  PayoutAddressRules,
} from '../contract/payout-address-rules.js';
import type { NetworkConfiguration } from '../domain/network-configuration.js';
import type { ChainTypeConfigurationSchema } from '../infrastructure/configuration/configuration-reader.js';
import { InMemoryLookup, InMemoryReading } from './in-memory-reading.js';
import { InMemoryExamination, InMemoryInspection, MEMORY_CONFIGURATION } from './memory-chain-type.js';
import type { OutputBlock, OutputChain } from './output-chain.js';
import type { OwnAddressLookup } from '../contract/chain-reader.js';
import type {
  MissingMempoolTransaction,
  MempoolSnapshot,
  PendingTransfers,
} from '../contract/pending-transfers.js';

class OutputPending implements PendingTransfers {
  /** False simulates an endpoint that did not answer completely, so that the absence of a transaction means nothing. */
  isWhole = true;
  ageMs = 0;
  /** False simulates a node that does not report how long it has held a transaction. */
  saysAge = true;
  private known: ReadonlySet<string> = new Set();

  constructor(private readonly chain: OutputChain) {}

  async pollMempools(ours: OwnAddressLookup, limit: number): Promise<MempoolSnapshot> {
    const { pool, now } = this.chain;
    const held = new Set(pool.keys());
    const fresh = [...pool.values()].filter(({ id }) => !this.known.has(id));
    const examined = fresh.slice(0, limit);
    const transfers = examined.flatMap((transaction) => {
      const heldForMs = this.saysAge ? now - transaction.sentAt : null;
      return this.chain
        .transfersOf(transaction)
        .map((transfer) => ({ ...transfer, heldForMs, paysEnough: transaction.isCheap !== true }));
    });
    const own = await ours(transfers.map(({ to }) => ({ address: to })));
    this.known = new Set(
      [...held].filter((id) => this.known.has(id) || examined.some((each) => each.id === id)),
    );
    return {
      transfers: transfers.filter(({ to }) => own.has(recipientKey({ address: to }))),
      isWhole: this.isWhole,
      ageMs: this.ageMs,
      hasMore: fresh.length > examined.length,
      has: (hash) => held.has(hash),
    };
  }

  statuses(gone: readonly MissingMempoolTransaction[]) {
    const fateOf = ({ transactionHash, evidence }: MissingMempoolTransaction) =>
      this.chain.spendersOf(spentBy(evidence)).some(({ id }) => id !== transactionHash)
        ? 'replaced'
        : 'waits';
    return Promise.resolve(gone.map(fateOf));
  }

  areConflicting(one: Derivation, other: Derivation): boolean {
    return spentBy(one).some((spent) => spentBy(other).includes(spent));
  }

  conflictingEvidenceParts(evidence: Derivation): readonly Derivation[] {
    return spentBy(evidence).map((spent) => ({ spends: [spent] }));
  }
}

function spentBy({ spends }: Derivation): readonly string[] {
  return spends as readonly string[];
}

export const OUTPUT_NETWORK = 'output';
const WALLET = /^wallet\([A-Z]{1,20}\)$/;
const ADDRESS = /^out1[0-9a-f]{38}$/;

const DEPTHS = [
  { upTo: 1_000n, confirmations: 1 },
  { upTo: 10_000n, confirmations: 3 },
  { confirmations: 6 },
];

export const OUTPUT_COIN: Asset = {
  uniqueAssetId: `n${OUTPUT_NETWORK}_tOUT`,
  network: OUTPUT_NETWORK,
  token: 'OUT',
  symbol: 'OUT',
  name: 'Output Coin',
  decimals: 8,
  minimumAmount: 1n,
  depths: DEPTHS,
};

export const OUTPUT_CONFIGURATION: NetworkConfiguration = {
  ...MEMORY_CONFIGURATION,
  network: OUTPUT_NETWORK,
  name: 'Output',
  family: 'output',
  deliversDirectly: true,
  finality: { kind: 'confirmations', confirmations: 1 },
  blockSeconds: 600,
  inclusionGraceSeconds: 0,
  pendingGraceSeconds: 86_400,
  assets: [OUTPUT_COIN],
};

export const OUTPUT_SETTINGS: ChainTypeConfigurationSchema = {
  name: 'output',
  chainKey: 'chain',
  settings: [],
  hidesNativeTransfers: false,
  followsPending: true,
  deliversDirectly: true,
  defaults: { depths: DEPTHS, blockSeconds: 600, maxLagSeconds: 21_600 },
  hasBrowserWallets: false,
  nativeDecimals: 8,
  nativeSymbols: { 1: 'OUT' },
  readChainId(network) {
    network.text('chain', (text) => text === 'main', 'must be "main"');
    return 1;
  },
  readToken: (asset) => asset.text('token', () => false, 'must be the symbol of the native coin'),
  readChainTypeSettings: () => ({ contracts: [] }),
};

/** Deposit addresses of a merchant's wallet, named `wallet(NAME)`, with one address per number. */
class WalletAddresses implements DepositAddresses {
  sequenceName({ settlementAddress }: DepositTerms): string {
    return settlementAddress;
  }

  derive({ settlementAddress }: DepositTerms, { number }: AddressDerivationInput): DerivedAddress {
    if (number === undefined) throw new Error('An address of a wallet has a number.');
    const derivation = { wallet: settlementAddress };
    return { address: addressAt(settlementAddress, number), derivation, isDelivered: true };
  }

  rederive(terms: DepositTerms, source: AddressDerivationInput, { wallet }: Derivation) {
    return wallet === terms.settlementAddress ? this.derive(terms, source) : null;
  }

  transferUri(_asset: Asset, { address }: Recipient, amount: bigint) {
    return { uri: `output:${address}?amount=${amount}`, code: `OUTPUT:${address}?amount=${amount}` };
  }
}

function addressAt(wallet: string, number: number): string {
  const digest = createHash('sha256').update(`${wallet} ${number}`).digest('hex');
  return `out1${digest.slice(0, 38)}`;
}

class OutputWallets implements MerchantWallets {
  walletOfSettlementAddress(wallet: string): MerchantWallet {
    return {
      keys: [wallet],
      shortened: wallet.replace(/^wallet\((.{1,2}).*\)$/, 'wallet($1…)'),
      addressAt: (number) => addressAt(wallet, number),
      labelExportLine: (number, label) => `${addressAt(wallet, number)} ${label}\n`,
    };
  }
}

class WalletNames extends PayoutAddressRules {
  parse(field: string, text: string): string {
    if (ADDRESS.test(text)) return text;
    throw invalidField(field, 'output_address', 'must be out1 and 38 hexadecimal digits.');
  }

  override parseSettlementAddress(field: string, text: string): string {
    if (WALLET.test(text)) return text;
    throw invalidField(field, 'wallet_name', 'must be wallet(…) with up to 20 capital letters.');
  }

  override supportsFee(): boolean {
    return false;
  }

  placeholderFeeRecipient(): string {
    return '';
  }
}

/**
 * A chain type with transaction outputs that are tracked while pending and paid directly to numbered addresses of the
 * merchant's wallet.
 */
export class OutputChainType extends ChainType {
  readonly name = 'output';
  readonly reader: InMemoryReading<OutputBlock>;
  readonly secondEndpoint: InMemoryReading<OutputBlock>;
  readonly lookup: InMemoryLookup<OutputBlock>;
  readonly pending: OutputPending;
  readonly depositAddresses = new WalletAddresses();
  readonly payoutAddresses = new WalletNames();
  readonly wallets = new OutputWallets();
  readonly inspection: InMemoryInspection;
  readonly examination = new InMemoryExamination();
  readonly deployment = null;
  readonly sending = null;
  readonly transferPricing = null;

  chainOf = () => this;

  constructor(chain: OutputChain, confirmations = 1) {
    super();
    this.reader = new InMemoryReading(OUTPUT_NETWORK, chain, confirmations, true);
    this.secondEndpoint = this.reader;
    const hashes = { form: /^[0-9a-f]{64}$/i, spelled: (text: string) => text.toLowerCase() };
    this.lookup = new InMemoryLookup(chain, hashes, (hash) => chain.pool.has(hash));
    this.pending = new OutputPending(chain);
    this.inspection = new InMemoryInspection(OUTPUT_NETWORK, chain);
  }
}
