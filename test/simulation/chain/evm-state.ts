import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address, bytesToHex } from '@ethereumjs/util';
import { keccak256 } from 'viem';
import { ChainState } from './chain-state.js';

const NOTHING = new Uint8Array();

/** The accounts that the EVM reads and writes while it runs; it leaves the next `ChainState`. */
export class EvmState implements StateManagerInterface {
  private current = ChainState.empty;
  /** The state before the transaction: refunds of gas are counted against it. */
  private before = ChainState.empty;
  private readonly kept: ChainState[] = [];

  readonly originalStorageCache = {
    get: (address: Address, key: Uint8Array) => Promise.resolve(this.slot(this.before, address, key)),
    clear: () => {
      this.before = this.current;
    },
  };

  get now(): ChainState {
    return this.current;
  }

  standOn(state: ChainState): void {
    this.current = state;
    this.before = state;
    this.kept.length = 0;
  }

  getAccount(address: Address): Promise<Account | undefined> {
    const key = address.toString();
    if (!this.current.has(key)) return Promise.resolve(undefined);
    const { nonce, balance, codeHash } = this.current.account(key);
    return Promise.resolve(new Account(nonce, balance, undefined, codeHash));
  }

  putAccount(address: Address, account?: Account): Promise<void> {
    if (account === undefined) return this.deleteAccount(address);
    const { nonce, balance } = account;
    this.current = this.current.with(address.toString(), { nonce, balance });
    return Promise.resolve();
  }

  deleteAccount(address: Address): Promise<void> {
    this.current = this.current.without(address.toString());
    return Promise.resolve();
  }

  modifyAccountFields(address: Address, { nonce, balance }: AccountFields): Promise<void> {
    const changes = { ...(nonce !== undefined && { nonce }), ...(balance !== undefined && { balance }) };
    this.current = this.current.with(address.toString(), changes);
    return Promise.resolve();
  }

  putCode(address: Address, code: Uint8Array): Promise<void> {
    this.current = this.current.with(address.toString(), { code, codeHash: keccak256(code, 'bytes') });
    return Promise.resolve();
  }

  getCode(address: Address): Promise<Uint8Array> {
    return Promise.resolve(this.current.account(address.toString()).code);
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return Promise.resolve(this.slot(this.current, address, key));
  }

  putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    const account = address.toString();
    const storage = this.current.account(account).storage.with(bytesToHex(key), value);
    this.current = this.current.with(account, { storage });
    return Promise.resolve();
  }

  clearStorage(address: Address): Promise<void> {
    const { storage } = ChainState.empty.account(address.toString());
    if (this.current.has(address.toString()))
      this.current = this.current.with(address.toString(), { storage });
    return Promise.resolve();
  }

  checkpoint(): Promise<void> {
    this.kept.push(this.current);
    return Promise.resolve();
  }

  commit(): Promise<void> {
    this.kept.pop();
    return Promise.resolve();
  }

  revert(): Promise<void> {
    this.current = this.kept.pop()!;
    return Promise.resolve();
  }

  clearCaches(): void {}

  shallowCopy(): EvmState {
    const copy = new EvmState();
    copy.standOn(this.current);
    return copy;
  }

  getStateRoot(): never {
    throw new Error('States have no roots here.');
  }

  setStateRoot(): never {
    throw new Error('States have no roots here.');
  }

  hasStateRoot(): never {
    throw new Error('States have no roots here.');
  }

  private slot(state: ChainState, address: Address, key: Uint8Array): Uint8Array {
    return state.account(address.toString()).storage.get(bytesToHex(key)) ?? NOTHING;
  }
}
