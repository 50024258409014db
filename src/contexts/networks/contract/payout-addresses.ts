/** Addresses that money is paid out to, as operators write them. */
export abstract class PayoutAddresses {
  /**
   * @param field that the error names
   * @returns the address as people of that network's family write it
   * @throws DomainError `validation_failed` for what is no address there that money can go to
   */
  abstract read(network: string, field: string, text: string): string;
  /** The recipient that is stored for a fee where there is none: what the network's deposit addresses are settled by. */
  abstract nobody(network: string): string;
}
