import type { BroadcastResponse } from '../../domain/outbound/broadcast-response.js';
import type { NonceView, NonceUse, SilentEndpoint } from '../../domain/outbound/fate-on-chain.js';
import type { FeeLimits, FeeMarket, Fees } from '../../domain/outbound/fees.js';
import type { AccountState } from '../../domain/outbound/gas-key.js';
import type {
  PlannedCall,
  OutboundTransaction,
  OutboundPurpose,
} from '../../domain/outbound/outbound-transaction.js';

export interface UnsignedTransaction {
  readonly chainId: number;
  readonly nonce: number;
  readonly call: PlannedCall;
  readonly fees: Fees;
}

/** A signed transaction: its bytes in hex with `0x`, and its hash. */
export interface SignedTransaction {
  readonly raw: string;
  readonly hash: string;
}

export interface OfferedAttempt extends SignedTransaction {
  readonly fees: Fees;
}

export interface MarketAtHead extends FeeMarket {
  /** Newest block of the endpoint that lags most: with a head that runs ahead, no fee would ever be raised. */
  readonly head: number;
}

export interface ReadTransaction extends UnsignedTransaction, Pick<SignedTransaction, 'hash'> {
  /** Sender's address, recovered from the signature, in lower case. */
  readonly sender: string;
}

export interface BroadcastOutcome {
  readonly response: BroadcastResponse;
  readonly responses: string;
}

/** Each method throws `ChainUnavailable`. */
export abstract class OutboundChain {
  abstract chainId(network: string): number;
  abstract feeLimits(network: string): FeeLimits;
  /**
   * Returns the contracts, in the canonical spelling, that a call with this purpose may call. Empty if the purpose
   * moves value.
   */
  abstract contracts(network: string, purpose: OutboundPurpose): readonly string[];
  /** Contacts no node. @returns null if the bytes are not a signed transaction */
  abstract read(network: string, raw: string): Promise<ReadTransaction | null>;
  /** A count that is too high would reserve a nonce that can never be mined. */
  abstract account(network: string, address: string): Promise<AccountState>;
  /** A priority fee is paid in full, so a single endpoint must not be able to raise it. */
  abstract market(network: string): Promise<MarketAtHead>;
  abstract blockGas(network: string): Promise<bigint>;
  /** Returns the gas for a transfer of zero from the account to itself. */
  abstract gasToItself(network: string, address: string): Promise<bigint>;
  /** A rollup's charges in addition to gas: data on its base chain, and its operator. 0 if there are none. */
  abstract dataFee(network: string, transaction: UnsignedTransaction): Promise<bigint>;
  /** Does not throw if an endpoint rejects the bytes or does not answer. */
  abstract broadcast(network: string, signed: SignedTransaction): Promise<BroadcastOutcome>;
  /**
   * Null unless every endpoint of the network shows the transaction in a final block. Does not throw for failing
   * endpoints.
   */
  abstract nonceUse(network: string, address: string, nonce: number, hash?: string): Promise<NonceUse | null>;
  /** An impossible answer (a block above its own head, a higher price than offered) counts as no answer. */
  abstract views(
    network: string,
    sending: Pick<OutboundTransaction, 'sender' | 'nonce'>,
    attempts: readonly OfferedAttempt[],
  ): Promise<readonly (NonceView | SilentEndpoint)[]>;
}
