import type { BroadcastResponse } from '#contexts/networks/domain/outbound/broadcast-response.js';
import { readAmount, readFields, type JsonFields } from '../../ethereum-rpc/hex-fields.js';
import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { hexOfTronAddress } from '../addresses/tron-address.js';
import { hex21, httpCall, readInteger } from '../reading/tron-calls.js';

/** Sun for each unit of energy. */
export const ENERGY_PRICE_CALL: RpcCall<bigint> = {
  method: 'eth_gasPrice',
  params: [],
  read: (answer) => readAmount(answer, 'the price of energy'),
};

/** In sun. */
export function balanceCall(address: string): RpcCall<bigint> {
  return {
    method: 'eth_getBalance',
    params: [hexOfTronAddress(address), 'latest'],
    read: (answer) => readAmount(answer, 'the balance'),
  };
}

export interface TronResources {
  /** Unused energy that was staked for or delegated to the account. */
  readonly energy: number;
  readonly bandwidth: number;
}

export function resourcesCall(address: string): RpcCall<TronResources> {
  return httpCall('wallet/getaccountresource', { address: hex21(address) }, (answer) => {
    const fields = readFields(answer, 'the resources');
    const left = (limit: string, used: string) =>
      Math.max(0, readInteger(fields[limit], limit) - readInteger(fields[used], used));
    return {
      energy: left('EnergyLimit', 'EnergyUsed'),
      bandwidth: left('NetLimit', 'NetUsed') + left('freeNetLimit', 'freeNetUsed'),
    };
  });
}

/** Sun that other accounts have staked to delegate energy to this one. */
export function delegatedStakeCall(address: string): RpcCall<number> {
  return httpCall('wallet/getaccount', { address: hex21(address) }, (answer) => {
    const { account_resource } = readFields(answer, 'an account');
    const key = 'acquired_delegated_frozenV2_balance_for_energy';
    return readInteger(readFields(account_resource ?? {}, 'account_resource')[key], key);
  });
}

export interface ConstantResult {
  readonly succeeded: boolean;
  /** Includes the penalty of a busy contract. */
  readonly energy: bigint;
  readonly output: string;
  readonly logs: readonly JsonFields[];
}

/** Executes a call on the newest block without sending it. */
export function constantCall(from: string, to: string, data: string): RpcCall<ConstantResult> {
  const body = { owner_address: hex21(from), contract_address: hex21(to), data: data.slice(2) };
  return {
    ...httpCall('wallet/triggerconstantcontract', body, (answer) => {
      const { result, energy_used, constant_result, logs, transaction } = readFields(answer, 'the result');
      const { code, message } = readFields(result, 'result');
      if (code !== undefined && code !== 'SUCCESS')
        throw new MalformedAnswer(`the call was not executed: ${String(code)} ${textOf(message)}`);
      const { ret } = readFields(transaction ?? {}, 'transaction');
      const [first] = Array.isArray(ret) ? (ret as { ret?: unknown }[]) : [];
      const [output] = Array.isArray(constant_result) ? (constant_result as unknown[]) : [];
      return {
        succeeded: message === undefined && first?.ret !== 'FAILED',
        energy: BigInt(readInteger(energy_used, 'energy_used')),
        output: `0x${String(output ?? '')}`,
        logs: Array.isArray(logs) ? logs.map((log) => readFields(log, 'a log')) : [],
      };
    }),
    isLong: true,
  };
}

export interface BroadcastAnswer {
  readonly response: BroadcastResponse;
  readonly words: string;
}

/**
 * A refused transaction stays valid until its expiration, so no code means that it may be signed again. Codes that the
 * list lacks, such as SIGERROR, are errors of this service.
 */
const RESPONSES: Readonly<Record<string, BroadcastResponse>> = {
  SUCCESS: 'accepted',
  DUP_TRANSACTION_ERROR: 'already_known',
  // The account has neither bandwidth nor TRX for the bytes.
  BANDWITH_ERROR: 'insufficient_funds',
  // The node does not take it now. The next cycle sends it again.
  SERVER_BUSY: 'unreachable',
  NO_CONNECTION: 'unreachable',
  NOT_ENOUGH_EFFECTIVE_CONNECTION: 'unreachable',
  BLOCK_UNSOLIDIFIED: 'unreachable',
  // Ends by expiration. The node may also be on another fork, or behind.
  TAPOS_ERROR: 'refused',
  TRANSACTION_EXPIRATION_ERROR: 'refused',
  CONTRACT_VALIDATE_ERROR: 'refused',
  CONTRACT_EXE_ERROR: 'refused',
};

export function broadcastCall(raw: string): RpcCall<BroadcastAnswer> {
  return httpCall('wallet/broadcasthex', { transaction: raw.slice(2) }, (answer) => {
    const { result, code, message } = readFields(answer, 'the answer');
    if (result === true) return { response: 'accepted', words: 'accepted' };
    const says = String(message ?? '');
    const lacksFunds = /balance is not sufficient|does not exist/i.test(says);
    const response = lacksFunds ? 'insufficient_funds' : (RESPONSES[String(code)] ?? 'refused');
    // The words are classified again when they are shown.
    const words = `${String(code)} ${says}`.trim();
    return { response, words: response === 'insufficient_funds' ? `insufficient balance: ${words}` : words };
  });
}

/** Nodes encode messages in hex. */
function textOf(message: unknown): string {
  return Buffer.from(String(message ?? ''), 'hex').toString();
}
