import { NetworksToCheck } from '../../application/networks-to-check.js';
import type { ForwarderDerivations } from '../evm/forwarders/forwarder-derivations.js';
import type { NetworksSettings } from '../networks-settings.js';

export function configuredNetworks(
  { networks }: NetworksSettings,
  derivations: ForwarderDerivations,
): NetworksToCheck {
  return new NetworksToCheck(
    networks.flatMap((configuration) => {
      const derivation = derivations.of(configuration.network);
      return derivation === undefined ? [] : [{ configuration, derivation }];
    }),
  );
}
