import { decodeErrorResult, parseAbi, keccak256, numberToHex, hexToBytes } from 'viem';
import { type ChainBlock, bloomOf } from '../chain-block.js';
import { type ChainState, PersistentMap } from '../chain-state.js';
import {
  intrinsicGas,
  type AccessedAccount,
  type Message,
  type Outcome,
  type Surroundings,
} from '../machine.js';
import type { MemoryChain } from '../memory-chain.js';
import { NodeRefusal } from './node-head.js';
import { quantity } from './answers.js';

export interface AskedCall {
  readonly from?: string;
  readonly to?: string | null;
  readonly data?: `0x${string}`;
  readonly input?: `0x${string}`;
  readonly value?: string;
  readonly gas?: string;
  readonly gasPrice?: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
  readonly accessList?: readonly AccessedAccount[];
}

const NOBODY = `0x${'00'.repeat(20)}`;
const REVERT_ABI = parseAbi(['error Error(string)']);

export function messageOf(call: AskedCall, gasLimit: bigint, baseFee: bigint): Message {
  const { from = NOBODY, to, data, input, value = '0x0', accessList = [] } = call;
  return {
    from: from.toLowerCase(),
    to: to?.toLowerCase() ?? null,
    data: input ?? data ?? '0x',
    value: BigInt(value),
    gasLimit: call.gas === undefined ? gasLimit : BigInt(call.gas),
    gasPrice: priceOf(call, baseFee),
    accessList,
  };
}

/** The block that a question about `block` pretends: its own where nothing else is said. */
export function sameBlock(chain: MemoryChain, block: ChainBlock): Surroundings {
  const parent = block.parent ?? block;
  return { ...chain.surroundings({ ...block, parent }), number: block.number };
}

export function nextBlock(chain: MemoryChain, parent: ChainBlock): Surroundings {
  const { gasLimit, miner } = chain;
  const { randomness } = parent;
  return chain.surroundings({
    parent,
    randomness,
    gasLimit,
    miner,
    time: parent.time + 1,
    baseFee: chain.baseFeeUpon(parent),
  });
}

/** Runs a call where it can be paid for. @throws NodeRefusal in geth's words */
export async function runCall(
  chain: MemoryChain,
  message: Message,
  around: Surroundings,
  upon: ChainState,
): Promise<Outcome> {
  const { from, gasLimit, gasPrice, value } = message;
  const least = intrinsicGas(message);
  if (gasLimit < least)
    throw new NodeRefusal(-32000, `intrinsic gas too low: have ${gasLimit}, want ${least}`);
  const { balance } = upon.account(from);
  const cost = gasLimit * gasPrice + value;
  if (balance < cost)
    throw new NodeRefusal(
      -32000,
      `insufficient funds for gas * price + value: address ${from} have ${balance} want ${cost}`,
    );
  // A call that names no price pays none, also for the base fee.
  const paid = gasPrice === 0n ? { ...around, baseFee: 0n } : around;
  return chain.evm.run(message, paid, upon);
}

export function requireSuccess({ failure, returned }: Outcome): `0x${string}` {
  const data = bytesOf(returned);
  if (failure === null) return data;
  throw failure === 'revert' ? new NodeRefusal(3, revertWords(data), data) : new NodeRefusal(-32000, failure);
}

/** Calls inside a transaction lose a 64th each, and one with value has so much more. */
const STIPEND = 2_300n;
/** An estimate is at most so many times as much as is needed, in thousandths: geth's. */
const PRECISION = 15n;

/** Gas with which the call succeeds, and hardly less would do. @throws NodeRefusal where it never does */
export async function estimate(
  chain: MemoryChain,
  call: AskedCall,
  around: Surroundings,
  upon: ChainState,
): Promise<string> {
  const message = messageOf(call, around.gasLimit, around.baseFee);
  const first = await runCall(chain, message, around, upon);
  requireSuccess(first);
  const suffices = async (gasLimit: bigint) =>
    (await runCall(chain, { ...message, gasLimit }, around, upon)).failure === null;
  if (await suffices(first.gasUsed)) return quantity(first.gasUsed);
  let [tooLittle, enough] = [first.gasUsed, message.gasLimit];
  const likely = ((first.gasUsed + STIPEND) * 64n) / 63n;
  if (likely < enough && (await suffices(likely))) enough = likely;
  while ((enough - tooLittle) * 1_000n > enough * PRECISION) {
    const middle = tooLittle * 2n < enough ? tooLittle * 2n : (enough + tooLittle) / 2n;
    if (await suffices(middle)) enough = middle;
    else tooLittle = middle;
  }
  return quantity(enough);
}

