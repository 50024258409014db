import { randomUUID } from 'node:crypto';
import {
  type Abi,
  type ContractFunctionArgs,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseEventLogs,
  toHex,
} from 'viem';
import { isNative } from '#shared/kernel/asset.js';
import type { PlannedPayout } from '#contexts/networks/contract/settlement-planning.js';
import {
  type SettlementGasLimits,
  settlementGasLimits,
} from '#contexts/networks/domain/settlement-plan/settlement-gas.js';
import { FORWARDER_DERIVATION_SAMPLES } from './contract-facts.js';
import { ZERO_ADDRESS } from './evm-address.js';
import { GAS_PER_ITEM_FACTORY, contractArtifact } from './forwarder-artifacts.js';
import { type ForwarderDerivation, saltOf } from './forwarder-derivation.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import type { SettlementCallEvent } from '#contexts/networks/domain/settlement-plan/settlement-plan.js';
import { readAddressField, readBytesField, readFields, readWord } from '../ethereum-rpc/hex-fields.js';
import { MalformedAnswer } from '../rpc/rpc-failures.js';

export const FACTORY_ABI = contractArtifact('ForwarderFactory').abi as Abi;

const GAS_PER_ITEM_ABI = parseAbi([
  'struct Terms { address settlement; address feeRecipient; uint16 feeBasisPoints; uint64 homeChainId; }',
  'struct Group { Terms terms; address token; bool undeployed; bytes32[] salts; }',
  'function settle(Group[] groups, uint256 gasPerItem) returns (uint256 settled)',
]);

const takesGasPerItem = (factory: string) =>
  canonicalAddress(factory) === canonicalAddress(GAS_PER_ITEM_FACTORY);

export interface ForwarderPayout extends PlannedPayout {
  readonly isDeployed: boolean;
}

export function payoutGroupKey({ asset, terms, isDeployed }: ForwarderPayout): string {
  const { settlementAddress, feeRecipient, feeBasisPoints } = terms;
  const recipients = `${settlementAddress} ${feeRecipient}`.toLowerCase();
  return [asset.uniqueAssetId, recipients, feeBasisPoints, isDeployed].join(' ');
}

export function sortIntoGroups(payouts: readonly ForwarderPayout[]): ForwarderPayout[] {
  return [...Map.groupBy(payouts, payoutGroupKey).values()].flat();
}

/** A factory with a single limit uses it for the balance read and the creation too. */
export function factoryGasLimits(factory: string, limits: SettlementGasLimits): SettlementGasLimits {
  if (!takesGasPerItem(factory)) return limits;
  return { ...limits, reading: limits.payout, creation: limits.payout, reserve: 70_000n };
}

export function encodeSettleCall(
  derivation: ForwarderDerivation,
  payouts: readonly ForwarderPayout[],
  limits: SettlementGasLimits,
): Hex {
  const groups = [...Map.groupBy(payouts, payoutGroupKey).values()].map((group) =>
    groupOf(derivation, group),
  );
  if (takesGasPerItem(derivation.factory))
    return encodeFunctionData({
      abi: GAS_PER_ITEM_ABI,
      functionName: 'settle',
      args: [groups, limits.payout],
    });
  return encodeFunctionData({ abi: FACTORY_ABI, functionName: 'settle', args: [groups, limits] });
}

/**
 * Returns placeholder call data, as long as that of a call with `count` token payouts under one organization's terms.
 */
export function encodePlaceholderSettleCall({ factory, chainId }: ForwarderDerivation, count: number): Hex {
  const { settlementAddress, feeRecipient, feeBasisPoints } = FORWARDER_DERIVATION_SAMPLES[0]!.terms;
  const terms = {
    settlement: settlementAddress as Hex,
    feeRecipient: feeRecipient as Hex,
    feeBasisPoints,
    homeChainId: BigInt(chainId),
  };
  const salts = Array.from({ length: count }, () => toHex(saltOf(randomUUID())));
  const groups = [{ terms, token: factory as Hex, undeployed: true, salts }];
  return encodeFunctionData({
    abi: FACTORY_ABI,
    functionName: 'settle',
    args: [groups, settlementGasLimits(55_000n)],
  });
}

/** Returns how many payouts of a `settle` call precede this item of this group. */
export function countPayoutsBefore(factory: string, data: Hex, group: number, item: number): number {
  const { args } = decodeFunctionData({
    abi: takesGasPerItem(factory) ? GAS_PER_ITEM_ABI : FACTORY_ABI,
    data,
  });
  const [groups] = args as unknown as [readonly { readonly salts: readonly Hex[] }[]];
  return groups.slice(0, group).reduce((sum, { salts }) => sum + salts.length, item);
}

type PayoutGroup = ContractFunctionArgs<typeof GAS_PER_ITEM_ABI, 'nonpayable', 'settle'>[0][number];

function groupOf({ chainId }: ForwarderDerivation, payouts: readonly ForwarderPayout[]): PayoutGroup {
  const { terms, asset, isDeployed } = payouts[0]!;
  const { settlementAddress, feeRecipient, feeBasisPoints } = terms;
  return {
    terms: {
      settlement: settlementAddress as Hex,
      feeRecipient: (feeBasisPoints === 0 ? ZERO_ADDRESS : feeRecipient) as Hex,
      feeBasisPoints,
      homeChainId: BigInt(chainId),
    },
    token: (isNative(asset) ? ZERO_ADDRESS : asset.token) as Hex,
    undeployed: !isDeployed,
    salts: payouts.map(({ paymentRequestId }) => toHex(saltOf(paymentRequestId))),
  };
}

export function settlementEvents(logs: unknown, factory: string): SettlementCallEvent[] {
  if (!Array.isArray(logs)) throw new MalformedAnswer('the simulated logs are not a list');
  const own = logs.map(readLog).filter((log) => log.address === canonicalAddress(factory));
  const events = parseEventLogs({ abi: FACTORY_ABI, logs: own as never }) as unknown as DecodedEvent[];
  if (events.length < own.length)
    throw new MalformedAnswer('a simulated log of the factory is not a known event');
  return events.map(eventOf);
}

interface DecodedEvent {
  readonly eventName: string;
  readonly args: Readonly<Record<string, never>>;
}

function eventOf({ eventName, args }: DecodedEvent): SettlementCallEvent {
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
  const log = readFields(value, 'a simulated log');
  if (!Array.isArray(log.topics)) throw new MalformedAnswer('the topics are not a list');
  return {
    address: readAddressField(log.address, 'address'),
    topics: log.topics.map((topic) => readWord(topic, 'a topic')),
    data: readBytesField(log.data, 'data') as Hex,
  };
}
