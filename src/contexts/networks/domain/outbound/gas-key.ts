import { stateConflict, type DomainError } from '#shared/kernel/domain-error.js';

/** A key's account at the newest block. */
export interface AccountState {
  /** Transactions sent by it. */
  readonly latestCount: number;
  /** The greatest count that any endpoint shows, those in its pool included. */
  readonly mostCount: number;
  readonly balance: bigint;
  /** Hex with `0x`; `0x` for a plain account. */
  readonly code: string;
}

/** EIP-7702: what a delegated account's code begins with. */
const DELEGATION = '0xef0100';

/**
 * A key is used only where its account is a plain one: code, its own or delegated, could spend nonces and coin by itself.
 * @returns null where it is one
 */
export function refusalOfAccount(address: string, { code }: AccountState): DomainError | null {
  if (code === '0x') return null;
  const what = code.startsWith(DELEGATION)
    ? `delegates to a contract (EIP-7702: 0x${code.slice(DELEGATION.length)})`
    : 'has code';
  return stateConflict(`${address} ${what}. A sending key must be a plain account. Nothing was sent.`);
}

export interface GasNeed {
  /** Cost of the planned call: gas, the fee for its data, its value. */
  readonly call: bigint;
  /** Cost of the unfinished outbound transactions of the same key. */
  readonly unfinished: bigint;
}

/** @returns null where the balance is enough */
export function refusalOfBalance(
  address: string,
  { balance }: AccountState,
  need: GasNeed,
): DomainError | null {
  const missing = need.call + need.unfinished - balance;
  if (missing <= 0n) return null;
  const reserved =
    need.unfinished > 0n ? `, and ${need.unfinished} wei for unfinished outbound transactions` : '';
  return stateConflict(
    `${address} holds ${balance} wei, but up to ${need.call} wei are needed${reserved}. Send at least ${missing} wei to it. ` +
      'Nothing was sent.',
  );
}

/** A batch of a hundred first settlements takes some 5.4 million. */
const GAS_KEPT_READY = 6_000_000n;

/** True where a key that pays for gas will soon not be able to. @param price for one unit of gas, now */
export function isLow({ balance }: AccountState, unfinished: bigint, price: bigint): boolean {
  return balance - unfinished < GAS_KEPT_READY * price;
}
