import { Hardfork, Mainnet, createCustomCommon } from '@ethereumjs/common';
import { type EVM, type EVMResult, createEVM } from '@ethereumjs/evm';
import { createAddressFromString, hexToBytes } from '@ethereumjs/util';
import { ChainState } from './chain-state.js';
import { type CoinMove, CoinMoves } from './coin-moves.js';
import { EvmState } from './evm-state.js';
import { intrinsicGas } from './intrinsic-gas.js';

/** The block that code runs in. */
export interface Surroundings {
  readonly number: number;
  /** Seconds since 1970. */
  readonly time: number;
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
  readonly miner: string;
  readonly randomness: `0x${string}`;
  /** @returns the hash of an earlier block of the same branch */
  readonly hashOf: (number: number) => `0x${string}`;
}

/** A transaction, or a call that only looks at what would be. */
export interface Message {
  readonly from: string;
  /** Null: its data is the code that creates a contract. */
  readonly to: string | null;
  readonly data: `0x${string}`;
  readonly value: bigint;
  readonly gasLimit: bigint;
  /** Each unit of gas costs the sender so much; the part above the base fee is the miner's. */
  readonly gasPrice: bigint;
  readonly accessList?: readonly AccessedAccount[];
}

export interface AccessedAccount {
  readonly address: string;
  readonly storageKeys: readonly string[];
}

export interface EvmLog {
  readonly address: string;
  readonly topics: readonly `0x${string}`[];
  readonly data: `0x${string}`;
}

export interface Outcome {
  readonly state: ChainState;
  readonly gasUsed: bigint;
  /** The EVM's words; null: it succeeded. */
  readonly failure: string | null;
  readonly returned: Uint8Array;
  readonly logs: readonly EvmLog[];
  readonly created: string | null;
  readonly moves: readonly CoinMove[];
}

/** The share of the gas that is refunded at most: a fifth, since London. */
const MOST_REFUNDED = 5n;
/** The fork that the contracts are compiled for, and that the sandbox's node runs. */
const HARDFORK = Hardfork.Cancun;

/** Runs real code upon states. It runs one message after the other. */
export class Machine {
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly evm: EVM,
    private readonly state: EvmState,
    private readonly moves: CoinMoves,
    private readonly hashes: { hashOf: Surroundings['hashOf'] },
  ) {}

  static async create(chainId: number): Promise<Machine> {
    const common = createCustomCommon({ chainId }, Mainnet, { hardfork: HARDFORK });
    const stateManager = new EvmState();
    const hashes = { hashOf: (_: number): `0x${string}` => '0x' };
    const blockchain = {
      getBlock: (number: number) => Promise.resolve({ hash: () => hexToBytes(hashes.hashOf(number)) }),
      putBlock: () => Promise.resolve(),
      shallowCopy: () => blockchain,
    };
    const evm = await createEVM({ common, stateManager, blockchain });
    return new Machine(evm, stateManager, new CoinMoves(evm), hashes);
  }

  /** Who sends can pay for it: that is the caller's to see to. */
  run(message: Message, surroundings: Surroundings, upon: ChainState): Promise<Outcome> {
    const outcome = this.last.then(() => this.runAlone(message, surroundings, upon));
    this.last = outcome.catch(() => undefined);
    return outcome;
  }

  private async runAlone(message: Message, around: Surroundings, upon: ChainState): Promise<Outcome> {
    const { from, to, gasLimit, gasPrice, value } = message;
    this.hashes.hashOf = around.hashOf;
    const sender = upon.account(from);
    const bought = { nonce: sender.nonce + 1n, balance: sender.balance - gasLimit * gasPrice };
    this.state.standOn(upon.with(from, bought));
    this.warm(message, around);
    const free = intrinsicGas(message);
    const result = await this.evm.runCall({
      block: blockOf(around),
      gasPrice,
      caller: createAddressFromString(from),
      gasLimit: gasLimit - free,
      ...(to !== null && { to: createAddressFromString(to) }),
      value,
      data: hexToBytes(message.data),
      skipNonceIncrement: true,
    });
    const { gasRefund = 0n, executionGasUsed } = result.execResult;
    const spent = executionGasUsed + free;
    const gasUsed = spent - (gasRefund < spent / MOST_REFUNDED ? gasRefund : spent / MOST_REFUNDED);
    await this.clean(result);
    return this.outcome(result, gasUsed, message, around);
  }

  private warm({ from, to, accessList = [] }: Message, { miner }: Surroundings): void {
    const { journal } = this.evm;
    for (const address of this.evm.precompiles.keys()) journal.addAlwaysWarmAddress(address);
    for (const address of [from, miner, ...(to === null ? [] : [to])]) journal.addAlwaysWarmAddress(address);
    for (const { address, storageKeys } of accessList) {
      journal.addAlwaysWarmAddress(address);
      for (const key of storageKeys) journal.addAlwaysWarmSlot(address, key);
    }
  }

  /** Contracts that their own transaction created and destroyed go, and so does every empty account that it touched. */
  private async clean({ execResult }: EVMResult): Promise<void> {
    for (const address of execResult.selfdestruct?.keys() ?? []) {
      if (execResult.createdAddresses?.has(address))
        await this.evm.journal.deleteAccount(createAddressFromString(address));
    }
    await this.evm.journal.cleanup();
    this.evm.transientStorage.clear();
  }

  private outcome(result: EVMResult, gasUsed: bigint, message: Message, around: Surroundings): Outcome {
    const { from, gasLimit, gasPrice } = message;
    const { exceptionError, returnValue, logs = [] } = result.execResult;
    let state = this.state.now;
    const returnedGas = (gasLimit - gasUsed) * gasPrice;
    state = state.with(from, { balance: state.account(from).balance + returnedGas });
    const tip = gasPrice > around.baseFee ? (gasPrice - around.baseFee) * gasUsed : 0n;
    if (tip > 0n) state = state.with(around.miner, { balance: state.account(around.miner).balance + tip });
    return {
      state,
      gasUsed,
      failure: exceptionError?.error ?? null,
      returned: returnValue,
      logs: logs.map(([address, topics, data]) => ({
        address: hexOf(address),
        topics: topics.map(hexOf),
        data: hexOf(data),
      })),
      created: exceptionError === undefined ? (result.createdAddress?.toString() ?? null) : null,
      moves: this.moves.take(),
    };
  }
}

function blockOf({ number, time, baseFee, gasLimit, miner, randomness }: Surroundings) {
  return {
    header: {
      number: BigInt(number),
      coinbase: createAddressFromString(miner),
      timestamp: BigInt(time),
      difficulty: 0n,
      prevRandao: hexToBytes(randomness),
      gasLimit,
      baseFeePerGas: baseFee,
      getBlobGasPrice: () => 1n,
    },
  };
}

function hexOf(bytes: Uint8Array): `0x${string}` {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
