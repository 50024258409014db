/** Payments' deposit addresses, as far as terms must know them; payments knows this context, so the process wires it. */
export abstract class KnownDepositAddresses {
  /** @param address in the one spelling by which transfers are matched @returns true on whatever network it is one */
  abstract has(address: string): Promise<boolean>;
}
