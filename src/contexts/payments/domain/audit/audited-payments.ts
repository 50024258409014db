import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type {
  AddressSource,
  DepositTerms,
  Derivation,
  Recipient,
} from '#contexts/networks/contract/deposit-addresses.js';
import type { ChainTransfer } from '#contexts/networks/contract/chain-reader.js';

/** A block whose state the books are compared with. */
export interface AuditedBlock {
  readonly network: string;
  readonly number: number;
  readonly hash: string;
}

/** A deposit address as it is stored, also of a request that was pruned, with what must derive to it. */
export interface StoredAddress extends Recipient {
  readonly source: AddressSource;
  readonly terms: DepositTerms;
  readonly derivation: Derivation;
}

/** The amount of an asset that an address must hold: what arrived by transfers, less what it paid out. */
export interface RecordedBalance {
  readonly address: string;
  readonly uniqueAssetId: string;
  /** Below zero where it paid out what no transfer is recorded of yet. */
  readonly amount: bigint;
}

export interface AuditedPage {
  readonly addresses: readonly StoredAddress[];
  /** Balances in the assets that these addresses were shown for, and in all that arrived or was paid out. */
  readonly balances: readonly RecordedBalance[];
}

/** A request's payment token, and what it must ask for. */
export interface StoredToken {
  readonly paymentRequestId: PaymentRequestId;
  readonly token: string;
  readonly createdAt: Date;
  readonly asked: {
    readonly address: string;
    readonly uniqueAssetId: string;
    readonly amount: string;
    /** A checkout's token may name where a wallet asks for the payment instead of carrying it. */
    readonly mayNameUrl: boolean;
  };
}

/** A transfer that a receipt must show, with its asset's id in place of its token. */
export interface StoredTransfer extends Omit<ChainTransfer, 'token'> {
  readonly id: string;
  readonly uniqueAssetId: string;
  readonly blockHash: string;
}

/** The stored payments, page by page, for the comparison with a chain. Reads only. */
export abstract class AuditedPayments {
  /** The newest final block; null before there is one. */
  abstract finalBlock(network: string): Promise<AuditedBlock | null>;
  /** True where the block is kept, was read and was not taken back. */
  abstract stands(block: AuditedBlock): Promise<boolean>;
  /** The next addresses in their order. @param after '' to begin */
  abstract addresses(block: AuditedBlock, after: string, limit: number): Promise<AuditedPage>;
  /** The next payment tokens of requests with an address on the network. @param after '' to begin */
  abstract tokens(network: string, after: string, limit: number): Promise<StoredToken[]>;
  /** The next standing transfers up to the block that a receipt can show, in an order drawn by `seed`. @param after '' to begin */
  abstract transfers(
    block: AuditedBlock,
    seed: string,
    after: string,
    limit: number,
  ): Promise<(StoredTransfer & { readonly drawn: string })[]>;
}
