import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { placeOf } from '../../domain/group-payouts.js';
import type { RecordedPayout } from '../../domain/recorded-payouts.js';
import { MatchIncomingTransfers } from '../reading/match-incoming-transfers.js';

const AT_ONCE = 8;

export interface PayoutDifference {
  /** Payouts in their blocks that the first reading did not show. */
  readonly missed: readonly RecordedPayout[];
  /** Payouts that no endpoint shows. */
  readonly refuted: readonly RecordedPayout[];
}

/**
 * Decides which payouts are in final blocks. A payout is a contract event, so the logs of its block show it and no receipt is
 * needed. If there are two endpoints, both must show the same payouts in a block before it becomes final.
 */
@Injectable()
export class ComparePayouts {
  constructor(
    private readonly chains: Chains,
    private readonly matchTransfers: MatchIncomingTransfers,
  ) {}

  /**
   * @param reread payouts shown by the second endpoint @param recorded payouts of the same blocks
   * @returns a sentence if the endpoints disagree about a payout, or if the only available endpoint no longer shows it
   */
  async compare(
    network: string,
    reread: readonly RecordedPayout[],
    recorded: readonly RecordedPayout[],
  ): Promise<PayoutDifference | string> {
    const [shown, known] = [reread, recorded].map((payouts) => new Set(payouts.map(placeOf)));
    const { secondEndpoint } = this.chains.of(network);
    const isIndependent = secondEndpoint.isIndependent();
    if (isIndependent) {
      const numbers = [...new Set([...reread, ...recorded].map(({ blockNumber }) => blockNumber))];
      const read = await this.readBy(network, numbers);
      const places = new Set(read.map(placeOf));
      const disputed =
        read.find((payout) => !shown!.has(placeOf(payout))) ??
        reread.find((payout) => !places.has(placeOf(payout)));
      if (disputed !== undefined) return `only one endpoint shows payout ${nameOf(disputed)}.`;
    }
    const refuted = recorded.filter((payout) => !shown!.has(placeOf(payout)));
    // The remaining endpoint may be the faulty one, so it reverses nothing while another endpoint may return.
    if (refuted.length > 0 && !isIndependent && !secondEndpoint.isAlone())
      return `only the first read shows payout ${nameOf(refuted[0]!)}.`;
    return { missed: reread.filter((payout) => !known!.has(placeOf(payout))), refuted };
  }

  /** The payouts of these blocks according to the current endpoint, which may differ from the endpoint of the first reading. */
  private async readBy(network: string, numbers: readonly number[]): Promise<RecordedPayout[]> {
    const ours = this.matchTransfers.ownAddresses(network);
    const found: RecordedPayout[] = [];
    for (let at = 0; at < numbers.length; at += AT_ONCE) {
      const some = numbers.slice(at, at + AT_ONCE);
      const blocks = await Promise.all(
        some.map(async (number) => {
          const [block] = await this.chains.of(network).reader.blocks(number, number, null, ours);
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
