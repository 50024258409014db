import { Injectable } from '@nestjs/common';
import type { ChainProgress } from '../contract/incoming-transfer.js';
import { regrouped } from '../domain/group-payouts.js';
import { RecordedPayouts, type RecordedPayout } from '../domain/recorded-payouts.js';

/** Bounds the length of one unit of work. */
const FINALIZED_PER_TURN = 500;

/** Records the payouts that an iteration found and removes wrong ones, with their events. */
@Injectable()
export class RecordPayouts {
  constructor(private readonly payouts: RecordedPayouts) {}

  /** Runs in the unit of work that moves the cursor. @param found payouts that are already recorded change nothing */
  async record(
    network: string,
    {
      refuted,
      found,
    }: { readonly refuted: readonly RecordedPayout[]; readonly found: readonly RecordedPayout[] },
    at: Date,
  ): Promise<void> {
    const concerned = [...refuted, ...found];
    if (concerned.length === 0) return;
    const standing = await this.payouts.ofTransactions(network, concerned);
    const addresses = [...standing, ...found].map(({ address }) => address);
    const terms = await this.payouts.terms(network, [...new Set(addresses)]);
    const { removed, added } = regrouped(standing, refuted, found, terms);
    // Remove first: the correct payouts may have the same keys as the wrong ones.
    await this.payouts.remove(network, removed, at);
    await this.payouts.add(network, added, at);
  }

  /** @returns whether more payouts are final than one iteration takes */
  async finalize(network: string, final: ChainProgress['final'], at: Date): Promise<boolean> {
    return final !== null && this.payouts.finalize(network, final.number, FINALIZED_PER_TURN, at);
  }

  /** Removes payouts in blocks above `blockNumber`, which were replaced. @returns hashes of the transactions whose payouts were final */
  async removeAbove(network: string, blockNumber: number, at: Date): Promise<string[]> {
    const removed = await this.payouts.removeAbove(network, blockNumber, at);
    return removed.filter(({ wereFinal }) => wereFinal).map(({ transactionHash }) => transactionHash);
  }
}
