import type { ChainBlock } from '../chain-block.js';
import { bloomOf } from '../bloom.js';
import type { Outcome, Surroundings } from '../machine.js';
import type { MemoryChain } from '../memory-chain.js';
import { quantity } from './answers.js';
import { type AskedCall, bytesOf, messageOf, nextBlock, revertWords, runCall } from './calls.js';
import { NodeRefusal } from './node-head.js';
import { type AccountOverride, type BlockOverride, withBlockOverrides, withOverrides } from './overrides.js';

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
