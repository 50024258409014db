import { isNative } from '#shared/kernel/asset.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import type { OutboundPurpose } from '#contexts/networks/domain/outbound/outbound-transaction.js';
import {
  DETERMINISTIC_DEPLOYER,
  FORMER_FACTORIES,
  currentFactoryAddress,
} from '../../forwarders/forwarder-artifacts.js';
import type { EvmNetworkConfiguration } from '../evm-network.js';

/**
 * Contracts, in lower case, that a key without the right to move value may call: factories pay only under fixed
 * terms, and tokens transfer only what their holders signed.
 */
export function contractsForGasKey(
  { factory, assets }: Pick<EvmNetworkConfiguration, 'factory' | 'assets'>,
  purpose: OutboundPurpose,
): readonly string[] {
  switch (purpose) {
    case 'factory_deployment':
      return [canonicalAddress(DETERMINISTIC_DEPLOYER)];
    case 'settlement':
      return [factory, currentFactoryAddress(), ...FORMER_FACTORIES].map(canonicalAddress);
    case 'authorized_transfer':
      return assets.filter((asset) => !isNative(asset)).map(({ token }) => token);
    case 'refund':
    case 'float_withdrawal':
      return [];
  }
}
