import type { Provider, Type } from '@nestjs/common';
import type { ChainFamily } from '../../application/chain-families.js';
import { BITCOIN_CONFIGURATION } from '../bitcoin/bitcoin-configuration.js';
import { BITCOIN_PROVIDERS, BitcoinFamily } from '../bitcoin/bitcoin-family.js';
import { BITCOIN_ENDPOINTS } from '../bitcoin/rpc/block-calls.js';
import type { FamilyConfiguration } from '../configuration/configuration-reader.js';
import { EndpointPool, type FamilyEndpoints } from '../endpoints/endpoint-pool.js';
import { EVM_CONFIGURATION } from '../evm/evm-configuration.js';
import { EVM_PROVIDERS, EvmFamily } from '../evm/evm-family.js';
import { EVM_ENDPOINTS } from '../evm/rpc/block-answers.js';
import { JsonRpc } from '../json-rpc/json-rpc.js';
import { NetworksSettings } from '../networks-settings.js';

export interface InstalledFamily {
  readonly configuration: FamilyConfiguration;
  readonly endpoints: FamilyEndpoints;
  readonly family: Type<ChainFamily>;
  /**
   * The parts of the family. They may inject `NetworksSettings`, `NetworkReadiness`, `KnownChains`, `JsonRpc` and
   * `EndpointPool`.
   */
  readonly providers: readonly Provider[];
}

/** The chain families of this release, and the only file outside their folders that names them. */
export const FAMILIES: readonly InstalledFamily[] = [
  {
    configuration: EVM_CONFIGURATION,
    endpoints: EVM_ENDPOINTS,
    family: EvmFamily,
    providers: EVM_PROVIDERS,
  },
  {
    configuration: BITCOIN_CONFIGURATION,
    endpoints: BITCOIN_ENDPOINTS,
    family: BitcoinFamily,
    providers: BITCOIN_PROVIDERS,
  },
];

/** All families share these: an endpoint is asked in the same way, whatever chain it serves. */
export const ENDPOINT_PROVIDERS: readonly Provider[] = [
  {
    provide: JsonRpc,
    inject: [NetworksSettings],
    useFactory: (settings: NetworksSettings) =>
      new JsonRpc(
        settings,
        Object.fromEntries(
          FAMILIES.flatMap(({ endpoints: { family, connections } }) =>
            connections === undefined ? [] : [[family, connections]],
          ),
        ),
      ),
  },
  {
    provide: EndpointPool,
    inject: [NetworksSettings, JsonRpc],
    useFactory: (settings: NetworksSettings, rpc: JsonRpc) =>
      new EndpointPool(
        settings,
        rpc,
        FAMILIES.map(({ endpoints }) => endpoints),
      ),
  },
];
