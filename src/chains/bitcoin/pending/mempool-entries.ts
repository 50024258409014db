import { Injectable } from '@nestjs/common';
import { catchChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { EndpointPool } from '../../rpc/endpoint-pool.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { FEE_RATE_CALL, BTCD_FEE_RATE_CALL, FEE_TARGET_BLOCKS } from '../rpc/fee-calls.js';
import { NODE_TIME_CALL, MEMPOOL_VBYTES_CALL } from '../rpc/node-calls.js';
import { MEMPOOL_ENTRIES_CALL, type NodeMempoolEntry, mempoolEntryCall } from '../rpc/transaction-calls.js';

/** Maximum number of mempool transactions to read as a full list, if the node cannot return single entries. */
const MAX_FULL_MEMPOOL_READ = 20_000;
const BLOCK_BYTES = 1_000_000;
/** Minimum fee rate that miners accept by default, in satoshis per 1,000 virtual bytes. */
const MIN_FEE_RATE = 1_000;

export interface MempoolEntryFacts {
  /** Measured only by the node's own clock, because other clocks may differ by more. */
  readonly ageMs: number;
  /** True if the fee rate is high enough to be mined within about an hour. */
  readonly paysEnough: boolean;
}

@Injectable()
export class MempoolEntries {
  constructor(
    private readonly rpc: JsonRpc,
    private readonly pool: EndpointPool,
  ) {}

  async readFacts(
    endpoint: Endpoint,
    ids: readonly string[],
    held: number,
  ): Promise<ReadonlyMap<string, MempoolEntryFacts>> {
    const facts = await catchChainUnavailable(
      this.pool.asking(endpoint, () => this.ask(endpoint, ids, held)),
    );
    return facts instanceof Error ? new Map() : facts;
  }

  private async ask(
    endpoint: Endpoint,
    ids: readonly string[],
    held: number,
  ): Promise<Map<string, MempoolEntryFacts>> {
    const now = await this.rpc.call(endpoint, NODE_TIME_CALL);
    const enough = await this.enoughRate(endpoint);
    const entries = await this.entries(endpoint, ids, held);
    return new Map(
      [...entries].map(([id, { time, feeRate }]): [string, MempoolEntryFacts] => [
        id,
        { ageMs: Math.max(0, now - time * 1_000), paysEnough: feeRate !== null && feeRate >= enough },
      ]),
    );
  }

  /** The minimum rate if the next blocks have room for the complete mempool, otherwise the node's estimate. */
  private async enoughRate(endpoint: Endpoint): Promise<number> {
    const bytes = await this.rpc.call(endpoint, MEMPOOL_VBYTES_CALL);
    if (bytes !== null && bytes <= FEE_TARGET_BLOCKS * BLOCK_BYTES) return MIN_FEE_RATE;
    const rate =
      (await this.rpc.call(endpoint, FEE_RATE_CALL)) ?? (await this.rpc.call(endpoint, BTCD_FEE_RATE_CALL));
    return rate === null ? Infinity : Number(rate);
  }

  /** Reads the full mempool if single entries are not supported, as in btcd. */
  private async entries(
    endpoint: Endpoint,
    ids: readonly string[],
    held: number,
  ): Promise<Map<string, NodeMempoolEntry>> {
    const single = await this.rpc.batch(endpoint, ids.map(mempoolEntryCall));
    const isKnown = single.some((entry) => entry !== null);
    const all =
      isKnown || held > MAX_FULL_MEMPOOL_READ ? null : await this.rpc.call(endpoint, MEMPOOL_ENTRIES_CALL);
    const entries = ids.map((id, i) => [id, single[i] ?? all?.get(id)] as const);
    return new Map(entries.filter((entry): entry is [string, NodeMempoolEntry] => entry[1] !== undefined));
  }
}
