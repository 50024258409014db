import type { Asset } from '#shared/kernel/asset.js';

/** The terms that a deposit address commits to: where its money can go, and which share of it is the service's fee. */
export interface DepositTerms {
  /** An address that `PayoutAddresses` of the network accepts. */
  readonly settlementAddress: string;
  readonly feeRecipient: string;
  /** Fee share of all that is settled, in basis points (1/10000). */
  readonly feeBasisPoints: number;
}

/** The destination that payers send to. Network, address and tag together distinguish one request's money from another's. */
export interface Recipient {
  /** In the one spelling by which transfers are matched; `addressForPeople` has the other. */
  readonly address: string;
  /** Memo, destination tag or payment id, where one address serves many requests; absent where the address is enough. */
  readonly tag?: string;
}

/** Equal for equal recipients of one network. */
export function recipientKey({ address, tag = '' }: Recipient): string {
  return tag === '' ? address : `${address} ${tag}`;
}

/** JSON that only the network's chain type reads: all that settling the address will need, however long from now. */
export type Derivation = Readonly<Record<string, unknown>>;

/** Distinguishes one address of terms from the others. */
export interface AddressSource {
  /** The payment request's id (UUID). */
  readonly requestId: string;
  /** The place in the sequence that `numbering` names, from 0; absent where it names none. */
  readonly number?: number;
}

export interface DerivedAddress extends Recipient {
  readonly derivation: Derivation;
  /** True where its network has `deliversDirectly`. */
  readonly isDelivered?: true;
}

/** How payers' wallets take over a transfer. */
export interface TransferUri {
  /** Wallets of the network's chain type begin a transfer by it. */
  readonly uri: string;
  /** The content of a QR code, by which most wallets of payers begin one. */
  readonly code: string;
}

/** Computes the deposit addresses of payment requests, by the chain type of their network. No node is asked. */
export abstract class DepositAddresses {
  /**
   * Terms with the same answer share one sequence of numbers without gaps, of which each address takes the next. Null:
   * addresses follow from the request's id.
   */
  abstract numbering(network: string, terms: DepositTerms): string | null;
  /** @throws DomainError `unavailable` for a network that takes no requests */
  abstract derive(network: string, terms: DepositTerms, source: AddressSource): DerivedAddress;
  /**
   * The address of a derivation that was stored, also while the network takes no requests. Whoever may write to the
   * database can name another factory in it, so only those count that this release knows for the network.
   * @returns null where the derivation is none of this network
   */
  abstract deriveAgain(
    network: string,
    terms: DepositTerms,
    source: AddressSource,
    derivation: Derivation,
  ): Recipient | null;
  /**
   * A transfer that a payer's wallet only has to confirm: by EIP-681 on EVM networks, by BIP-21 on Bitcoin.
   * @param amount smallest units @returns null where the chain type has none, or the network is not configured
   */
  abstract transferUri(asset: Asset, to: Recipient, amount: bigint): TransferUri | null;
}
