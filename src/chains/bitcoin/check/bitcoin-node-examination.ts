import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { answerOrRefusal } from '../../rpc/rpc-failures.js';
import { CHAIN_INFO, blockHashAt, blockOf } from '../rpc/block-calls.js';
import { NODE_TIME, RELAYS_TRANSACTIONS, REPLACES_ALL } from '../rpc/node-calls.js';
import { POOL, locatedTransaction, poolSpendersOf } from '../rpc/transaction-calls.js';
import { BitcoinChainInspection } from './bitcoin-chain-inspection.js';
import type { NodeFacts } from './node-facts.js';

/** An output that does not exist: a node that can report spending transactions answers that it has none. */
const NO_OUTPUT = `${'0'.repeat(63)}1:0`;

@Injectable()
export class BitcoinNodeExamination {
  constructor(
    private readonly clock: Clock,
    private readonly rpc: JsonRpc,
    private readonly inspection: BitcoinChainInspection,
  ) {}

  /** Never throws because of an endpoint failure: a fact that could not be read contains the reason. */
  async examine(endpoint: Endpoint): Promise<NodeFacts> {
    const ask = <T>(call: RpcCall<T>) => answerOrRefusal(this.rpc.callOnce(endpoint, call));
    const pool = await ask(POOL);
    const spenders = await ask(poolSpendersOf([NO_OUTPUT]));
    return {
      head: await answerOrRefusal(this.inspection.head(endpoint)),
      info: await ask(CHAIN_INFO),
      batch: await answerOrRefusal(this.batch(endpoint)),
      clockAhead: await answerOrRefusal(this.clockAhead(endpoint)),
      hasIndex: await answerOrRefusal(this.hasIndex(endpoint)),
      waiting: 'answer' in pool ? { answer: pool.answer.length } : pool,
      relays: await ask(RELAYS_TRANSACTIONS),
      namesSpenders: 'answer' in spenders ? { answer: spenders.answer !== null } : spenders,
      replacesAll: await ask(REPLACES_ALL),
    };
  }

  private async batch(endpoint: Endpoint): Promise<true> {
    await this.rpc.batchOnce(endpoint, [blockHashAt(0), blockHashAt(0)]);
    return true;
  }

  private async clockAhead(endpoint: Endpoint): Promise<number> {
    const theirs = await this.rpc.callOnce(endpoint, NODE_TIME);
    const ours = await this.clock.now();
    return Math.round((theirs - ours.getTime()) / 1_000);
  }

  /** A node without an index finds a mined transaction only if the request also contains its block hash. */
  private async hasIndex(endpoint: Endpoint): Promise<boolean | null> {
    const hash = await this.rpc.callOnce(endpoint, blockHashAt(1));
    const block = hash === null ? null : await this.rpc.callOnce(endpoint, blockOf(endpoint.network, hash));
    if (block === null) return null;
    const found = await this.rpc.callOnce(endpoint, locatedTransaction(block.transactions[0]!.id));
    return found !== null && found.blockHash === hash;
  }
}
