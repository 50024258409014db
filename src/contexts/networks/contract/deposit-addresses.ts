import type { Asset } from '#shared/kernel/asset.js';

/** The terms that a deposit address commits to: the recipients of its money, and the service's fee share. */
export interface DepositTerms {
  readonly settlementAddress: string;
  readonly feeRecipient: string;
  /** Basis points (1/10000) of everything settled. */
  readonly feeBasisPoints: number;
}

/** Address and tag together identify a single payment request on a network. */
export interface Recipient {
  /** Address in the canonical spelling. `toDisplayAddress` returns the display spelling. */
  readonly address: string;
  /** Memo, destination tag or payment id, if one address serves many requests. */
  readonly tag?: string;
}

export function recipientKey({ address, tag = '' }: Recipient): string {
  return tag === '' ? address : `${address} ${tag}`;
}

/**
 * JSON that only the network's chain type reads. Contains everything needed to pay out the address at any later time.
 */
export type Derivation = Readonly<Record<string, unknown>>;

export interface AddressDerivationInput {
  /** UUID. */
  readonly requestId: string;
  /** Number in the sequence that `numbering` returns, from 0. */
  readonly number?: number;
}

export interface DerivedAddress extends Recipient {
  readonly derivation: Derivation;
  /** True if payments to the address go directly to the merchant (`deliversDirectly`). */
  readonly isDelivered?: true;
}

export interface TransferUri {
  readonly uri: string;
  /** Content of a QR code that most payers' wallets can scan. */
  readonly code: string;
}

/** Contacts no node. */
export interface DepositAddresses {
  /** Terms with the same name share one sequence without gaps. Null if addresses are derived from the request id. */
  sequenceName(terms: DepositTerms): string | null;
  /**
   * @throws DomainError `unavailable` while the network takes no requests
   */
  derive(terms: DepositTerms, source: AddressDerivationInput): DerivedAddress;
  /**
   * Accepts only factories that this release knows, because an attacker with write access to the database could name
   * another. Works while the network takes no requests.
   */
  rederive(terms: DepositTerms, source: AddressDerivationInput, derivation: Derivation): Recipient | null;
  /** EIP-681 on EVM networks, BIP-21 on Bitcoin. */
  transferUri(asset: Asset, to: Recipient, amount: bigint): TransferUri | null;
}
