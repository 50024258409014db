import type { Provider, Type } from '@nestjs/common';
import type { ChainType } from '#contexts/networks/application/chain-types.js';
import { BITCOIN_CONFIGURATION } from './bitcoin/bitcoin-configuration.js';
import { BITCOIN_PROVIDERS, BitcoinChainType } from './bitcoin/bitcoin-chain-type.js';
import { BITCOIN_ENDPOINTS } from './bitcoin/rpc/block-calls.js';
import type { ChainTypeConfiguration } from '#contexts/networks/infrastructure/configuration/configuration-reader.js';
import { EndpointPool, type ChainTypeEndpoints } from './rpc/endpoint-pool.js';
import { EVM_CONFIGURATION } from './evm/evm-configuration.js';
import { EVM_PROVIDERS, EvmChainType } from './evm/evm-chain-type.js';
import { EVM_ENDPOINTS } from './evm/rpc/block-answers.js';
import { JsonRpc } from './rpc/json-rpc.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';

export interface InstalledChainType {
  readonly configuration: ChainTypeConfiguration;
  readonly endpoints: ChainTypeEndpoints;
  readonly family: Type<ChainType>;
  /** The providers may inject `NetworksSettings`, `NetworkReadiness`, `KnownChains`, `JsonRpc` and `EndpointPool`. */
  readonly providers: readonly Provider[];
}

/** Only this file and the chain types' own folders refer to the chain types. */
export const CHAIN_TYPES: readonly InstalledChainType[] = [
  {
    configuration: EVM_CONFIGURATION,
    endpoints: EVM_ENDPOINTS,
    family: EvmChainType,
    providers: EVM_PROVIDERS,
  },
  {
    configuration: BITCOIN_CONFIGURATION,
    endpoints: BITCOIN_ENDPOINTS,
    family: BitcoinChainType,
    providers: BITCOIN_PROVIDERS,
  },
];

export const ENDPOINT_PROVIDERS: readonly Provider[] = [
  {
    provide: JsonRpc,
    inject: [NetworksSettings],
    useFactory: (settings: NetworksSettings) =>
      new JsonRpc(
        settings,
        Object.fromEntries(
          CHAIN_TYPES.flatMap(({ endpoints: { family, connections } }) =>
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
        CHAIN_TYPES.map(({ endpoints }) => endpoints),
      ),
  },
];
