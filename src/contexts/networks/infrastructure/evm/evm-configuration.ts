import { addressForPeople } from '../../contract/address-spelling.js';
import type { ConfigurationReader } from '../configuration/configuration-reader.js';
import type { FamilyConfiguration } from '../configuration/family-configuration.js';
import { EVM, NATIVE_DECIMALS } from './evm-network.js';
import { firstCreation } from './forwarders/contract-address.js';
import { isSomebodys } from './forwarders/evm-address.js';
import { DETERMINISTIC_DEPLOYER, committedFactory } from './forwarders/forwarder-artifacts.js';

const ADDRESS_RULE = 'must be an EVM address with a correct EIP-55 checksum (or all in lower case), not zero';

export const EVM_CONFIGURATION: FamilyConfiguration = {
  name: EVM,
  settings: ['factory'],
  hidesNativeTransfers: true,
  nativeDecimals: NATIVE_DECIMALS,
  nativeSymbols: {
    1: 'ETH',
    10: 'ETH',
    56: 'BNB',
    137: 'POL',
    8_453: 'ETH',
    42_161: 'ETH',
    43_114: 'AVAX',
  },
  readToken: (asset) => readAddress(asset, 'token', `${ADDRESS_RULE}, or the symbol of the native coin`),
  readOwn(network) {
    const factory = network.has('factory')
      ? readAddress(network, 'factory', ADDRESS_RULE)
      : committedFactory();
    return { factory, contracts: [DETERMINISTIC_DEPLOYER, factory, firstCreation(factory)] };
  },
};

function readAddress(reader: ConfigurationReader, key: string, rule: string): string {
  return addressForPeople(reader.text(key, isSomebodys, rule));
}
