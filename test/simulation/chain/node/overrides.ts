import { keccak256, numberToHex, hexToBytes } from 'viem';
import type { ChainState } from '../chain-state.js';
import { PersistentMap } from '../persistent-map.js';
import type { Surroundings } from '../machine.js';

/** A question pretends this of an account. */
export interface AccountOverride {
  readonly balance?: string;
  readonly nonce?: string;
  readonly code?: `0x${string}`;
  /** All of its storage. */
  readonly state?: Readonly<Record<string, `0x${string}`>>;
  /** Some of its storage. */
  readonly stateDiff?: Readonly<Record<string, `0x${string}`>>;
}

export interface BlockOverride {
  readonly number?: string;
  readonly time?: string;
  readonly gasLimit?: string;
  readonly feeRecipient?: string;
  readonly prevRandao?: `0x${string}`;
  readonly baseFeePerGas?: string;
}

export function withOverrides(
  state: ChainState,
  overrides: Readonly<Record<string, AccountOverride>> = {},
): ChainState {
  return Object.entries(overrides).reduce(
    (sum, [named, { balance, nonce, code, state: whole, stateDiff }]) => {
      const address = named.toLowerCase();
      const bytes = code === undefined ? null : hexToBytes(code);
      const stored = whole ?? stateDiff;
      let storage = whole === undefined ? sum.account(address).storage : PersistentMap.empty<Uint8Array>();
      for (const [slot, value] of Object.entries(stored ?? {}))
        storage = storage.with(numberToHex(BigInt(slot), { size: 32 }), hexToBytes(value));
      return sum.with(address, {
        ...(balance !== undefined && { balance: BigInt(balance) }),
        ...(nonce !== undefined && { nonce: BigInt(nonce) }),
        ...(bytes !== null && { code: bytes, codeHash: keccak256(bytes, 'bytes') }),
        ...(stored !== undefined && { storage }),
      });
    },
    state,
  );
}

export function withBlockOverrides(around: Surroundings, fields: BlockOverride = {}): Surroundings {
  const { number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas } = fields;
  return {
    ...around,
    ...(number !== undefined && { number: Number(number) }),
    ...(time !== undefined && { time: Number(time) }),
    ...(gasLimit !== undefined && { gasLimit: BigInt(gasLimit) }),
    ...(feeRecipient !== undefined && { miner: feeRecipient.toLowerCase() }),
    ...(prevRandao !== undefined && { randomness: prevRandao }),
    ...(baseFeePerGas !== undefined && { baseFee: BigInt(baseFeePerGas) }),
  };
}
