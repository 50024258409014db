import type { Provider, Type } from '@nestjs/common';
import type { ChainType } from '#contexts/networks/application/chain-types.js';
import { SenderKeys } from '#contexts/networks/application/outbound/sender-keys.js';
import { BITCOIN_CONFIGURATION_SCHEMA } from './bitcoin/bitcoin-configuration.js';
import { BITCOIN_NEST_PROVIDERS, BitcoinChainType } from './bitcoin/bitcoin-chain-type.js';
import { BITCOIN_ENDPOINT_SETTINGS } from './bitcoin/rpc/block-calls.js';
import type { ChainTypeConfigurationSchema } from '#contexts/networks/infrastructure/configuration/configuration-reader.js';
import { EndpointPool, type ChainTypeEndpointSettings } from './rpc/endpoint-pool.js';
import { EVM_CONFIGURATION_SCHEMA } from './evm/evm-configuration.js';
import { EVM_NEST_PROVIDERS, EvmChainType } from './evm/evm-chain-type.js';
import { EVM_ENDPOINT_SETTINGS } from './evm/evm-network.js';
import { senderKeysFrom } from './held-keys.js';
import { JsonRpc } from './rpc/json-rpc.js';
import { TRON_CONFIGURATION_SCHEMA } from './tron/tron-configuration.js';
import { TRON_ENDPOINT_SETTINGS } from './tron/tron-network.js';
import { TRON_NEST_PROVIDERS, TronChainType } from './tron/tron-chain-type.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';

export interface InstalledChainType {
  readonly configuration: ChainTypeConfigurationSchema;
  readonly endpoints: ChainTypeEndpointSettings;
  readonly family: Type<ChainType>;
  /** The providers may inject `NetworksSettings`, `NetworkReadiness`, `KnownChains`, `JsonRpc` and `EndpointPool`. */
  readonly providers: readonly Provider[];
}

/** Only this file and the chain types' own folders refer to the chain types. */
export const CHAIN_TYPES: readonly InstalledChainType[] = [
  {
    configuration: EVM_CONFIGURATION_SCHEMA,
    endpoints: EVM_ENDPOINT_SETTINGS,
    family: EvmChainType,
    providers: EVM_NEST_PROVIDERS,
  },
  {
    configuration: BITCOIN_CONFIGURATION_SCHEMA,
    endpoints: BITCOIN_ENDPOINT_SETTINGS,
    family: BitcoinChainType,
    providers: BITCOIN_NEST_PROVIDERS,
  },
  {
    configuration: TRON_CONFIGURATION_SCHEMA,
    endpoints: TRON_ENDPOINT_SETTINGS,
    family: TronChainType,
    providers: TRON_NEST_PROVIDERS,
  },
];

export const ENDPOINT_NEST_PROVIDERS: readonly Provider[] = [
  { provide: SenderKeys, inject: [NetworksSettings], useFactory: senderKeysFrom },
  {
    provide: JsonRpc,
    inject: [NetworksSettings],
    useFactory: (settings: NetworksSettings) =>
      new JsonRpc(
        settings,
        Object.fromEntries(CHAIN_TYPES.map(({ endpoints }) => [endpoints.family, endpoints])),
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
