/** What a deposit address commits to: where its money can go, and what share of it is the service's fee. */
export interface ForwarderTerms {
  /** EVM addresses in any case. */
  readonly settlementAddress: string;
  readonly feeRecipient: string;
  /** Fee share of all that is settled, in basis points (1/10000). */
  readonly feeBasisPoints: number;
}

export interface DepositAddress {
  /** All three in EIP-55. */
  readonly address: string;
  /** What the address is derived from; stored so that older ones stay supported. */
  readonly factory: string;
  readonly implementation: string;
}

/** Computes CREATE2 forwarder addresses (EIP-1014): pure hashing, so no key exists and no node is asked. */
export abstract class DepositAddresses {
  /** @param salt the payment request's id (UUID). @throws DomainError `unavailable` for a network that takes no requests */
  abstract derive(network: string, terms: ForwarderTerms, salt: string): DepositAddress;
}
