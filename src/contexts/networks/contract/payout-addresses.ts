export abstract class PayoutAddresses {
  /**
   * @returns the address in the display spelling of the chain type
   * @throws DomainError `validation_failed` if no funds can be sent to this address
   */
  abstract read(field: string, text: string): string;
  /**
   * Default: same as `read`.
   * @returns the spelling to store @throws DomainError `validation_failed`
   */
  readTerms(field: string, text: string): string {
    return this.read(field, text);
  }
  /** False if the service cannot take a fee on this network. Terms with a fee are then rejected. */
  takesFee(): boolean {
    return true;
  }
  /** Returns the fee recipient to store for terms without a fee. */
  abstract nobody(): string;
}

/** Payers send to addresses derived from it. */
export interface MerchantWallet {
  /** Wallets that share a key can have the same addresses, so two organizations must not share a key. */
  readonly keys: readonly string[];
  /** Identifies the wallet but does not reveal its addresses. */
  readonly shortened: string;
  /**
   * @returns the address in its display spelling
   */
  addressAt(number: number): string;
  /**
   * Returns a BIP-329 line, including the line break, with which the merchant imports the address's label into the
   * wallet.
   */
  labelLine(number: number, label: string): string;
}

/** Contacts no node. */
export interface MerchantWallets {
  /** @param settlementAddress as returned by `PayoutAddresses.readTerms` */
  find(settlementAddress: string): MerchantWallet;
}
