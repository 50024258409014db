export abstract class PayoutAddresses {
  /**
   * Reads and checks an address.
   * @param field name used in the error message
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
  /** Returns the fee recipient to store for terms without a fee. Deposit addresses commit to it. */
  abstract nobody(): string;
}

/** A merchant's own wallet, named in settlement terms. Payers send to addresses derived from it. */
export interface MerchantWallet {
  /**
   * The keys from which the wallet's addresses are derived, in one spelling. Wallets that share a key can have the same
   * addresses, so two organizations must not share a key.
   */
  readonly keys: readonly string[];
  /** Shortened text of the wallet for API responses. Identifies the wallet but does not reveal its addresses. */
  readonly shortened: string;
  /**
   * Derives an address of the wallet.
   * @param number from 0
   * @returns the address in its display spelling
   */
  addressAt(number: number): string;
  /**
   * Returns a BIP-329 line, including the line break, with which the merchant imports the address's label into the
   * wallet.
   */
  labelLine(number: number, label: string): string;
}

/** Finds the wallets that settlement terms name. Contacts no node. */
export interface MerchantWallets {
  /** @param settlementAddress as returned by `PayoutAddresses.readTerms` */
  find(settlementAddress: string): MerchantWallet;
}
