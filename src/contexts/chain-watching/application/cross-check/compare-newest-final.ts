import { Injectable } from '@nestjs/common';
import { ChainUnavailable, SecondEndpoint } from '#contexts/networks/contract/chain-reader.js';
import { WatchedChain, type Cursor } from '../../domain/watched-chain.js';
import { blockMismatch } from './block-mismatch.js';

/** Turns without a block to read again after which the endpoints' newest final blocks are compared. */
const IDLE_TURNS = 5;

/**
 * While nothing new is final, the second endpoint's newest final block is compared every few turns: an endpoint that was
 * away when the block became final may come back with another one.
 */
@Injectable()
export class CompareNewestFinal {
  private readonly idleTurns = new Map<string, number>();

  constructor(
    private readonly secondEndpoint: SecondEndpoint,
    private readonly chain: WatchedChain,
  ) {}

  /** @returns a sentence on what the endpoints disagree about; null where they agree */
  async compare(network: string, cursor: Cursor): Promise<string | null> {
    const idle = (this.idleTurns.get(network) ?? 0) + 1;
    this.idleTurns.set(network, idle);
    const { finalNumber, disagreement } = cursor;
    if (finalNumber === null || idle % IDLE_TURNS > 0) return disagreement;
    try {
      if (!this.secondEndpoint.isIndependent(network)) return disagreement;
      const [known, theirs] = await Promise.all([
        this.chain.block(network, finalNumber),
        this.secondEndpoint.block(network, finalNumber),
      ]);
      if (known === null || theirs === null) return disagreement;
      return theirs.hash === known.hash ? null : blockMismatch(known, theirs);
    } catch (error) {
      // This comparison is an extra: finality does not wait for it.
      if (error instanceof ChainUnavailable) return disagreement;
      throw error;
    }
  }
}
