/** Addresses that money is paid out to, as operators write them. */
export abstract class PayoutAddresses {
  /**
   * @param field that the error names
   * @returns the address as people of that network's chain type write it
   * @throws DomainError `validation_failed` for what is no address there that money can go to
   */
  abstract read(network: string, field: string, text: string): string;
  /**
   * Reads where settlement terms send the money: an address as for `read`, unless the chain type says otherwise.
   * @returns the spelling that is stored @throws DomainError `validation_failed`
   */
  readTerms(network: string, field: string, text: string): string {
    return this.read(network, field, text);
  }
  /** False where no share of what arrives can become the service's fee: terms with one are refused. */
  takesFee(_network: string): boolean {
    return true;
  }
  /** The recipient that is stored for a fee where there is none: what the network's deposit addresses are settled by. */
  abstract nobody(network: string): string;
}