export function bytesOf(bytes: Uint8Array): `0x${string}` {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

export function revertWords(data: `0x${string}`): string {
  try {
    return `execution reverted: ${decodeErrorResult({ abi: REVERT_ABI, data }).args[0]}`;
  } catch {
    return 'execution reverted';
  }
}

function priceOf({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: AskedCall, baseFee: bigint): bigint {
  if (gasPrice !== undefined) return BigInt(gasPrice);
  if (maxFeePerGas === undefined) return 0n;
  const [most, tip] = [BigInt(maxFeePerGas), BigInt(maxPriorityFeePerGas ?? '0x0')];
  if (most === 0n) return 0n;
  if (most < baseFee)
    throw new NodeRefusal(
      -32000,
      `max fee per gas less than block base fee: maxFeePerGas: ${most}, baseFee: ${baseFee}`,
    );
  return baseFee + tip < most ? baseFee + tip : most;
}

export interface AccountOverride {
  readonly balance?: string;
  readonly nonce?: string;
  readonly code?: `0x${string}`;
  readonly state?: Readonly<Record<string, `0x${string}`>>;
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

interface SimulatedBlock {
  readonly calls?: readonly AskedCall[];
  readonly stateOverrides?: Readonly<Record<string, AccountOverride>>;
  readonly blockOverrides?: BlockOverride;
}

/** `eth_simulateV1`: blocks upon one, each with calls one after the other. @throws NodeRefusal */
export async function simulate(
  chain: MemoryChain,
  {
    blockStateCalls,
    validation = false,
  }: { blockStateCalls: readonly SimulatedBlock[]; validation?: boolean },
  upon: ChainBlock,
): Promise<object[]> {
  let { state } = upon;
  let around = nextBlock(chain, upon);
  const blocks: object[] = [];
  for (const { calls = [], stateOverrides, blockOverrides } of blockStateCalls) {
    around = withBlockOverrides(validation ? around : { ...around, baseFee: 0n }, blockOverrides);
    state = withOverrides(state, stateOverrides);
    const answers: object[] = [];
    let gasLeft = around.gasLimit;
    let logs = 0;
    for (const call of calls) {
      const message = messageOf(call, gasLeft, around.baseFee);
      if (message.gasLimit > gasLeft) throw new NodeRefusal(-38015, 'block gas limit reached');
      if (validation && message.gasPrice < around.baseFee)
        throw new NodeRefusal(-38012, 'max fee per gas less than block base fee');
      const outcome = await runCall(chain, message, around, state);
      answers.push(callAnswer(outcome, around, answers.length, logs));
      ({ state } = outcome);
      gasLeft -= outcome.gasUsed;
      logs += outcome.logs.length;
    }
    blocks.push({
      number: quantity(around.number),
      timestamp: quantity(around.time),
      gasLimit: quantity(around.gasLimit),
      gasUsed: quantity(around.gasLimit - gasLeft),
      baseFeePerGas: quantity(around.baseFee),
      miner: around.miner,
      mixHash: around.randomness,
      parentHash: upon.hash,
      calls: answers,
    });
    around = { ...around, number: around.number + 1, time: around.time + 1 };
  }
  return blocks;
}

/** `debug_traceCall` by the tracer `callTracer`, of the outermost call alone: who asks looks at its logs. */
export async function traceCall(
  chain: MemoryChain,
  call: AskedCall,
  upon: ChainBlock,
  { stateOverrides, blockOverrides }: Omit<SimulatedBlock, 'calls'> = {},
): Promise<object> {
  const around = withBlockOverrides(nextBlock(chain, upon), blockOverrides);
  const message = messageOf(call, around.gasLimit, around.baseFee);
  const outcome = await runCall(chain, message, around, withOverrides(upon.state, stateOverrides));
  const { failure, gasUsed, returned, logs } = outcome;
  return {
    type: 'CALL',
    from: message.from,
    to: message.to,
    value: quantity(message.value),
    gas: quantity(message.gasLimit),
    gasUsed: quantity(gasUsed),
    input: message.data,
    output: bytesOf(returned),
    ...(failure !== null && { error: failure === 'revert' ? 'execution reverted' : failure }),
    ...(logs.length > 0 && { logs }),
  };
}

function callAnswer(outcome: Outcome, around: Surroundings, index: number, firstLog: number): object {
  const { failure, gasUsed, returned, logs } = outcome;
  const returnData = bytesOf(returned);
  const error =
    failure === 'revert'
      ? { code: 3, message: revertWords(returnData), data: returnData }
      : { code: -32015, message: failure };
  return {
    returnData,
    gasUsed: quantity(gasUsed),
    status: failure === null ? '0x1' : '0x0',
    logsBloom: bloomOf(logs),
    logs: logs.map((log, at) => ({
      ...log,
      blockNumber: quantity(around.number),
      transactionIndex: quantity(index),
      logIndex: quantity(firstLog + at),
      removed: false,
    })),
    ...(failure !== null && { error }),
  };
}
