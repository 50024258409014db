import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '../../../shared/kernel/ids.js';
import { ChainReader, ChainUnavailable, ChainWitness } from '../../networks/contract/chain-reader.js';
import { NetworkCatalogue } from '../../networks/contract/network-catalogue.js';
import { NativeBalances } from '../domain/native-balances.js';
import { RecordedTransfers, type OwnedTransfer } from '../domain/recorded-transfers.js';
import type { RecordedTransfer } from '../domain/transfer.js';
import { WatchedChain, type Cursor } from '../domain/watched-chain.js';
import { CompareReadings } from './compare-readings.js';

const PER_TURN = 20;
/** Before all others. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Blocks below the newest at which balances are compared, so that an endpoint slightly behind has them too. */
const BELOW_HEAD = 3;

/** What was told only once so far, and is now told again or not. */
export interface SecondWord {
  readonly agreed: ReadonlyMap<PaymentRequestId, ReadonlySet<string>>;
  /** Inner value that no endpoint's balances show. */
  readonly refuted: readonly OwnedTransfer[];
}

type Verdict = 'agreed' | 'refuted' | 'waits';

/**
 * Has transfers confirmed that one answer is not enough for: those above their asset's `agreementAbove`, by a second
 * endpoint, and inner value, which no receipt shows, by a second look at the balances.
 */
@Injectable()
export class SeekAgreement {
  /** Where each network's queue was left, so that what nobody confirms keeps no other waiting. */
  private readonly asked = new Map<string, string>();

  constructor(
    private readonly reader: ChainReader,
    private readonly witness: ChainWitness,
    private readonly catalogue: NetworkCatalogue,
    private readonly chain: WatchedChain,
    private readonly transfers: RecordedTransfers,
    private readonly balances: NativeBalances,
    private readonly comparing: CompareReadings,
  ) {}

  async of(network: string, cursor: Cursor): Promise<SecondWord> {
    const after = this.asked.get(network) ?? FIRST_ID;
    const waiting = await this.transfers.awaitingAgreement(network, after, PER_TURN);
    const last = waiting.length < PER_TURN ? undefined : waiting.at(-1);
    this.asked.set(network, last?.transfer.id ?? FIRST_ID);
    const agreed = new Map<PaymentRequestId, Set<string>>();
    const refuted: OwnedTransfer[] = [];
    for (const owned of waiting) {
      const verdict = await this.verdictOn(owned.transfer, cursor);
      if (verdict === 'refuted') refuted.push(owned);
      if (verdict !== 'agreed') continue;
      const ids = agreed.get(owned.paymentRequestId) ?? new Set();
      agreed.set(owned.paymentRequestId, ids.add(owned.transfer.id));
    }
    return { agreed, refuted };
  }

  private async verdictOn(transfer: RecordedTransfer, cursor: Cursor): Promise<Verdict> {
    try {
      const independent = this.witness.isIndependent(transfer.network);
      if (!independent && this.wantsAnother(transfer)) return 'waits';
      if (transfer.kind === 'balance') return await this.byBalances(transfer, cursor, independent);
      const { network, blockHash } = transfer;
      const told = this.comparing.asTold(transfer);
      const shown = await Promise.all([
        this.reader.holds(network, blockHash, told),
        this.witness.holds(network, blockHash, told),
      ]);
      return shown.every(Boolean) ? 'agreed' : 'waits';
    } catch (error) {
      // A second endpoint's silence holds up what waits for it, and nothing else.
      if (error instanceof ChainUnavailable) return 'waits';
      throw error;
    }
  }

  private wantsAnother({ uniqueAssetId, amount }: RecordedTransfer): boolean {
    const above = this.catalogue.asset(uniqueAssetId)?.agreementAbove;
    return above !== undefined && amount > above;
  }

  /** Enough must be there for all that the books have received and not paid out, by each endpoint's word. */
  private async byBalances(
    { network, uniqueAssetId, blockNumber, to }: RecordedTransfer,
    { head }: Cursor,
    independent: boolean,
  ): Promise<Verdict> {
    const number = Math.max(blockNumber, head.number - BELOW_HEAD);
    const block = await this.chain.block(network, number);
    if (block === null) return 'waits';
    const [books] = await this.balances.booksAt(network, uniqueAssetId, [to], number);
    const endpoints = independent ? [this.reader, this.witness] : [this.reader];
    const told = await Promise.all(endpoints.map((each) => each.balances(network, block.hash, [to])));
    const enough = told.filter(([balance]) => balance! >= books!).length;
    if (enough === told.length) return 'agreed';
    return enough === 0 ? 'refuted' : 'waits';
  }
}
