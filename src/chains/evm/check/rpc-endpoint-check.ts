import { Injectable } from '@nestjs/common';
import { isNative, type FinalityTag } from '#shared/kernel/asset.js';
import { isFinalityTagRequired } from '#contexts/networks/contract/finality-depth.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { type EndpointFacts, PROBED_LOG_RANGES_BLOCKS, STATE_DEPTH_BLOCKS } from './endpoint-facts.js';
import type { EndpointAnswer } from '#contexts/networks/domain/finding.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { readBytes } from '../../ethereum-rpc/contract-calls.js';
import { DETERMINISTIC_DEPLOYER, currentFactoryAddress } from '../../forwarders/forwarder-artifacts.js';
import { toHexQuantity, readAmount, readQuantity } from '../../ethereum-rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import {
  taggedHeaderCall,
  NEWEST_HEADER_CALL,
  requirePresent,
  readHeaderAt,
} from '../../ethereum-rpc/block-answers.js';
import { MalformedAnswer, answerOrRefusal } from '../../rpc/rpc-failures.js';

/** Any address works, because the test checks only whether balances are available. */
const ARBITRARY_ADDRESS = DETERMINISTIC_DEPLOYER;

@Injectable()
export class RpcEndpointCheck {
  constructor(private readonly rpc: JsonRpc) {}

  /** Does not throw for failures of the endpoint: each fact contains its own error instead. */
  async check(endpoint: Endpoint, configuration: NetworkConfiguration): Promise<EndpointFacts> {
    const head = await answerOrRefusal(this.rpc.callOnce(endpoint, NEWEST_HEADER_CALL));
    const newest = 'answer' in head ? head.answer : null;
    const wantsBalances = newest !== null && configuration.assets.some(isNative);
    return {
      head,
      ...(configuration.finality.kind === 'finalized' && {
        finalized: await this.tagged(endpoint, 'finalized'),
      }),
      ...(isFinalityTagRequired(configuration.assets, 'safe') && {
        safe: await this.tagged(endpoint, 'safe'),
      }),
      ...(wantsBalances && {
        balanceByHash: await answerOrRefusal(this.balance(endpoint, newest.hash)),
        balanceBack: await answerOrRefusal(this.balanceBack(endpoint, newest.number)),
      }),
      batch: await answerOrRefusal(this.batch(endpoint)),
      logRange: await this.logRange(endpoint, newest?.number ?? 0),
    };
  }

  async hasDeployer(endpoint: Endpoint): Promise<boolean> {
    const params = [DETERMINISTIC_DEPLOYER, 'latest'];
    return (
      (await this.rpc.callOnce(endpoint, {
        method: 'eth_getCode',
        isLong: true,
        params,
        read: readBytes,
      })) !== '0x'
    );
  }

  private tagged(endpoint: Endpoint, tag: FinalityTag): Promise<EndpointAnswer<number | null>> {
    const header = this.rpc.callOnce(endpoint, taggedHeaderCall(tag));
    return answerOrRefusal(header.then((tagged) => tagged?.number ?? null));
  }

  private balance(endpoint: Endpoint, blockHash: string): Promise<bigint> {
    const params = [ARBITRARY_ADDRESS, { blockHash }];
    const read = (answer: unknown) => readAmount(answer, 'balance');
    return this.rpc.callOnce(endpoint, { method: 'eth_getBalance', params, read });
  }

  private async balanceBack(endpoint: Endpoint, head: number): Promise<bigint> {
    const number = Math.max(0, head - STATE_DEPTH_BLOCKS);
    const block = await this.rpc.callOnce(endpoint, {
      method: 'eth_getBlockByNumber',
      isLong: true,
      params: [toHexQuantity(number), false],
      read: (answer) => requirePresent(readHeaderAt(number, answer), `block ${number}`),
    });
    return this.balance(endpoint, block.hash);
  }

  private async batch(endpoint: Endpoint): Promise<true> {
    const read = (answer: unknown) => readQuantity(answer, 'chain id');
    const call = { method: 'eth_chainId', params: [], read };
    await this.rpc.batchOnce(endpoint, [call, call]);
    return true;
  }

  private async logRange(endpoint: Endpoint, head: number): Promise<EndpointFacts['logRange']> {
    let widest = 0;
    for (const range of PROBED_LOG_RANGES_BLOCKS) {
      const fromBlock = toHexQuantity(Math.max(0, head - range + 1));
      // A contract that emits few logs, because the test is about the range and not the size of the answer.
      const filter = { address: currentFactoryAddress(), fromBlock, toBlock: toHexQuantity(head) };
      const answer = await answerOrRefusal(
        this.rpc.callOnce(endpoint, {
          method: 'eth_getLogs',
          isLong: true,
          params: [filter],
          read: requireList,
        }),
      );
      if ('refused' in answer) return { widest, refused: answer.refused };
      widest = range;
      if (range > head) break;
    }
    return { widest };
  }
}

function requireList(answer: unknown): true {
  if (!Array.isArray(answer)) throw new MalformedAnswer('the logs are not a list');
  return true;
}
