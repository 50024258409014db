import type { BroadcastResponse } from '../../domain/outbound/broadcast-response.js';
import type {
  EndpointNonceObservation,
  NonceUse,
  UnresponsiveEndpoint,
} from '../../domain/outbound/on-chain-status.js';
import type { GasFeeLimits, GasFeeMarket, GasFees } from '../../domain/outbound/gas-fees.js';
import type { SenderAccountState } from '../../domain/outbound/gas-key.js';
import type {
  PlannedCall,
  OutboundTransaction,
  OutboundPurpose,
} from '../../domain/outbound/outbound-transaction.js';

/**
 * Limits a transaction to one chain and to a time after which no block can include it, on chains where no nonce prevents
 * a second execution: docs/decisions/0073-expiring-transactions.md.
 */
export interface TransactionValidity {
  /** A block of the chain, which the transaction names. */
  readonly hash: string;
  readonly signedAt: Date;
  readonly expiresAt: Date;
}

export interface UnsignedTransaction {
  readonly chainId: number;
  readonly nonce: number;
  readonly call: PlannedCall;
  readonly fees: GasFees;
  /** Absent on chains with nonces. */
  readonly validity?: TransactionValidity | undefined;
}

/** A signed transaction: its bytes in hex with `0x`, and its hash in the spelling of the chain type. */
export interface SignedTransaction {
  readonly raw: string;
  readonly hash: string;
}

export interface PricedSignedTransaction extends SignedTransaction {
  readonly fees: GasFees;
  /** Newest block when it was signed. */
  readonly head?: number | null;
}

export interface GasFeeMarketAtHead extends GasFeeMarket {
  /** Newest block of the endpoint that lags most: with a head that runs ahead, no fee would ever be raised. */
  readonly head: number;
  /** For a transaction signed now. Absent on chains with nonces. */
  readonly validity?: TransactionValidity;
}

export interface DecodedOutboundTransaction
  extends Pick<SignedTransaction, 'hash'>, Pick<UnsignedTransaction, 'call'> {
  /** Null, like `nonce` and `fees`, if the bytes do not contain it. */
  readonly chainId: number | null;
  readonly nonce: number | null;
  readonly fees: GasFees | null;
  /** Sender's address, recovered from the signature, in the canonical spelling. */
  readonly sender: string;
}

export interface BroadcastOutcome {
  readonly response: BroadcastResponse;
  readonly responses: string;
}

/** Each method throws `ChainUnavailable`. */
export abstract class OutboundChain {
  abstract chainId(network: string): number;
  abstract feeLimits(network: string): GasFeeLimits;
  /**
   * Returns the contracts, in the canonical spelling, that a call with this purpose may call. Empty if the purpose
   * moves value.
   */
  abstract callableContracts(network: string, purpose: OutboundPurpose): readonly string[];
  /** Contacts no node. @returns null if the bytes are not a signed transaction */
  abstract decode(network: string, raw: string): Promise<DecodedOutboundTransaction | null>;
  /** A count that is too high would reserve a nonce that can never be mined. */
  abstract senderAccountState(network: string, address: string): Promise<SenderAccountState>;
  /** A priority fee is paid in full, so a single endpoint must not be able to raise it. */
  abstract gasFeeMarket(network: string): Promise<GasFeeMarketAtHead>;
  abstract blockGasLimit(network: string): Promise<bigint>;
  /** Returns the gas for a transfer of zero from the account to itself. */
  abstract selfTransferGas(network: string, address: string): Promise<bigint>;
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
  abstract nonceObservations(
    network: string,
    sending: Pick<OutboundTransaction, 'sender' | 'nonce'>,
    attempts: readonly PricedSignedTransaction[],
  ): Promise<readonly (EndpointNonceObservation | UnresponsiveEndpoint)[]>;
}
