import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Hex, encodeFunctionData, toHex } from 'viem';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { readBytes } from '../../ethereum-rpc/contract-calls.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { SettlementOutcome } from '#contexts/networks/contract/settlement-planning.js';
import type { SettlementCallEvent } from '#contexts/networks/domain/settlement-plan/settlement-plan.js';
import { readFields, readAmount, readQuantity } from '../../ethereum-rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { FORWARDER_DERIVATION_SAMPLES } from '../../forwarders/contract-facts.js';
import type { ForwarderDerivation } from '../../forwarders/forwarder-derivation.js';
import { FACTORY_ABI, countPayoutsBefore, settlementEvents } from '../../forwarders/settle-call.js';

export interface NewestBlock {
  readonly number: number;
  /** Block timestamp in Unix seconds. */
  readonly timestamp: number;
  readonly gasLimit: bigint;
  readonly feeRecipient: unknown;
  readonly prevRandao: unknown;
}

/** Throws only `ChainUnavailable`. */
@Injectable()
export class RpcSettlementFacts {
  constructor(private readonly rpc: JsonRpc) {}

  /** Only the factory may call the function `deploy`, but an estimate accepts any sender. */
  forwarderCreationGas(endpoint: Endpoint, derivation: ForwarderDerivation): Promise<bigint> {
    const { factory } = derivation;
    // Terms with a fee have the longest creation code. A random salt ensures that the forwarder does not exist yet.
    const args = [toHex(randomBytes(32)), toHex(derivation.initCode(FORWARDER_DERIVATION_SAMPLES[0]!.terms))];
    const data = encodeFunctionData({ abi: FACTORY_ABI, functionName: 'deploy', args });
    return this.rpc.callOnce(endpoint, {
      method: 'eth_estimateGas',
      params: [{ from: factory, to: factory, data }],
      read: (answer) => readAmount(answer, 'the estimate'),
    });
  }

  newestBlock(endpoint: Endpoint): Promise<NewestBlock> {
    return this.rpc.callOnce(endpoint, {
      method: 'eth_getBlockByNumber',
      isLong: true,
      params: ['latest', false],
      read: (answer) => {
        const { number, timestamp, gasLimit, miner, mixHash } = readFields(answer, 'the newest block');
        return {
          number: readQuantity(number, 'number'),
          timestamp: readQuantity(timestamp, 'timestamp'),
          gasLimit: readAmount(gasLimit, 'gasLimit'),
          feeRecipient: miner,
          prevRandao: mixHash,
        };
      },
    });
  }

  async outcome(
    endpoint: Endpoint,
    { to, data }: { readonly to: string; readonly data: string },
    transactionHash: string,
  ): Promise<SettlementOutcome> {
    const events = await this.rpc.callOnce<readonly SettlementCallEvent[] | null>(endpoint, {
      method: 'eth_getTransactionReceipt',
      isLong: true,
      params: [transactionHash],
      read: (answer) => (answer === null ? null : settlementEvents(readFields(answer, 'a receipt').logs, to)),
    });
    if (events === null)
      throw new ChainUnavailable(endpoint.network, `it has no receipt for ${transactionHash}.`);
    const stopped = events.find((event) => event.kind === 'stopped');
    const tried =
      stopped === undefined ? Infinity : countPayoutsBefore(to, data as Hex, stopped.group, stopped.item);
    return {
      settled: events.filter((event) => event.kind === 'settled'),
      failed: events.filter((event) => event.kind === 'failed'),
      tried,
    };
  }

  async deployedAddresses(endpoint: Endpoint, addresses: readonly string[]): Promise<ReadonlySet<string>> {
    const calls = addresses.map((address) => ({
      method: 'eth_getCode',
      isLong: true,
      params: [address, 'latest'],
      read: readBytes,
    }));
    const codes = await this.rpc.batch(endpoint, calls);
    return new Set(addresses.filter((_, i) => codes[i] !== '0x'));
  }
}
