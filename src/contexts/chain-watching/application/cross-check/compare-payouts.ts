import { Injectable } from '@nestjs/common';
import { ChainReader, ChainUnavailable, SecondEndpoint } from '#contexts/networks/contract/chain-reader.js';
import { payoutKey } from '../../domain/group-payouts.js';
import type { RecordedPayout } from '../../domain/recorded-payouts.js';
import { MatchIncomingTransfers } from '../reading/match-incoming-transfers.js';

/** Blocks that are requested concurrently. */
const AT_ONCE = 8;

/** `disagreement`: the endpoints disagree about a payout, or the only available endpoint no longer shows it. */
export type PayoutComparison =
  | { readonly kind: 'disagreement'; readonly reason: string }
  | {
      readonly kind: 'agreement';
      /** Payouts in their blocks that the first reading did not show. */
      readonly missed: readonly RecordedPayout[];
      /** Payouts that no endpoint shows. */
      readonly refuted: readonly RecordedPayout[];
    };

/**
 * Decides which payouts are in final blocks. A payout is a contract event, so the logs of its block show it and no receipt is
 * needed. If there are two endpoints, both must show the same payouts in a block before it becomes final.
 */
@Injectable()
export class ComparePayouts {
  constructor(
    private readonly reader: ChainReader,
    private readonly secondEndpoint: SecondEndpoint,
    private readonly matchTransfers: MatchIncomingTransfers,
  ) {}

  /** @param reread payouts shown by the second endpoint @param recorded payouts of the same blocks */
  async compare(
    network: string,
    reread: readonly RecordedPayout[],
    recorded: readonly RecordedPayout[],
  ): Promise<PayoutComparison> {
    const rereadKeys = new Set(reread.map(payoutKey));
    const recordedKeys = new Set(recorded.map(payoutKey));
    const isIndependent = this.secondEndpoint.isIndependent(network);
    if (isIndependent) {
      const numbers = [...new Set([...reread, ...recorded].map(({ blockNumber }) => blockNumber))];
      const ofReader = await this.readBy(network, numbers);
      const readerKeys = new Set(ofReader.map(payoutKey));
      const disputed =
        ofReader.find((payout) => !rereadKeys.has(payoutKey(payout))) ??
        reread.find((payout) => !readerKeys.has(payoutKey(payout)));
      if (disputed !== undefined) return disagreement(`only one endpoint shows payout ${nameOf(disputed)}.`);
    }
    const refuted = recorded.filter((payout) => !rereadKeys.has(payoutKey(payout)));
    // The remaining endpoint may be the faulty one, so it reverses nothing while another endpoint may return.
    if (refuted.length > 0 && !isIndependent && !this.secondEndpoint.isAlone(network))
      return disagreement(`only the first read shows payout ${nameOf(refuted[0]!)}.`);
    const missed = reread.filter((payout) => !recordedKeys.has(payoutKey(payout)));
    return { kind: 'agreement', missed, refuted };
  }

  /** The payouts of these blocks according to the current endpoint, which may differ from the endpoint of the first reading. */
  private async readBy(network: string, numbers: readonly number[]): Promise<RecordedPayout[]> {
    const ours = this.matchTransfers.ownAddresses(network);
    const found: RecordedPayout[] = [];
    for (let at = 0; at < numbers.length; at += AT_ONCE) {
      const some = numbers.slice(at, at + AT_ONCE);
      const blocks = await Promise.all(
        some.map(async (number) => {
          const [block] = await this.reader.blocks(network, number, number, null, ours);
          if (block === undefined) throw new ChainUnavailable(network, `block ${number} is missing.`);
          return { ...block, transfers: [] };
        }),
      );
      found.push(...(await this.matchTransfers.match(network, blocks)).payouts);
    }
    return found;
  }
}

function nameOf({ logIndex, transactionHash, blockNumber }: RecordedPayout): string {
  return `${logIndex} of ${transactionHash} in block ${blockNumber}`;
}

function disagreement(reason: string): PayoutComparison {
  return { kind: 'disagreement', reason };
}
