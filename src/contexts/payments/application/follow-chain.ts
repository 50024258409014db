import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/kernel/clock.js';
import type { PaymentRequestId } from '../../../shared/kernel/ids.js';
import { UnitOfWork } from '../../../shared/kernel/unit-of-work.js';
import { ChainReader, ChainUnavailable, type BlockHeader } from '../../networks/contract/chain-reader.js';
import { NetworkCatalogue, requiredConfirmations } from '../../networks/contract/network-catalogue.js';
import type { ChainProgress } from '../domain/outcome.js';
import type { PaymentRequest } from '../domain/payment-request.js';
import { PaymentRequests } from '../domain/payment-requests.js';
import type { Transfer } from '../domain/transfer.js';
import { WatchedChain, type Cursor } from '../domain/watched-chain.js';
import { Alerts } from './alerts.js';
import { arrivalsOf, type ReadBlock } from './arrivals.js';
import { BelievableFinality } from './believable-finality.js';
import { commonAncestor } from './common-ancestor.js';
import { fewAtOnce } from './few-at-once.js';
import { ReadingPace } from './reading-pace.js';

/** Questions that a node is asked at the same time. */
const AT_ONCE = 8;
/** In one unit of work: bounds its length while catching up. */
const ENDED_PER_TURN = 500;
const FINALIZED_PER_TURN = 500;
const BEGIN_BELOW_FINALITY = 256;

/**
 * Reads a network onward from where it was left and lets requests follow. What a turn reads is stored together with
 * the moved cursor, so a turn happens wholly or not at all, and any process may take the next one.
 * Costs by the blocks and their transfers, not by the requests that are open.
 */
@Injectable()
export class FollowChain {
  private readonly pace = new ReadingPace();
  private readonly finality: BelievableFinality;

  constructor(
    private readonly reader: ChainReader,
    private readonly catalogue: NetworkCatalogue,
    private readonly chain: WatchedChain,
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly alerts: Alerts,
  ) {
    this.finality = new BelievableFinality(reader, catalogue, chain);
  }

  /**
   * One turn.
   * @param epoch of the network's lease, which fences the writes
   * @returns true when there is more to read or to end at once
   * @throws ChainUnavailable, CursorMoved, LeaseLost: nothing was changed
   */
  async execute(network: string, epoch: bigint): Promise<boolean> {
    const { head, finalNumber } = await this.reader.head(network);
    const cursor = await this.chain.cursor(network);
    if (cursor === null) {
      await this.begin(network, finalNumber, epoch);
      return true;
    }
    if (await this.stillStands(network, cursor, head)) {
      const blocks = await this.readAtPace(network, cursor, head);
      if (blocks !== null) return this.advance(network, cursor, blocks, finalNumber, epoch, head);
    }
    return this.rewind(network, cursor, head, epoch);
  }

  /** Begins below finality, so that a reorganisation right after the beginning still finds a block in common. */
  private async begin(network: string, finalNumber: number | null, epoch: bigint): Promise<void> {
    const first = await this.reader.block(network, Math.max(0, (finalNumber ?? 0) - BEGIN_BELOW_FINALITY));
    if (first === null) throw new ChainUnavailable(network, 'it does not know a block below its own head');
    await this.unitOfWork.run(() => this.chain.begin(network, first, epoch));
  }

  /** False when the node's chain has another block where we have read one. A node that merely lags has the same. */
  private async stillStands(network: string, cursor: Cursor, head: BlockHeader): Promise<boolean> {
    if (head.number > cursor.head.number) return true;
    if (head.number === cursor.head.number) return head.hash === cursor.head.hash;
    const known = await this.chain.block(network, head.number);
    return known === null || known.hash === head.hash;
  }

  private async readAtPace(network: string, cursor: Cursor, head: BlockHeader): Promise<ReadBlock[] | null> {
    try {
      const blocks = await this.readOnward(network, cursor, head);
      this.pace.speedUp(network);
      return blocks;
    } catch (error) {
      if (error instanceof ChainUnavailable) this.pace.slowDown(network);
      throw error;
    }
  }

  /** The next blocks, each linked to the one before; null when the first does not link to the cursor. */
  private async readOnward(network: string, cursor: Cursor, head: BlockHeader): Promise<ReadBlock[] | null> {
    const count = Math.min(Math.max(head.number - cursor.head.number, 0), this.pace.of(network));
    const numbers = Array.from({ length: count }, (_, offset) => cursor.head.number + 1 + offset);
    const headers = await fewAtOnce(numbers, AT_ONCE, async (number) =>
      number === head.number ? head : this.reader.block(network, number),
    );
    const linked: BlockHeader[] = [];
    for (const header of headers) {
      if (header === null || header.parentHash !== (linked.at(-1) ?? cursor.head).hash) break;
      linked.push(header);
    }
    if (linked.length === 0 && headers[0] != null) return null;
    return fewAtOnce(linked, AT_ONCE, async (header) => ({
      header,
      transfers: await this.reader.transfers(network, header.hash),
    }));
  }

