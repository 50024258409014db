import { parseAmount } from '#shared/kernel/amount.js';
import type { ConfirmationsForAmount } from '#shared/kernel/asset.js';
import type { NetworkConfiguration } from '../../domain/network-configuration.js';

/** The message names the field and the rule in a sentence for the operator. */
export class InvalidNetworksConfiguration extends Error {
  constructor(path: string, rule: string) {
    super(`${path}: ${rule}`);
    this.name = 'InvalidNetworksConfiguration';
  }
}

export class ConfigurationReader {
  private readonly values: Record<string, unknown>;

  constructor(
    value: unknown,
    readonly path: string,
    required: readonly string[],
    optional: readonly string[] = [],
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new InvalidNetworksConfiguration(path, 'must be an object');
    }
    this.values = value as Record<string, unknown>;
    for (const key of Object.keys(value)) {
      if (!required.includes(key) && !optional.includes(key))
        throw this.toError(key, 'is not a known setting');
    }
    for (const key of required) {
      if (!this.has(key)) throw this.toError(key, 'is missing');
    }
  }

  has(key: string): boolean {
    return Object.hasOwn(this.values, key);
  }

  raw(key: string): unknown {
    return this.has(key) ? this.values[key] : undefined;
  }

  integer(key: string, least: number, most: number, fallback?: number): number {
    const value = this.has(key) ? this.raw(key) : fallback;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most)
      return value;
    throw this.toError(key, `must be an integer from ${least} to ${most}`);
  }

  number(key: string, least: number, most: number, fallback: number): number {
    const value = this.has(key) ? this.raw(key) : fallback;
    if (typeof value === 'number' && value >= least && value <= most) return value;
    throw this.toError(key, `must be a number from ${least} to ${most}`);
  }

  /** @param rule the condition that `accepts` checks, as the end of a sentence */
  text(key: string, accepts: (text: string) => boolean, rule: string): string {
    const value = this.raw(key);
    if (typeof value === 'string' && accepts(value)) return value;
    throw this.toError(key, rule);
  }

  /** @returns smallest units, above 0 */
  amount(key: string, decimals: number): bigint {
    const amount = parseAmount(
      this.text(key, () => true, 'must be a string'),
      decimals,
    );
    if (typeof amount === 'bigint') return amount;
    throw this.toError(
      key,
      `must be a decimal string greater than zero with at most ${decimals} fraction digits`,
    );
  }

  list<T>(key: string, read: (element: unknown, path: string) => T): T[] {
    return readList(this.raw(key), `${this.path}.${key}`, read);
  }

  toError(key: string, rule: string): InvalidNetworksConfiguration {
    return new InvalidNetworksConfiguration(`${this.path}.${key}`, rule);
  }
}

export function readList<T>(value: unknown, path: string, read: (element: unknown, path: string) => T): T[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new InvalidNetworksConfiguration(path, 'must be an array with at least one element');
  }
  return value.map((element, i) => read(element, `${path}[${i}]`));
}

/**
 * @param name key within an element, or a function that returns the key; null: the element itself
 */
export function refuseDuplicates<T>(
  path: string,
  elements: readonly T[],
  name: string | null | ((element: T) => string),
  key: (element: T) => unknown,
): void {
  const at = (i: number) => {
    const named = typeof name === 'function' ? name(elements[i]!) : name;
    return `${path}[${i}]${named === null ? '' : `.${named}`}`;
  };
  const first = new Map<unknown, number>();
  elements.forEach((element, i) => {
    const earlier = first.get(key(element));
    if (earlier !== undefined) {
      throw new InvalidNetworksConfiguration(at(i), `repeats ${at(earlier)}`);
    }
    first.set(key(element), i);
  });
}

export interface ChainTypeDefaults {
  /**
   * Default confirmations by amount. If present, `finality` is optional and defaults to the minimum of the assets'
   * tables.
   */
  readonly depths?: readonly ConfirmationsForAmount[];
  readonly blockSeconds?: number;
  /** Default: 64. */
  readonly typicalConfirmations?: number;
  readonly maxLagSeconds?: number;
}

export interface ChainTypeConfigurationSchema {
  readonly name: string;
  /** Name of the required setting that identifies the chain, such as `chain_id`. */
  readonly chainKey: string;
  readonly settings: readonly string[];
  readonly hidesNativeTransfers: boolean;
  /** `inclusion_grace_seconds` then limits how long pending transfers may wait for a block. */
  readonly followsPending: boolean;
  /** Settings for the gas key's spending are then rejected. */
  readonly deliversDirectly: boolean;
  readonly defaults?: ChainTypeDefaults;
  /** True if browser wallets (EIP-1193) can pay on networks of this chain type. */
  readonly hasBrowserWallets: boolean;
  readonly nativeDecimals: number;
  /** Prices are looked up by symbol only, so a wrong symbol would mean a wrong price. */
  readonly nativeSymbols: Readonly<Record<number, string>>;
  /** Symbol on all other networks. */
  readonly nativeSymbol?: string;
  /**
   * @returns an id that is unique within the chain type
   */
  readChainId(network: ConfigurationReader): number;
  /**
   * @returns the token in its display spelling
   */
  readToken(asset: ConfigurationReader): string;
  readChainTypeSettings(network: ConfigurationReader): Pick<NetworkConfiguration, 'contracts'>;
}
