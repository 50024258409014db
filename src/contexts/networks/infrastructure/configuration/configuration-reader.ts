import { parseAmount } from '#shared/kernel/amount.js';
import type { AmountDepth } from '#shared/kernel/asset.js';
import type { NetworkConfiguration } from '../../domain/network-configuration.js';

/** A refused configuration; the message names the place and the rule in a sentence for the operator. */
export class InvalidNetworksConfiguration extends Error {
  constructor(path: string, rule: string) {
    super(`${path}: ${rule}`);
    this.name = 'InvalidNetworksConfiguration';
  }
}

/** One JSON object of a configuration, read key by key; the path leads every sentence. */
export class ConfigurationReader {
  private readonly values: Record<string, unknown>;

  /** @throws InvalidNetworksConfiguration if `value` is not an object, lacks a key or has one too many */
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
        throw this.refuse(key, 'is not a known setting');
    }
    for (const key of required) {
      if (!this.has(key)) throw this.refuse(key, 'is missing');
    }
  }

  has(key: string): boolean {
    return Object.hasOwn(this.values, key);
  }

  raw(key: string): unknown {
    return this.has(key) ? this.values[key] : undefined;
  }

  /** @param fallback for an absent key */
  integer(key: string, least: number, most: number, fallback?: number): number {
    const value = this.has(key) ? this.raw(key) : fallback;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most)
      return value;
    throw this.refuse(key, `must be an integer from ${least} to ${most}`);
  }

  /** Fractions too. */
  number(key: string, least: number, most: number, fallback: number): number {
    const value = this.has(key) ? this.raw(key) : fallback;
    if (typeof value === 'number' && value >= least && value <= most) return value;
    throw this.refuse(key, `must be a number from ${least} to ${most}`);
  }

  /** @param rule what `accepts` demands, as the end of a sentence */
  text(key: string, accepts: (text: string) => boolean, rule: string): string {
    const value = this.raw(key);
    if (typeof value === 'string' && accepts(value)) return value;
    throw this.refuse(key, rule);
  }

  /** @returns in smallest units, above zero */
  amount(key: string, decimals: number): bigint {
    const amount = parseAmount(
      this.text(key, () => true, 'must be a string'),
      decimals,
    );
    if (typeof amount === 'bigint') return amount;
    throw this.refuse(
      key,
      `must be a decimal string greater than zero with at most ${decimals} fraction digits`,
    );
  }

  /** One or more elements, each read with its own path. */
  list<T>(key: string, read: (element: unknown, path: string) => T): T[] {
    return readList(this.raw(key), `${this.path}.${key}`, read);
  }

  refuse(key: string, rule: string): InvalidNetworksConfiguration {
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
 * @param name of the key within an element, or tells it of each element; null: the element itself
 * @throws InvalidNetworksConfiguration naming the second of two elements with the same key
 */
export function refuseRepeats<T>(
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

/** Taken where an operator sets nothing; what is absent here is the same for most chain types. */
export interface ChainTypeDefaults {
  /** With it `finality` need not be set, and is then the least that an asset's table has. */
  readonly depths?: readonly AmountDepth[];
  readonly blockSeconds?: number;
  readonly maxLagSeconds?: number;
}

/** The part of a network's configuration that is different for each chain type. */
export interface ChainTypeConfiguration {
  /** A network's `family` names it so. */
  readonly name: string;
  /** The setting that says which chain a network has, and must be there: `chain_id`. */
  readonly chainKey: string;
  /** Settings of a network that only this chain type has; each may be absent. */
  readonly settings: readonly string[];
  readonly hidesNativeTransfers: boolean;
  /** Transfers are followed before they are in a block: `inclusion_grace_seconds` is how long they may wait for one. */
  readonly followsPending: boolean;
  /** Money that arrives is the merchant's at once; settings of what the gas key is spent on are refused. */
  readonly deliversDirectly: boolean;
  readonly defaults?: ChainTypeDefaults;
  /** Wallets in browsers (EIP-1193) pay on its networks. */
  readonly hasBrowserWallets: boolean;
  readonly nativeDecimals: number;
  /**
   * Symbols of native coins, by chain id: prices know an asset by its symbol alone, and another chain's coin is worth
   * something else. Chains that are not here name theirs as they like.
   */
  readonly nativeSymbols: Readonly<Record<number, string>>;
  /**
   * @returns the id that distinguishes the chain of `chainKey` from the others of the chain type
   * @throws InvalidNetworksConfiguration
   */
  readChainId(network: ConfigurationReader): number;
  /** @returns the `token` of an asset that is not the native coin, as people write it @throws InvalidNetworksConfiguration */
  readToken(asset: ConfigurationReader): string;
  /** @returns with whatever `settings` say besides @throws InvalidNetworksConfiguration */
  readOwn(network: ConfigurationReader): Pick<NetworkConfiguration, 'contracts'>;
}
