import { KECCAK256_NULL } from '@ethereumjs/util';

/** A map that never changes: `with` answers another one, which shares nearly all of its parts with this one. */
export class PersistentMap<V> {
  private constructor(private readonly root: Part<V> | null) {}

  static empty<V>(): PersistentMap<V> {
    return new PersistentMap<V>(null);
  }

  get(key: string): V | undefined {
    const hash = hashOf(key);
    let part = this.root;
    for (let shift = 0; part !== null && part.kind === 'branch'; shift += 4) {
      const bit = 1 << ((hash >>> shift) & 15);
      part = (part.bits & bit) === 0 ? null : part.parts[placeOf(part.bits, bit)]!;
    }
    return part?.entries.find(([each]) => each === key)?.[1];
  }

  with(key: string, value: V): PersistentMap<V> {
    return new PersistentMap(put(this.root, 0, hashOf(key), key, value));
  }
}

interface Leaf<V> {
  readonly kind: 'leaf';
  readonly hash: number;
  readonly entries: readonly (readonly [string, V])[];
}

/** Up to 16 parts, one for each value of the next four bits of a hash; `bits` says which of them are there. */
interface Branch<V> {
  readonly kind: 'branch';
  readonly bits: number;
  readonly parts: readonly Part<V>[];
}

type Part<V> = Leaf<V> | Branch<V>;

function put<V>(part: Part<V> | null, shift: number, hash: number, key: string, value: V): Part<V> {
  if (part === null) return { kind: 'leaf', hash, entries: [[key, value]] };
  if (part.kind === 'leaf') {
    if (part.hash === hash) {
      const others = part.entries.filter(([each]) => each !== key);
      return { ...part, entries: [...others, [key, value]] };
    }
    const branch: Branch<V> = { kind: 'branch', bits: 1 << ((part.hash >>> shift) & 15), parts: [part] };
    return put(branch, shift, hash, key, value);
  }
  const bit = 1 << ((hash >>> shift) & 15);
  const place = placeOf(part.bits, bit);
  const isThere = (part.bits & bit) !== 0;
  const changed = put(isThere ? part.parts[place]! : null, shift + 4, hash, key, value);
  return { ...part, bits: part.bits | bit, parts: part.parts.toSpliced(place, isThere ? 1 : 0, changed) };
}

function placeOf(bits: number, bit: number): number {
  let below = bits & (bit - 1);
  let count = 0;
  for (; below !== 0; below &= below - 1) count += 1;
  return count;
}

function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

export interface AccountState {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly code: Uint8Array;
  readonly codeHash: Uint8Array;
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
