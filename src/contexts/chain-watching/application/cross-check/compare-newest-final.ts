import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { PostgresWatchedChains } from '../../infrastructure/persistence/postgres-watched-chains.js';
import type { Cursor } from '../../domain/cursor.js';
import { describeBlockMismatch } from './block-mismatch.js';

const IDLE_ITERATIONS_BEFORE_COMPARISON = 5;

/** An endpoint that was unavailable when the block became final may return with a different block. */
@Injectable()
export class CompareNewestFinalBlock {
  private readonly idleTurns = new Map<string, number>();

  constructor(
    private readonly chains: Chains,
    private readonly chain: PostgresWatchedChains,
  ) {}

  /** @param pause minimum number of idle iterations between two comparisons */
  async compare(network: string, cursor: Cursor, pause: number): Promise<string | null> {
    const idle = (this.idleTurns.get(network) ?? 0) + 1;
    this.idleTurns.set(network, idle);
    const { finalNumber, disagreement } = cursor;
    if (finalNumber === null || idle % Math.max(pause, IDLE_ITERATIONS_BEFORE_COMPARISON) > 0)
      return disagreement;
    try {
      const { secondEndpoint } = this.chains.of(network);
      if (!secondEndpoint.isIndependent()) return disagreement;
      const [known, theirs] = await Promise.all([
        this.chain.block(network, finalNumber),
        secondEndpoint.blockHeader(finalNumber),
      ]);
      if (known === null || theirs === null) return disagreement;
      return theirs.hash === known.hash ? null : describeBlockMismatch(known, theirs);
    } catch (error) {
      // The comparison is only an additional check, so finality does not wait if the endpoint is unavailable.
      if (error instanceof ChainUnavailable) return disagreement;
      throw error;
    }
  }
}
