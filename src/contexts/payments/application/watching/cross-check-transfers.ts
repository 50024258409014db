import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';
import {
  ChainReader,
  ChainUnavailable,
  SecondEndpoint,
  type ChainAnswers,
} from '../../../networks/contract/chain-reader.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import { NativeBalances } from '../../domain/watching/native-balances.js';
import {
  RecordedTransfers,
  type Evidence,
  type OwnedTransfer,
} from '../../domain/watching/recorded-transfers.js';
import type { RecordedTransfer } from '../../domain/requests/transfer.js';
import { WatchedChain, type Block, type Cursor } from '../../domain/watching/watched-chain.js';
import { CompareReadings } from './compare-readings.js';

/** A receipt is a call of its own; of balances a turn asks for no more than one call of an endpoint holds. */
const PER_TURN: Readonly<Record<Evidence, number>> = { receipt: 20, balances: 1_000 };
/** Before all others. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Blocks below the newest at which balances are compared, so that an endpoint slightly behind has them too. */
const BELOW_HEAD = 3;

/** What was told only once so far, and is now told again or not. */
export interface CrossCheck {
  readonly agreed: ReadonlyMap<PaymentRequestId, ReadonlySet<string>>;
  /** Inner value that no endpoint's balances show. */
  readonly refuted: readonly OwnedTransfer[];
  /** Since when some of what was refuted was there all the same, and is to be found again; null where none was. */
  readonly hiddenSince: Date | null;
}

type Verdict = 'agreed' | 'refuted' | 'waits';

interface Word {
  readonly owned: OwnedTransfer;
  readonly verdict: Verdict;
  /** Refuted, though a part of it is there. */
  readonly isPartlyThere?: boolean;
}

/**
 * Has transfers confirmed that one answer is not enough for: those above their asset's `agreementAbove`, by a second
 * endpoint, and inner value, which no receipt shows, by a second look at the balances. Anyone can send inner value to
 * hundreds of addresses with each block, so balances are compared for all of them together.
 */
@Injectable()
export class CrossCheckTransfers {
  /** Where each network's queues were left, so that what nobody confirms keeps no other waiting. */
  private readonly asked = new Map<string, string>();

  constructor(
    private readonly reader: ChainReader,
    private readonly secondEndpoint: SecondEndpoint,
    private readonly catalogue: NetworkCatalogue,
    private readonly chain: WatchedChain,
    private readonly transfers: RecordedTransfers,
    private readonly balances: NativeBalances,
    private readonly comparing: CompareReadings,
  ) {}

  async of(network: string, cursor: Cursor): Promise<CrossCheck> {
    const words = await this.byBalances(network, await this.next(network, 'balances'), cursor);
    for (const owned of await this.next(network, 'receipt'))
      words.push({ owned, verdict: await this.byReceipt(owned.transfer) });
    const agreed = new Map<PaymentRequestId, Set<string>>();
    for (const { owned, verdict } of words) {
      if (verdict !== 'agreed') continue;
      const ids = agreed.get(owned.paymentRequestId) ?? new Set();
      agreed.set(owned.paymentRequestId, ids.add(owned.transfer.id));
    }
    const refuted = words.filter(({ verdict }) => verdict === 'refuted');
    const partly = refuted.filter(({ isPartlyThere }) => isPartlyThere);
    const times = partly.map(({ owned }) => owned.transfer.blockTime.getTime());
    return {
      agreed,
      refuted: refuted.map(({ owned }) => owned),
      hiddenSince: times.length === 0 ? null : new Date(Math.min(...times)),
    };
  }

  private async next(network: string, evidence: Evidence): Promise<OwnedTransfer[]> {
    const queue = `${network} ${evidence}`;
    const limit = PER_TURN[evidence];
    const after = this.asked.get(queue) ?? FIRST_ID;
    const waiting = await this.transfers.awaitingCrossCheck(network, evidence, after, limit);
    const last = waiting.length < limit ? undefined : waiting.at(-1);
    this.asked.set(queue, last?.transfer.id ?? FIRST_ID);
    return waiting;
  }

