import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import type { SendingPurpose } from '#contexts/networks/domain/sending/sending.js';
import type { EvmNetworkConfiguration } from '../evm-network.js';
import { DETERMINISTIC_DEPLOYER, FORMER_FACTORIES, committedFactory } from './forwarder-artifacts.js';

/** Contracts that a key which can move nothing may call, in lower case: they pay by terms that no caller chooses. */
export function knownContracts(
  { factory }: Pick<EvmNetworkConfiguration, 'factory'>,
  purpose: SendingPurpose,
): readonly string[] {
  switch (purpose) {
    case 'factory_deployment':
      return [canonicalAddress(DETERMINISTIC_DEPLOYER)];
    case 'settlement':
      return [factory, committedFactory(), ...FORMER_FACTORIES].map(canonicalAddress);
    case 'refund':
    case 'float_withdrawal':
      return [];
  }
}
