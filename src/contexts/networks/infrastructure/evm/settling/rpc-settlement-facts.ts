import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { encodeFunctionData, toHex } from 'viem';
import type { Endpoint } from '../../../domain/endpoint.js';
import { readBytes } from '../rpc/contract-calls.js';
import { fieldsOf, readAmount } from '../rpc/hex-fields.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { PROBES } from '../forwarders/contract-facts.js';
import type { ForwarderDerivation } from '../forwarders/forwarder-derivation.js';
import { FACTORY_ABI } from './settle-call.js';

/** What planning a settlement asks one endpoint. Throws `ChainUnavailable` only. */
@Injectable()
export class RpcSettlementFacts {
  constructor(private readonly rpc: JsonRpc) {}

  /**
   * What creating one forwarder costs on that chain now, by the node's estimate, the price of a transaction included. Only
   * the factory may call its `deploy`; an estimate takes any sender.
   */
  creation(endpoint: Endpoint, derivation: ForwarderDerivation): Promise<bigint> {
    const { factory } = derivation;
    // With a fee the code is the longest. Nobody can have settled a forwarder whose salt was drawn just now.
    const args = [toHex(randomBytes(32)), toHex(derivation.initCode(PROBES[0]!.terms))];
    const data = encodeFunctionData({ abi: FACTORY_ABI, functionName: 'deploy', args });
    return this.rpc.callOnce(endpoint, {
      method: 'eth_estimateGas',
      params: [{ from: factory, to: factory, data }],
      read: (answer) => readAmount(answer, 'the estimate'),
    });
  }

  /** How much gas the newest block could hold. */
  blockGasLimit(endpoint: Endpoint): Promise<bigint> {
    return this.rpc.callOnce(endpoint, {
      method: 'eth_getBlockByNumber',
      params: ['latest', false],
      read: (answer) => readAmount(fieldsOf(answer, 'the newest block').gasLimit, 'gasLimit'),
    });
  }

  /** Which of these addresses have code. */
  async deployed(endpoint: Endpoint, addresses: readonly string[]): Promise<ReadonlySet<string>> {
    const calls = addresses.map((address) => ({
      method: 'eth_getCode',
      params: [address, 'latest'],
      read: readBytes,
    }));
    const codes = await this.rpc.batch(endpoint, calls);
    return new Set(addresses.filter((_, i) => codes[i] !== '0x'));
  }
}
