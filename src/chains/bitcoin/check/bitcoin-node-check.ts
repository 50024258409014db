import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { answerOrRefusal } from '../../rpc/rpc-failures.js';
import { CHAIN_INFO_CALL, blockHashCall, blockCall } from '../rpc/block-calls.js';
import { NODE_TIME_CALL, RELAYS_TRANSACTIONS_CALL, REPLACES_WITHOUT_SIGNAL_CALL } from '../rpc/node-calls.js';
import {
  MEMPOOL_IDS_CALL,
  transactionWithBlockHashCall,
  mempoolSpendersCall,
} from '../rpc/transaction-calls.js';
import { BitcoinChainInspection } from './bitcoin-chain-inspection.js';
import type { BitcoinNodeFacts } from './node-facts.js';

/** An output that does not exist: a node that can report spending transactions answers that it has none. */
const NONEXISTENT_OUTPUT = `${'0'.repeat(63)}1:0`;

@Injectable()
export class BitcoinNodeCheck {
  constructor(
    private readonly clock: Clock,
    private readonly rpc: JsonRpc,
    private readonly inspection: BitcoinChainInspection,
  ) {}

  /** Never throws because of an endpoint failure: a fact that could not be read contains the reason. */
  async check(endpoint: Endpoint): Promise<BitcoinNodeFacts> {
    const ask = <T>(call: RpcCall<T>) => answerOrRefusal(this.rpc.callOnce(endpoint, call));
    const pool = await ask(MEMPOOL_IDS_CALL);
    const spenders = await ask(mempoolSpendersCall([NONEXISTENT_OUTPUT]));
    return {
      head: await answerOrRefusal(this.inspection.head(endpoint)),
      info: await ask(CHAIN_INFO_CALL),
      batch: await answerOrRefusal(this.batch(endpoint)),
      clockAhead: await answerOrRefusal(this.clockAhead(endpoint)),
      hasIndex: await answerOrRefusal(this.hasIndex(endpoint)),
      waiting: 'answer' in pool ? { answer: pool.answer.length } : pool,
      relays: await ask(RELAYS_TRANSACTIONS_CALL),
      namesSpenders: 'answer' in spenders ? { answer: spenders.answer !== null } : spenders,
      replacesAll: await ask(REPLACES_WITHOUT_SIGNAL_CALL),
    };
  }

  private async batch(endpoint: Endpoint): Promise<true> {
    await this.rpc.batchOnce(endpoint, [blockHashCall(0), blockHashCall(0)]);
    return true;
  }

  private async clockAhead(endpoint: Endpoint): Promise<number> {
    const theirs = await this.rpc.callOnce(endpoint, NODE_TIME_CALL);
    const ours = await this.clock.now();
    return Math.round((theirs - ours.getTime()) / 1_000);
  }

  /** A node without an index finds a mined transaction only if the request also contains its block hash. */
  private async hasIndex(endpoint: Endpoint): Promise<boolean | null> {
    const hash = await this.rpc.callOnce(endpoint, blockHashCall(1));
    const block = hash === null ? null : await this.rpc.callOnce(endpoint, blockCall(endpoint.network, hash));
    if (block === null) return null;
    const found = await this.rpc.callOnce(endpoint, transactionWithBlockHashCall(block.transactions[0]!.id));
    return found !== null && found.blockHash === hash;
  }
}
