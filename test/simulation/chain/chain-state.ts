import { KECCAK256_NULL } from '@ethereumjs/util';
import { PersistentMap } from './persistent-map.js';

/** An account as a block leaves it. */
export interface AccountState {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly code: Uint8Array;
  readonly codeHash: Uint8Array;
  /** The key is a slot, 32 bytes in hex. */
  readonly storage: PersistentMap<Uint8Array>;
}

const NONE: AccountState = {
  nonce: 0n,
  balance: 0n,
  code: new Uint8Array(),
  codeHash: KECCAK256_NULL,
  storage: PersistentMap.empty(),
};

/** All accounts at one moment. It never changes, so that every block keeps its own at little cost. */
export class ChainState {
  private constructor(private readonly accounts: PersistentMap<AccountState | undefined>) {}

  static readonly empty = new ChainState(PersistentMap.empty());

  /** @param address in lower case */
  account(address: string): AccountState {
    return this.accounts.get(address) ?? NONE;
  }

  has(address: string): boolean {
    return this.accounts.get(address) !== undefined;
  }

  with(address: string, changes: Partial<AccountState>): ChainState {
    return new ChainState(this.accounts.with(address, { ...this.account(address), ...changes }));
  }

  without(address: string): ChainState {
    return this.has(address) ? new ChainState(this.accounts.with(address, undefined)) : this;
  }
}
