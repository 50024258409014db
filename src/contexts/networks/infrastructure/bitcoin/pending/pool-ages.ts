import { Injectable } from '@nestjs/common';
import { orUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { EndpointPool } from '../../endpoints/endpoint-pool.js';
import { JsonRpc } from '../../json-rpc/json-rpc.js';
import { NODE_TIME } from '../rpc/node-calls.js';
import { POOL_TIMES, poolTimeOf } from '../rpc/transaction-calls.js';

/** The most transactions that a node's mempool is read in full for, where it does not answer for single ones. */
const MOST_IN_FULL = 20_000;

/** How long nodes have held transactions, by their own clocks alone: another clock may be wrong by more than that. */
@Injectable()
export class PoolAges {
  constructor(
    private readonly rpc: JsonRpc,
    private readonly pool: EndpointPool,
  ) {}

  /**
   * @param held how many transactions the node holds in all
   * @returns milliseconds by id, of those that the node answers for
   */
  async of(endpoint: Endpoint, ids: readonly string[], held: number): Promise<ReadonlyMap<string, number>> {
    const ages = await orUnavailable(this.pool.asking(endpoint, () => this.ask(endpoint, ids, held)));
    return ages instanceof Error ? new Map() : ages;
  }

  private async ask(endpoint: Endpoint, ids: readonly string[], held: number): Promise<Map<string, number>> {
    const now = await this.rpc.call(endpoint, NODE_TIME);
    const times = await this.times(endpoint, ids, held);
    return new Map(
      [...times].map(([id, seconds]): [string, number] => [id, Math.max(0, now - seconds * 1_000)]),
    );
  }

  /** btcd has no answer for single transactions. */
  private async times(
    endpoint: Endpoint,
    ids: readonly string[],
    held: number,
  ): Promise<Map<string, number>> {
    const single = await this.rpc.batch(endpoint, ids.map(poolTimeOf));
    const isKnown = single.some((time) => time !== null);
    const all = isKnown || held > MOST_IN_FULL ? null : await this.rpc.call(endpoint, POOL_TIMES);
    const times = ids.map((id, i) => [id, single[i] ?? all?.get(id)] as const);
    return new Map(times.filter((entry): entry is [string, number] => entry[1] !== undefined));
  }
}
