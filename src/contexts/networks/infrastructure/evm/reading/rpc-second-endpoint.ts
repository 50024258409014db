import { Injectable } from '@nestjs/common';
import {
  type BlockHeader,
  type SecondEndpoint,
  ChainUnavailable,
  type ContentsAt,
  type OwnAddresses,
  type RangeContents,
} from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { AnsweredBlock } from '../rpc/block-answers.js';
import { RpcChainAnswers } from './rpc-chain-answers.js';
import { EndpointFailure } from '../rpc/rpc-failures.js';
import type { WatchedAssets } from './watched-assets.js';

/** Blocks whose headers, with native coin whose transactions too, are held in memory at a time. */
const BLOCKS_AT_A_TIME = 500;

/** Thrown while an endpoint is asked, whose fault it may not be. */
class BlockLacking extends ChainUnavailable {
  constructor(
    network: string,
    readonly number: number,
  ) {
    super(network, `it does not know block ${number}.`);
  }
}

@Injectable()
export class RpcSecondEndpoint extends RpcChainAnswers implements SecondEndpoint {
  isIndependent(network: string): boolean {
    return this.pool.hasSecondEndpoint(network);
  }

  isAlone(network: string): boolean {
    return this.pool.isAlone(network);
  }

  async finalNumber(network: string): Promise<number | null> {
    const { finalNumber } = await this.ask(network, (endpoint, watched) =>
      this.headers.head(endpoint, watched),
    );
    return finalNumber;
  }

  /**
   * All headers are read, though the last would stand for them: their hashes say which fork each log is of, and their
   * bloom filters that an empty answer is not merely an index that lags. They cost one batch for every hundred blocks.
   */
  async contents(network: string, from: number, to: number, ours?: OwnAddresses): Promise<RangeContents> {
    const watched = this.networks.watched(network);
    const endpoint = this.pool.secondEndpoint(network);
    try {
      const contents = await this.pool.asking(endpoint, () =>
        this.contentsBy(endpoint, from, to, watched, ours),
      );
      this.pool.served(endpoint);
      return contents;
    } catch (error) {
      if (!(error instanceof BlockLacking)) throw error;
      return { last: await this.otherFork(endpoint, error, watched), contents: [] };
    }
  }

  private async contentsBy(
    endpoint: Endpoint,
    from: number,
    to: number,
    watched: WatchedAssets,
    ours: OwnAddresses | undefined,
  ): Promise<RangeContents> {
    const contents: ContentsAt[] = [];
    let last: BlockHeader | null = null;
    for (let at = from; at <= to || last === null; at += BLOCKS_AT_A_TIME) {
      const blocks = await this.linked(
        endpoint,
        [at, Math.min(to, at + BLOCKS_AT_A_TIME - 1)],
        last,
        watched,
        ours,
      );
      const found = await this.blockContents.contents(endpoint, blocks, to, watched, ours);
      found.forEach((each, i) => {
        if (each.transfers.length === 0 && each.payouts.length === 0) return;
        const { number, hash } = blocks[i]!.header;
        contents.push({ number, hash, ...each });
      });
      last = blocks.at(-1)!.header;
    }
    return { last, contents };
  }

  /**
   * One that is merely behind, or has a gap, is of no use and is left alone for a while.
   * One that is behind on another fork contradicts the reader, and must go on being asked.
   * @returns its newest block, where the endpoint that is read from has another one there
   */
  private async otherFork(
    endpoint: Endpoint,
    lacking: BlockLacking,
    watched: WatchedAssets,
  ): Promise<BlockHeader> {
    const { network } = endpoint;
    const { head } = await this.pool.asking(endpoint, () => this.headers.head(endpoint, watched));
    const newest = head.header;
    const reading = this.pool.sameReading(network);
    if (newest.number < lacking.number && reading !== endpoint) {
      const there = await this.pool.asking(reading, () => this.headers.header(reading, newest.number));
      if (there === null) throw lacking;
      if (there.hash !== newest.hash) return newest;
    }
    const failure = new EndpointFailure(network, `it does not know block ${lacking.number}.`, 'malformed');
    this.pool.failed(endpoint, failure);
    throw failure;
  }

  /** Blocks of one fork, each the parent of the next. */
  private async linked(
    endpoint: Endpoint,
    [from, to]: readonly [from: number, to: number],
    before: BlockHeader | null,
    watched: WatchedAssets,
    ours: OwnAddresses | undefined,
  ): Promise<AnsweredBlock[]> {
    const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    let parent = before?.hash;
    return (await this.headers.blocks(endpoint, numbers, watched, ours)).map((block, i) => {
      if (block === null) throw new BlockLacking(endpoint.network, numbers[i]!);
      if (parent !== undefined && block.header.parentHash !== parent)
        throw new EndpointFailure(
          endpoint.network,
          `its blocks before ${numbers[i]} do not link.`,
          'malformed',
        );
      parent = block.header.hash;
      return block;
    });
  }

  protected chosen(network: string): Endpoint {
    return this.pool.sameSecondEndpoint(network);
  }
}
