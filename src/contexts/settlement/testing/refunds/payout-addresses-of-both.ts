import type { PayoutAddresses } from '#contexts/networks/contract/payout-addresses.js';
import { EvmPayoutAddresses } from '#contexts/networks/infrastructure/evm/forwarders/evm-payout-addresses.js';
import type { ForwarderDerivations } from '#contexts/networks/infrastructure/evm/forwarders/forwarder-derivation.js';
import { OUTPUT_NETWORK } from '#contexts/networks/testing/output-family.js';

/** Addresses of an EVM network and of the network of outputs. */
export class PayoutAddressesOfBoth extends EvmPayoutAddresses {
  constructor(
    derivations: ForwarderDerivations,
    private readonly outputs: PayoutAddresses,
  ) {
    super(derivations);
  }

  override read(network: string, field: string, text: string): string {
    if (network === OUTPUT_NETWORK) return this.outputs.read(network, field, text);
    return super.read(network, field, text);
  }
}
