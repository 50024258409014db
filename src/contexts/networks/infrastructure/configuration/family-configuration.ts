import type { NetworkConfiguration } from '../../domain/network-configuration.js';
import type { ConfigurationReader } from './configuration-reader.js';

/** The part of a network's configuration that is different for each chain family. */
export interface FamilyConfiguration {
  /** A network's `family` names it so. */
  readonly name: string;
  /** Settings of a network that only this family has; each may be absent. */
  readonly settings: readonly string[];
  readonly hidesNativeTransfers: boolean;
  readonly nativeDecimals: number;
  /**
   * Symbols of native coins, by chain id: prices know an asset by its symbol alone, and another chain's coin is worth
   * something else. Chains that are not here name theirs as they like.
   */
  readonly nativeSymbols: Readonly<Record<number, string>>;
  /** @returns the `token` of an asset that is not the native coin, as people write it @throws InvalidNetworksConfiguration */
  readToken(asset: ConfigurationReader): string;
  /** @returns with whatever `settings` say besides @throws InvalidNetworksConfiguration */
  readOwn(network: ConfigurationReader): Pick<NetworkConfiguration, 'contracts'>;
}
