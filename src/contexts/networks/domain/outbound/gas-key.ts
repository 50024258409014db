import { stateConflict, type DomainError } from '#shared/kernel/domain-error.js';

export interface SenderAccountState {
  /** Null on chains without nonces. */
  readonly latestCount: number | null;
  /** The highest transaction count that any endpoint reports, including its mempool. 0 on chains without nonces. */
  readonly mostCount: number;
  readonly balance: bigint;
  /** Code of the account in hex with `0x`; `0x` for a plain account. */
  readonly code: string;
  /** Gas that the account can use without paying for it. Default: 0. */
  readonly prepaidGas?: bigint;
  /** Other resources of the account, shown to operators. */
  readonly resources?: Readonly<Record<string, number>>;
}

/** Prefix of the code of a delegated account (EIP-7702). */
const DELEGATION_CODE_PREFIX = '0xef0100';

/** Rejects accounts with code, because their own or delegated code could use nonces and coin without the key. */
export function senderAccountRefusal(address: string, { code }: SenderAccountState): DomainError | null {
  if (code === '0x') return null;
  const what = code.startsWith(DELEGATION_CODE_PREFIX)
    ? `delegates to a contract (EIP-7702: 0x${code.slice(DELEGATION_CODE_PREFIX.length)})`
    : 'has code';
  return stateConflict(`${address} ${what}. A sending key must be a plain account. Nothing was sent.`);
}

export interface RequiredSenderBalance {
  /** Maximum cost of the planned call: gas, data fee and value. */
  readonly call: bigint;
  readonly unfinished: bigint;
}

export function senderBalanceRefusal(
  address: string,
  { balance }: SenderAccountState,
  need: RequiredSenderBalance,
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

/** A batch of a hundred first settlements uses about 5.4 million gas. */
const MIN_GAS_IN_RESERVE = 6_000_000n;

export function isGasBalanceLow({ balance }: SenderAccountState, unfinished: bigint, price: bigint): boolean {
  return balance - unfinished < MIN_GAS_IN_RESERVE * price;
}
