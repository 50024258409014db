export abstract class PayoutAddresses {
  /**
   * Reads and checks an address.
   * @param field name in the error message
   * @returns the address in the display spelling of the chain type
   * @throws DomainError `validation_failed` if no funds can be sent to this address
   */
  abstract read(field: string, text: string): string;
  /**
   * Reads the settlement address of settlement terms. Default: same as `read`.
   * @returns the spelling to store @throws DomainError `validation_failed`
   */
  readTerms(field: string, text: string): string {
    return this.read(field, text);
  }
  /** False if the service cannot take a fee on this network. Terms with a fee are then rejected. */
  takesFee(): boolean {
    return true;
  }
  /** The fee recipient to store for terms without a fee. The deposit addresses commit to it. */
  abstract nobody(): string;
}

/** A merchant's own wallet, named in settlement terms. Payers send to its addresses. */
export interface MerchantWallet {
  /**
   * The keys that its addresses are derived from, in one spelling. Wallets that share a key can have the same addresses, so two
   * organizations must not use them.
   */
  readonly keys: readonly string[];
  /** The shortened text for API responses. It identifies the wallet but does not reveal its addresses. */
  readonly shortened: string;
  /** @param number from 0 @returns the address in its display spelling */
  addressAt(number: number): string;
  /** A BIP-329 line, including the line break, that imports the label of an address into a wallet. */
  labelLine(number: number, label: string): string;
}

/** The wallets of settlement terms. Contacts no node. */
export interface MerchantWallets {
  /** @param settlementAddress as returned by `PayoutAddresses.readTerms` */
  find(settlementAddress: string): MerchantWallet;
}