  private async byReceipt(transfer: RecordedTransfer): Promise<Verdict> {
    try {
      const { network, blockHash } = transfer;
      if (!this.secondEndpoint.isIndependent(network) && this.wantsAnother(transfer)) return 'waits';
      const told = [this.comparing.asTold(transfer)];
      const shown = await Promise.all([
        this.reader.holds(network, blockHash, told),
        this.secondEndpoint.holds(network, blockHash, told),
      ]);
      return shown.flat().every(Boolean) ? 'agreed' : 'waits';
    } catch (error) {
      // A second endpoint's silence holds up what waits for it, and nothing else.
      if (error instanceof ChainUnavailable) return 'waits';
      throw error;
    }
  }

  private wantsAnother({ uniqueAssetId, amount }: RecordedTransfer): boolean {
    const above = this.catalogue.asset(uniqueAssetId)?.crossCheckAbove;
    return above !== undefined && amount > above;
  }

  private async byBalances(
    network: string,
    waiting: readonly OwnedTransfer[],
    { head }: Cursor,
  ): Promise<Word[]> {
    const comparedAt = ({ blockNumber }: RecordedTransfer) => Math.max(blockNumber, head.number - BELOW_HEAD);
    const blocks = await this.chain.blocks(network, [
      ...new Set(waiting.map(({ transfer }) => comparedAt(transfer))),
    ]);
    // A coin that was configured under another symbol before has books of its own.
    const together = grouped(waiting, ({ transfer }) => `${comparedAt(transfer)} ${transfer.uniqueAssetId}`);
    const words: Word[] = [];
    for (const group of together.values()) {
      const block = blocks.get(comparedAt(group[0]!.transfer));
      if (block !== undefined) words.push(...(await this.atBlock(network, block, group)));
    }
    return words;
  }

  /** @returns nothing of those that wait on */
  private async atBlock(network: string, block: Block, group: readonly OwnedTransfer[]): Promise<Word[]> {
    try {
      const independent = this.secondEndpoint.isIndependent(network);
      const asked = group.filter(({ transfer }) => independent || !this.wantsAnother(transfer));
      return await this.compare(
        network,
        block,
        asked,
        independent ? [this.reader, this.secondEndpoint] : [this.reader],
      );
    } catch (error) {
      // A block whose balances nobody tells holds up what is compared there, and nothing else.
      if (error instanceof ChainUnavailable) return [];
      throw error;
    }
  }

  /** Enough must be there for all that the books have received and not paid out, by each endpoint's word. */
  private async compare(
    network: string,
    { number, hash }: Block,
    asked: readonly OwnedTransfer[],
    endpoints: readonly ChainAnswers[],
  ): Promise<Word[]> {
    if (asked.length === 0) return [];
    const { uniqueAssetId } = asked[0]!.transfer;
    const byAddress = grouped(asked, ({ transfer }) => transfer.to);
    const addresses = [...byAddress.keys()];
    const books = await this.balances.booksAt(network, uniqueAssetId, addresses, number);
    const told = await Promise.all(endpoints.map((each) => each.balances(network, hash, addresses)));
    return addresses.flatMap((address, position): Word[] => {
      const owned = byAddress.get(address)!;
      const shown = told.map((balances) => balances[position]!);
      const enough = shown.filter((balance) => balance >= books[position]!).length;
      if (enough === shown.length) return owned.map((each) => ({ owned: each, verdict: 'agreed' }));
      if (enough > 0) return [];
      const without = owned.reduce((left, { transfer }) => left - transfer.amount, books[position]!);
      const isPartlyThere = shown.some((balance) => balance > without);
      return owned.map((each) => ({ owned: each, verdict: 'refuted', isPartlyThere }));
    });
  }
}

function grouped<T>(all: readonly T[], by: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const key = by(each);
    const group = groups.get(key) ?? groups.set(key, []).get(key)!;
    group.push(each);
  }
  return groups;
}
