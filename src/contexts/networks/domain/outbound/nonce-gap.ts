import { stateConflict, type DomainError } from '#shared/kernel/domain-error.js';
import { organizationOfFloat } from './key-use.js';

export interface SenderAccount {
  readonly network: string;
  /** Null for outbound transactions created before keys had names. */
  readonly key: string | null;
  readonly address: string;
}

export interface RecordedNonces {
  /** Highest nonce that was not released. */
  readonly highest: number | null;
  /**
   * Hashes of transactions that used the nonces of `foreign` outbound transactions and are not stored themselves, by
   * nonce.
   */
  readonly foreign: ReadonlyMap<number, string>;
  /** Nothing was ever signed for these nonces. */
  readonly unsigned: readonly number[];
}

export interface NonceGap {
  readonly foreign: ReadonlyMap<number, string>;
  /**
   * Nonces of reserved outbound transactions that other transactions used, because nothing was signed for the reserved
   * ones.
   */
  readonly unsigned: readonly number[];
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. Equals `from` if all nonces up to the chain's count are stored. */
  readonly below: number;
}

/**
 * A key that pays for gas may be older than the service, so earlier transactions do not count.
 * @param mostCount highest count of any endpoint: a false gap only delays the key, but a missed gap pays twice
 */
export function nonceGap(
  key: string | null,
  mostCount: number,
  { highest, foreign, unsigned: reserved }: RecordedNonces,
): NonceGap | null {
  const first = key !== null && organizationOfFloat(key) !== null ? 0 : mostCount;
  const from = highest === null ? first : highest + 1;
  const unsigned = reserved.filter((nonce) => nonce < mostCount);
  return foreign.size === 0 && unsigned.length === 0 && mostCount <= from
    ? null
    : { foreign, unsigned, from, below: Math.max(mostCount, from) };
}

export function nonceGapRefusal({ network, key, address }: SenderAccount, gap: NonceGap): DomainError {
  const nonces = [...gap.foreign.keys(), ...gap.unsigned].sort((one, other) => one - other).map(String);
  if (gap.below > gap.from)
    nonces.push(gap.below === gap.from + 1 ? `${gap.from}` : `${gap.from} to ${gap.below - 1}`);
  return stateConflict(
    `${address} on ${network} has sent transactions that are not stored here, for example because of a restore of the ` +
      `database: nonce ${nonces.join(', ')}. Nothing is sent with the key ${key ?? 'of this address'}, and its balance is not ` +
      `reserved, until the operator has run: sender reconcile ${network} ${address}`,
  );
}

/**
 * Ignores the node's pending count, because nodes drop pending transactions and count replaceable ones. On chains
 * without nonces, the number only orders the transactions of a key.
 */
export function nextNonce(latestCount: number | null, highestOwn: number | null): number {
  return highestOwn === null ? (latestCount ?? 0) : Math.max(latestCount ?? 0, highestOwn + 1);
}
