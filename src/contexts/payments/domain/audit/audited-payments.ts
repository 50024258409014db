import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type {
  AddressSource,
  DepositTerms,
  Derivation,
  Recipient,
} from '#contexts/networks/contract/deposit-addresses.js';
import type { ChainTransfer } from '#contexts/networks/contract/chain-reader.js';

/** Final block at which the audit compares stored records with the chain. */
export interface AuditedBlock {
  readonly network: string;
  readonly number: number;
  readonly hash: string;
}

/** Deposit address and the inputs that must derive to it. Includes pruned requests. */
export interface StoredAddress extends Recipient {
  readonly source: AddressSource;
  readonly terms: DepositTerms;
  readonly derivation: Derivation;
}

/** Balance that an address must hold in an asset: transfers received minus payouts. */
export interface RecordedBalance {
  readonly address: string;
  readonly uniqueAssetId: string;
  /** Negative if more was paid out than the recorded transfers explain. */
  readonly amount: bigint;
}

export interface AuditedPage {
  readonly addresses: readonly StoredAddress[];
  /** Balances in the assets offered at these addresses, and in every asset received or paid out there. */
  readonly balances: readonly RecordedBalance[];
}

export interface StoredToken {
  readonly paymentRequestId: PaymentRequestId;
  readonly token: string;
  readonly createdAt: Date;
  readonly asked: {
    readonly address: string;
    readonly uniqueAssetId: string;
    readonly amount: string;
    /** A checkout's token may contain a URL from which the wallet reads the payment, instead of the payment. */
    readonly mayNameUrl: boolean;
  };
}

/** Transfer that the transaction receipt must contain. */
export interface StoredTransfer extends Omit<ChainTransfer, 'token'> {
  readonly id: string;
  readonly uniqueAssetId: string;
  readonly blockHash: string;
}

export abstract class AuditedPayments {
  /** Returns the newest final block, or null before the first. */
  abstract finalBlock(network: string): Promise<AuditedBlock | null>;
  /** Returns true if the block is still stored, was read, and was not reorganized out. */
  abstract stands(block: AuditedBlock): Promise<boolean>;
  /** Returns the next addresses in ascending order. @param after empty string to start */
  abstract addresses(block: AuditedBlock, after: string, limit: number): Promise<AuditedPage>;
  /** Returns the next payment tokens of requests with an address on the network. @param after empty string to start */
  abstract tokens(network: string, after: string, limit: number): Promise<StoredToken[]>;
  /**
   * Returns the next transfers up to the block that were not reversed and that a receipt can prove. `seed` determines the order.
   * @param after empty string to start
   */
  abstract transfers(
    block: AuditedBlock,
    seed: string,
    after: string,
    limit: number,
  ): Promise<(StoredTransfer & { readonly drawn: string })[]>;
}
