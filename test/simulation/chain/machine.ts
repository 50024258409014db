import { type EVM, type EVMResult, type Message as EvmMessage, createEVM } from '@ethereumjs/evm';
import { Hardfork, Mainnet, createCustomCommon } from '@ethereumjs/common';
import { createAddressFromString, hexToBytes } from '@ethereumjs/util';
import { ChainState } from './chain-state.js';
import { EvmState } from './evm-state.js';

const TRANSACTION = 21_000n;
const CREATION = 32_000n;
const ZERO_BYTE = 4n;
const OTHER_BYTE = 16n;
const WORD_OF_CREATION_CODE = 2n;
const ACCESSED_ADDRESS = 2_400n;
const ACCESSED_SLOT = 1_900n;

interface Parts {
  readonly to: string | null;
  readonly data: `0x${string}`;
  readonly accessList?: readonly { readonly storageKeys: readonly string[] }[];
}

export function intrinsicGas({ to, data, accessList = [] }: Parts): bigint {
  const bytes = (data.length - 2) / 2;
  let zeros = 0;
  for (let at = 2; at < data.length; at += 2) {
    if (data.charCodeAt(at) === 48 && data.charCodeAt(at + 1) === 48) zeros += 1;
  }
  const creation = to === null ? CREATION + WORD_OF_CREATION_CODE * BigInt(Math.ceil(bytes / 32)) : 0n;
  const slots = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  return (
    TRANSACTION +
    creation +
    ZERO_BYTE * BigInt(zeros) +
    OTHER_BYTE * BigInt(bytes - zeros) +
    ACCESSED_ADDRESS * BigInt(accessList.length) +
    ACCESSED_SLOT * BigInt(slots)
  );
}

export interface CoinMove {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/** The calls of a transaction, as they run: what failed inside, and so was undone, is left out. */
export class CoinMoves {
  private readonly open: CoinMove[][] = [];
  private done: CoinMove[] = [];

  constructor(evm: EVM) {
    evm.events.on('beforeMessage', (message) => this.begin(message));
    evm.events.on('afterMessage', (result) => this.end(result));
  }

  take(): readonly CoinMove[] {
    const moves = this.done;
    this.done = [];
    this.open.length = 0;
    return moves;
  }

  private begin({ depth, delegatecall, caller, to, value }: EvmMessage): void {
    const isMove = depth > 0 && !delegatecall && value > 0n && to !== undefined && !caller.equals(to);
    this.open.push(isMove ? [{ from: caller.toString(), to: to.toString(), amount: value }] : []);
  }

  private end({ execResult }: EVMResult): void {
    const moves = this.open.pop() ?? [];
    if (execResult.exceptionError !== undefined) return;
    (this.open.at(-1) ?? this.done).push(...moves);
  }
}

export interface Surroundings {
  readonly number: number;
  readonly time: number;
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
  readonly miner: string;
  readonly randomness: `0x${string}`;
  readonly hashOf: (number: number) => `0x${string}`;
}

export interface Message {
  readonly from: string;
  /** Null: its data is the code that creates a contract. */
  readonly to: string | null;
  readonly data: `0x${string}`;
  readonly value: bigint;
  readonly gasLimit: bigint;
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

type JumpAnalysis = (this: object, code: Uint8Array) => object;

/**
 * Lets the EVM analyse each contract's code once, and not at each call: a tenth of a run went there. The package does not export its
 * interpreter, so it is found beside the module that it does export.
 */
export async function rememberJumps(): Promise<void> {
  const beside = new URL('./interpreter.js', import.meta.resolve('@ethereumjs/evm'));
  const { Interpreter } = (await import(beside.href)) as {
    Interpreter: { prototype: { _getValidJumpDestinations: JumpAnalysis } };
  };
  const analyse = Interpreter.prototype._getValidJumpDestinations;
  // By the array that the state holds: the same code is the same array from block to block.
  const known = new WeakMap<Uint8Array, object>();
  Interpreter.prototype._getValidJumpDestinations = function (code) {
    const analysed = known.get(code) ?? analyse.call(this, code);
    known.set(code, analysed);
    return analysed;
  };
}
