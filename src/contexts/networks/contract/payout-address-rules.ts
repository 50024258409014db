export abstract class PayoutAddressRules {
  /**
   * @returns the address in the display spelling of the chain type
   */
  abstract parse(field: string, text: string): string;
  /** Default: same as `read`. */
  parseSettlementAddress(field: string, text: string): string {
    return this.parse(field, text);
  }
  /** If false, terms with a fee are rejected. */
  supportsFee(): boolean {
    return true;
  }
  abstract placeholderFeeRecipient(): string;
}

/** A merchant's wallet. Payers send to addresses derived from it. */
export interface MerchantWallet {
  /** Wallets that share a key can have the same addresses, so two organizations must not share a key. */
  readonly keys: readonly string[];
  /** Shortened text that identifies the wallet but does not reveal its addresses. */
  readonly shortened: string;
  addressAt(number: number): string;
  /**
   * Returns a BIP-329 line, including the line break, with which the merchant imports the address's label into the
   * wallet.
   */
  labelExportLine(number: number, label: string): string;
}

/** Contacts no node. */
export interface MerchantWallets {
  /** @param settlementAddress as returned by `PayoutAddressRules.parseSettlementAddress` */
  walletOfSettlementAddress(settlementAddress: string): MerchantWallet;
}
