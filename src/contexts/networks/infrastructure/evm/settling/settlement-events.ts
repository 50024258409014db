import { type Hex, parseEventLogs } from 'viem';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import type { SettlementEvent } from '#contexts/networks/domain/settlement-plan/settlement-plan.js';
import { address, bytes, fieldsOf, word } from '../rpc/hex-fields.js';
import { MalformedAnswer } from '../rpc/rpc-failures.js';
import { ZERO_ADDRESS } from '../forwarders/evm-address.js';
import { FACTORY_ABI } from './settle-call.js';

/** The logs of a simulated call that the factory would write, in their order. @throws MalformedAnswer */
export function settlementEvents(logs: unknown, factory: string): SettlementEvent[] {
  if (!Array.isArray(logs)) throw new MalformedAnswer('the simulated logs are not a list');
  const own = logs.map(readLog).filter((log) => log.address === canonicalAddress(factory));
  const events = parseEventLogs({ abi: FACTORY_ABI, logs: own as never }) as unknown as DecodedEvent[];
  if (events.length < own.length) throw new MalformedAnswer('a simulated log is none of the factory');
  return events.map(eventOf);
}

interface DecodedEvent {
  readonly eventName: string;
  readonly args: Readonly<Record<string, never>>;
}

function eventOf({ eventName, args }: DecodedEvent): SettlementEvent {
  if (eventName === 'Stopped') return { kind: 'stopped', group: Number(args.group), item: Number(args.item) };
  const token = canonicalAddress(args.token!);
  const about = {
    depositAddress: canonicalAddress(args.forwarder!),
    token: token === ZERO_ADDRESS ? null : token,
  };
  if (eventName === 'Failed') return { kind: 'failed', ...about, reason: args.reason! };
  return { kind: 'settled', ...about, toSettlement: args.toSettlement!, toFee: args.toFee! };
}

function readLog(value: unknown) {
  const log = fieldsOf(value, 'a simulated log');
  if (!Array.isArray(log.topics)) throw new MalformedAnswer('topics are not a list');
  return {
    address: address(log.address, 'address'),
    topics: log.topics.map((topic) => word(topic, 'a topic')),
    data: bytes(log.data, 'data') as Hex,
  };
}
