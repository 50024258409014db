import { Injectable } from '@nestjs/common';
import { toFunctionSelector } from 'viem';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { SimulatedSettlement } from '#contexts/networks/domain/settlement-plan/settlement-plan.js';
import { type JsonFields, readFields, toHexQuantity, readAmount } from '../../ethereum-rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import type { GasFees } from '#contexts/networks/domain/outbound/gas-fees.js';
import type { NewestBlock } from './rpc-settlement-facts.js';
import { settlementEvents } from '../../forwarders/settle-call.js';

export interface SettleCall {
  readonly from: string;
  readonly to: string;
  readonly data: `0x${string}`;
  readonly gas: bigint;
}

export interface SimulationConditions {
  readonly fees: GasFees;
  readonly upon: NewestBlock;
}

const refused = ({ message }: { readonly message: string }) => message;

/** If a contract behaves differently in the real block, `outcome` detects it. */
@Injectable()
export class RpcSettlementSimulation {
  constructor(private readonly rpc: JsonRpc) {}

  async simulate(
    endpoint: Endpoint,
    { from, to, data, gas }: SettleCall,
    { fees, upon }: SimulationConditions,
  ): Promise<SimulatedSettlement> {
    const transaction = { from, to, data, gas: quantity(gas), ...offeredPrice(fees) };
    // Overrides the balance, because the key need not hold the maximum cost of the largest transaction.
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
          blockOverrides: { number: toHexQuantity(upon.number + 1), time: toHexQuantity(upon.timestamp + 1) },
        },
      ],
      read: (answer) => readTraced(answer, to),
      refused,
    });
    if (typeof traced !== 'string') return traced;
    // Not an `EndpointFailure`: the endpoint lacks simulation but can still be read from.
    const reasons = `eth_simulateV1 (${simulated}), debug_traceCall with logs (${traced})`;
    throw new ChainUnavailable(
      endpoint.network,
      `the endpoint could not simulate the transaction: ${reasons}.`,
    );
  }
}

function offeredPrice({ maxFee, priorityFee }: GasFees) {
  if (priorityFee === null) return { gasPrice: quantity(maxFee) };
  return { maxFeePerGas: quantity(maxFee), maxPriorityFeePerGas: quantity(priorityFee) };
}

function quantity(amount: bigint): string {
  return `0x${amount.toString(16)}`;
}

function readSimulated(answer: unknown, factory: string): SimulatedSettlement {
  const [block] = Array.isArray(answer) ? (answer as unknown[]) : [];
  const { calls } = readFields(block, 'the simulated block');
  const [call] = Array.isArray(calls) ? (calls as unknown[]) : [];
  const outcome = readFields(call, 'the simulated call');
  if (outcome.status === '0x1') return outcomeOf(outcome, factory);
  const { message, data } = readFields(outcome.error ?? {}, 'the error');
  return revertedBy(outcome, message, data ?? outcome.returnData);
}

/** Reads only the logs of the factory itself, not those of nested calls. */
function readTraced(answer: unknown, factory: string): SimulatedSettlement {
  const frame = readFields(answer, 'the trace');
  return frame.error === undefined ? outcomeOf(frame, factory) : revertedBy(frame, frame.error, frame.output);
}

function outcomeOf(outcome: JsonFields, factory: string): SimulatedSettlement {
  // Some nodes omit the field `logs` if there are no logs.
  return {
    gasUsed: readAmount(outcome.gasUsed, 'gasUsed'),
    events: settlementEvents(outcome.logs ?? [], factory),
  };
}

const INSUFFICIENT_GAS = toFunctionSelector('InsufficientGas()');

/** A revert for lack of gas counts as if the factory had stopped before the first item. */
function revertedBy(outcome: JsonFields, message: unknown, data: unknown): SimulatedSettlement {
  const gasUsed = readAmount(outcome.gasUsed, 'gasUsed');
  const reason = typeof data === 'string' && data !== '0x' ? data.slice(0, 138) : String(message);
  const isOfGas = reason.startsWith(INSUFFICIENT_GAS) || /out of gas/i.test(String(message));
  return {
    gasUsed,
    events: [isOfGas ? { kind: 'stopped', group: 0, item: 0 } : { kind: 'reverted', reason }],
  };
}
