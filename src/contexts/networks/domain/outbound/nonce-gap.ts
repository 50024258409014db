import { stateConflict, type DomainError } from '#shared/kernel/domain-error.js';
import { organizationOfFloat } from './key-use.js';

/** A key on a network. */
export interface SendingAccount {
  readonly network: string;
  /** The key's name; null for outbound transactions that are older than names. */
  readonly key: string | null;
  readonly address: string;
}

/** The nonces of an account that stored outbound transactions account for. */
export interface AccountedNonces {
  /** The highest of those that were not released; null where there is none. */
  readonly highest: number | null;
  /** Transactions that used the nonces of foreign outbound transactions and are stored as no sending of their own, by nonce. */
  readonly foreign: ReadonlyMap<number, string>;
  /** Nonces of reserved outbound transactions, in order: nothing was ever signed for them. */
  readonly unsigned: readonly number[];
}

/** Nonces that transactions of an account have used, and that no stored sending accounts for. */
export interface NonceGap {
  readonly foreign: ReadonlyMap<number, string>;
  /** Nonces of reserved outbound transactions: another transaction uses them, since these have none. */
  readonly unsigned: readonly number[];
  /** Inclusive. */
  readonly from: number;
  /** Exclusive; `from` where all up to the chain's count are stored. */
  readonly below: number;
}

/**
 * The key of a float sends nothing but what is stored. One that pays for gas may be older than the service: what it had
 * sent before its first sending is none of the service's.
 * @param mostCount the greatest that any endpoint shows: a gap that is not there holds a key for a while, one that is
 * overlooked pays twice
 */
export function nonceGap(
  key: string | null,
  mostCount: number,
  { highest, foreign, unsigned: reserved }: AccountedNonces,
): NonceGap | null {
  const first = key !== null && organizationOfFloat(key) !== null ? 0 : mostCount;
  const from = highest === null ? first : highest + 1;
  const unsigned = reserved.filter((nonce) => nonce < mostCount);
  return foreign.size === 0 && unsigned.length === 0 && mostCount <= from
    ? null
    : { foreign, unsigned, from, below: Math.max(mostCount, from) };
}

/** @param account its address as people write it */
export function refusalOfGap({ network, key, address }: SendingAccount, gap: NonceGap): DomainError {
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
 * The nonce of a new sending. What the node calls pending is never asked: it forgets, and counts what may be replaced.
 * @param latestCount transactions of the account up to the newest block
 * @param highestOwn nonce of the service's outbound transactions from this account that were not released; null where there is none
 */
export function nextNonce(latestCount: number, highestOwn: number | null): number {
  return highestOwn === null ? latestCount : Math.max(latestCount, highestOwn + 1);
}
