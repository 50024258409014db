import { decodeErrorResult, parseAbi } from 'viem';
import type { ChainBlock } from '../chain-block.js';
import type { ChainState } from '../chain-state.js';
import { intrinsicGas } from '../intrinsic-gas.js';
import type { AccessedAccount, Message, Outcome, Surroundings } from '../machine.js';
import type { MemoryChain } from '../memory-chain.js';
import { NodeRefusal } from './node-head.js';
import { quantity } from './answers.js';

/** A call as a question names it. */
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

/** The message of a call, at the price that it names; at none it costs nothing. */
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

/** The block that would come next. */
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

/** @throws NodeRefusal where it failed */
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
