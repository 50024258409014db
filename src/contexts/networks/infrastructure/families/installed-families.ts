import type { Provider, Type } from '@nestjs/common';
import type { ChainFamily } from '../../application/chain-families.js';
import type { FamilyConfiguration } from '../configuration/configuration-reader.js';
import { EVM_CONFIGURATION } from '../evm/evm-configuration.js';
import { EVM_PROVIDERS, EvmFamily } from '../evm/evm-family.js';

export interface InstalledFamily {
  readonly configuration: FamilyConfiguration;
  readonly family: Type<ChainFamily>;
  /** The parts of the family. They may inject `NetworksSettings`, `NetworkReadiness` and `KnownChains`. */
  readonly providers: readonly Provider[];
}

/** The chain families of this release, and the only file outside their folders that names them. */
export const FAMILIES: readonly InstalledFamily[] = [
  { configuration: EVM_CONFIGURATION, family: EvmFamily, providers: EVM_PROVIDERS },
];
