/** A merchant's own wallet, which settlement terms name and whose addresses payers are shown. */
export interface MerchantWallet {
  /**
   * The keys that its addresses follow from, in one spelling. Two organizations whose wallets have one in common could be
   * shown the same addresses.
   */
  readonly keys: readonly string[];
  /** The text of the terms as answers have it: enough to recognize it by, too little to compute its addresses. */
  readonly shortened: string;
  /** @param number from 0 @returns the address as people write it */
  addressAt(number: number): string;
  /** A line, with its end, by which wallets take over what an address was used for (BIP-329). */
  labelLine(number: number, label: string): string;
}

/** Finds the wallets behind settlement terms. No node is asked. */
export abstract class MerchantWallets {
  /**
   * @param settlementAddress of terms of the network, as `PayoutAddresses.readTerms` answers it
   * @returns null where terms name an address, or the network is not configured
   */
  abstract find(network: string, settlementAddress: string): MerchantWallet | null;
}