  private async advance(
    network: string,
    cursor: Cursor,
    blocks: readonly ReadBlock[],
    finalNumber: number | null,
    epoch: bigint,
    head: BlockHeader,
  ): Promise<boolean> {
    const headers = blocks.map((block) => block.header);
    const believed = await this.finality.believable(
      network,
      finalNumber,
      head,
      headers.at(-1) ?? cursor.head,
    );
    return this.unitOfWork.run(async () => {
      const now = await this.clock.now();
      const progress = await this.chain.advance(network, cursor, headers, believed, epoch);
      const arrived = await this.arrivals(network, blocks);
      const ended = await this.chain.pastDeadline(
        network,
        this.otherNetworks(network),
        progress,
        ENDED_PER_TURN,
      );
      const final =
        progress.final === null
          ? []
          : await this.chain.finalize(network, progress.final.number, FINALIZED_PER_TURN);
      await this.judge([...arrived.keys(), ...ended, ...final], arrived, new Map([[network, progress]]), now);
      const readTo = headers.at(-1)?.number ?? cursor.head.number;
      const more = ended.length === ENDED_PER_TURN || final.length >= FINALIZED_PER_TURN;
      return more || (readTo < head.number && headers.length > 0);
    });
  }

  private async arrivals(
    network: string,
    blocks: readonly ReadBlock[],
  ): Promise<Map<PaymentRequestId, Transfer[]>> {
    const recipients = [
      ...new Set(blocks.flatMap((block) => block.transfers.map((transfer) => transfer.to))),
    ];
    if (recipients.length === 0) return new Map();
    const owners = await this.chain.owners(network, recipients);
    const assets = this.catalogue.assets().filter((asset) => asset.network === network);
    return arrivalsOf(blocks, owners, assets, requiredConfirmations(this.catalogue.network(network)!));
  }

  private async judge(
    ids: readonly PaymentRequestId[],
    arrived: ReadonlyMap<PaymentRequestId, readonly Transfer[]>,
    read: ReadonlyMap<string, ChainProgress>,
    now: Date,
  ): Promise<void> {
    const requests = await this.requests.lock([...new Set(ids)]);
    const chains = await this.withOthers(read, requests);
    for (const request of requests) {
      for (const transfer of arrived.get(request.id) ?? []) request.receive(transfer, now);
      request.follow(chains, now);
    }
    await this.requests.save(requests);
  }

  /** A payer may hold addresses on several networks: how far the others were read, where that matters. */
  private async withOthers(
    read: ReadonlyMap<string, ChainProgress>,
    requests: readonly PaymentRequest[],
  ): Promise<ReadonlyMap<string, ChainProgress>> {
    const shown = requests.flatMap((request) => request.snapshot().selections.map(({ network }) => network));
    const others = [...new Set(shown)].filter(
      (network) => !read.has(network) && this.catalogue.network(network) !== undefined,
    );
    return others.length === 0 ? read : new Map([...read, ...(await this.chain.progress(others))]);
  }

  private otherNetworks(network: string): string[] {
    return this.catalogue.networks().flatMap((other) => (other.network === network ? [] : [other.network]));
  }

  /** @returns false where nothing was to be taken back: endpoints behind one address disagree about the head */
  private async rewind(network: string, cursor: Cursor, head: BlockHeader, epoch: bigint): Promise<boolean> {
    const ancestor = await commonAncestor(
      this.chain,
      this.reader,
      network,
      Math.min(cursor.head.number, head.number),
    );
    if (ancestor.number === cursor.head.number) return false;
    const disappeared = await this.unitOfWork.run(async () => {
      const now = await this.clock.now();
      const orphaned = await this.chain.rewind(network, cursor, ancestor, epoch);
      const requests = await this.requests.lock([...orphaned.keys()]);
      const chains = await this.withOthers(new Map(), requests);
      const lost = requests.map((request) => {
        const credited = request.lose(orphaned.get(request.id)!, now);
        // What counts instead may be final long since: nothing else would ever look at it again.
        request.follow(chains, now);
        return { id: request.id, credited };
      });
      await this.requests.save(requests);
      return lost.filter(({ credited }) => credited.length > 0);
    });
    for (const { id, credited } of disappeared)
      this.alerts.creditedTransferDisappeared(network, id, credited);
    this.alerts.chainReorganised(network, cursor.head.number - ancestor.number, ancestor.number);
    return true;
  }
}
