import { Injectable } from '@nestjs/common';
import { toFunctionSelector } from 'viem';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { SimulatedSettlement } from '#contexts/networks/domain/settlement-plan/settlement-plan.js';
import { type Fields, fieldsOf, hex, readAmount } from '../rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import type { Fees } from '#contexts/networks/domain/outbound/fees.js';
import type { NewestBlock } from './rpc-settlement-facts.js';
import { settlementEvents } from './settle-call.js';

export interface SettleCall {
  readonly from: string;
  /** The factory. */
  readonly to: string;
  readonly data: `0x${string}`;
  readonly gas: bigint;
}

/** The part that a simulated transaction has in common with the one that will be sent. */
export interface SimulatedAs {
  readonly fees: Fees;
  readonly upon: NewestBlock;
}

const refused = ({ message }: { readonly message: string }) => message;

/**
 * Which events a call of the factory would write upon the newest block, by `eth_simulateV1`, else by `debug_traceCall`: at
 * the price that will be offered, in a block like the next one. What a contract does then and not in the block that comes
 * is found by the outcome.
 */
@Injectable()
export class RpcSettlementSimulation {
  constructor(private readonly rpc: JsonRpc) {}

  /** @throws ChainUnavailable also where the endpoint simulates nothing */
  async simulate(
    endpoint: Endpoint,
    { from, to, data, gas }: SettleCall,
    { fees, upon }: SimulatedAs,
  ): Promise<SimulatedSettlement> {
    const transaction = { from, to, data, gas: quantity(gas), ...offered(fees) };
    // The key need not hold what the largest transaction may cost: what it lacks is reported before it sends.
    const stateOverrides = { [from]: { balance: quantity(2n * gas * fees.maxFee) } };
    const { feeRecipient, prevRandao } = upon;
    const calls = [transaction];
    const blockOverrides = { feeRecipient, prevRandao };
    const simulated = await this.rpc.callOnce<SimulatedSettlement | string>(endpoint, {
      method: 'eth_simulateV1',
      isLong: true,
      params: [{ blockStateCalls: [{ calls, blockOverrides, stateOverrides }], validation: true }, 'latest'],
      read: (answer) => readSimulated(answer, to),
      refused,
    });
    if (typeof simulated !== 'string') return simulated;
    const traced = await this.rpc.callOnce<SimulatedSettlement | string>(endpoint, {
      method: 'debug_traceCall',
      isLong: true,
      params: [
        transaction,
        'latest',
        {
          tracer: 'callTracer',
          tracerConfig: { withLog: true },
          stateOverrides,
          blockOverrides: { number: hex(upon.number + 1), time: hex(upon.timestamp + 1) },
        },
      ],
      read: (answer) => readTraced(answer, to),
      refused,
    });
    if (typeof traced !== 'string') return traced;
    // No failure of the endpoint, which reads blocks as well as before.
    const reasons = `eth_simulateV1 (${simulated}), debug_traceCall with logs (${traced})`;
    throw new ChainUnavailable(
      endpoint.network,
      `the endpoint could not simulate the transaction: ${reasons}.`,
    );
  }
}

function offered({ maxFee, priorityFee }: Fees) {
  if (priorityFee === null) return { gasPrice: quantity(maxFee) };
  return { maxFeePerGas: quantity(maxFee), maxPriorityFeePerGas: quantity(priorityFee) };
}

function quantity(amount: bigint): string {
  return `0x${amount.toString(16)}`;
}

/** Reads the one call in the one simulated block. */
function readSimulated(answer: unknown, factory: string): SimulatedSettlement {
  const [block] = Array.isArray(answer) ? (answer as unknown[]) : [];
  const { calls } = fieldsOf(block, 'the simulated block');
  const [call] = Array.isArray(calls) ? (calls as unknown[]) : [];
  const outcome = fieldsOf(call, 'the simulated call');
  if (outcome.status === '0x1') return outcomeOf(outcome, factory);
  const { message, data } = fieldsOf(outcome.error ?? {}, 'the error');
  return revertedBy(outcome, message, data ?? outcome.returnData);
}

/** The factory writes its events itself, so those of the calls that it makes are not looked at. */
function readTraced(answer: unknown, factory: string): SimulatedSettlement {
  const frame = fieldsOf(answer, 'the trace');
  return frame.error === undefined ? outcomeOf(frame, factory) : revertedBy(frame, frame.error, frame.output);
}

function outcomeOf(outcome: Fields, factory: string): SimulatedSettlement {
  // Where nothing was written, some nodes leave the field out.
  return {
    gasUsed: readAmount(outcome.gasUsed, 'gasUsed'),
    events: settlementEvents(outcome.logs ?? [], factory),
  };
}

const INSUFFICIENT_GAS = toFunctionSelector('InsufficientGas()');

/** It reverts as a whole where the gas does not suffice for one item: it stops before the first. Else something is wrong. */
function revertedBy(outcome: Fields, message: unknown, data: unknown): SimulatedSettlement {
  const gasUsed = readAmount(outcome.gasUsed, 'gasUsed');
  const reason = typeof data === 'string' && data !== '0x' ? data.slice(0, 138) : String(message);
  const isOfGas = reason.startsWith(INSUFFICIENT_GAS) || /out of gas/i.test(String(message));
  return {
    gasUsed,
    events: [isOfGas ? { kind: 'stopped', group: 0, item: 0 } : { kind: 'reverted', reason }],
  };
}
