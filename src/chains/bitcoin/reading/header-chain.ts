import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { toEndpointFailure } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import type { BitcoinChain } from '../bitcoin-network.js';
import { type ChainInfo, blockHashCall, headerCall } from '../rpc/block-calls.js';
import type { RawHeader } from './raw-block.js';

/** Number of timestamps whose median is a block's time: its own and those of the ten blocks before it (BIP-113). */
const MEDIAN_TIME_BLOCKS = 11;
const MAX_CACHED_HEADERS = 4_096;
const HEADERS_PER_BATCH = 100;
/** Difficulty changes only at heights that are multiples of this number. */
const DIFFICULTY_PERIOD_BLOCKS = 2_016;

/** Each header must show its proof of work, so an endpoint cannot invent blocks cheaply. */
@Injectable()
export class HeaderChain {
  private readonly known = new LRUCache<string, RawHeader>({ max: MAX_CACHED_HEADERS });

  constructor(private readonly rpc: JsonRpc) {}

  remember(header: RawHeader): void {
    this.known.set(header.hash, header);
  }

  hashesAt(endpoint: Endpoint, numbers: readonly number[]): Promise<(string | null)[]> {
    return this.rpc.batch(endpoint, numbers.map(blockHashCall), HEADERS_PER_BATCH);
  }

  async headers(endpoint: Endpoint, hashes: readonly (string | null)[]): Promise<(RawHeader | null)[]> {
    const unknown = hashes.filter((hash): hash is string => hash !== null && !this.known.has(hash));
    for (const header of await this.rpc.batch(endpoint, unknown.map(headerCall), HEADERS_PER_BATCH))
      if (header !== null) this.remember(header);
    return hashes.map((hash) => (hash === null ? null : (this.known.get(hash) ?? null)));
  }

  async head(
    endpoint: Endpoint,
    chain: BitcoinChain,
    { number, hash }: Pick<ChainInfo, 'number' | 'hash'>,
  ): Promise<BlockHeader> {
    const last = chain.checkpoints.at(-1)?.height ?? 0;
    if (number >= last) return this.blockHeader(endpoint, chain, number, hash);
    const says = `its head ${number} is below block ${last}, which has long been part of the chain`;
    throw toEndpointFailure(endpoint, 'getblockchaininfo', new MalformedAnswer(says));
  }

  async blockHeader(
    endpoint: Endpoint,
    chain: BitcoinChain,
    number: number,
    hash: string,
  ): Promise<BlockHeader> {
    const checkpoint = chain.checkpoints.find(({ height }) => height === number);
    if (checkpoint !== undefined && checkpoint.hash !== hash)
      throw toEndpointFailure(
        endpoint,
        'getblockheader',
        new MalformedAnswer(`block ${number} is not the block of the chain at this height`),
      );
    const line = [await this.present(endpoint, hash)];
    const count = Math.min(MEDIAN_TIME_BLOCKS, number + 1);
    if (count > 1 && !this.known.has(line[0]!.parentHash)) await this.readAhead(endpoint, number);
    while (line.length < count) line.push(await this.present(endpoint, line.at(-1)!.parentHash));
    const wrong = line.find((header, i) => isDifficultyTooLow(chain, header, number - i, line[i + 1]));
    if (wrong !== undefined)
      throw toEndpointFailure(
        endpoint,
        'getblockheader',
        new MalformedAnswer(`block ${wrong.hash} does not meet the required difficulty`),
      );
    const { parentHash } = line[0]!;
    return {
      number,
      hash,
      parentHash,
      time: dateOfUnixSeconds(medianStampOf(line.map(({ stamp }) => stamp))),
    };
  }

  private async readAhead(endpoint: Endpoint, number: number): Promise<void> {
    const from = Math.max(0, number - MEDIAN_TIME_BLOCKS + 1);
    const numbers = Array.from({ length: number - from }, (_, i) => from + i);
    await this.headers(endpoint, await this.hashesAt(endpoint, numbers));
  }

  private async present(endpoint: Endpoint, hash: string): Promise<RawHeader> {
    const [header] = await this.headers(endpoint, [hash]);
    if (header != null) return header;
    throw toEndpointFailure(endpoint, 'getblockheader', new MalformedAnswer(`the node has no block ${hash}`));
  }
}

function isDifficultyTooLow(
  { easiestTarget, checkpoints: [first], easiestSinceCheckpoint, isNeverSuddenlyEasy }: BitcoinChain,
  { target }: RawHeader,
  height: number,
  parent: RawHeader | undefined,
): boolean {
  const isSinceCheckpoint = first !== undefined && height >= first.height;
  if (target > ((isSinceCheckpoint ? easiestSinceCheckpoint : undefined) ?? easiestTarget)) return true;
  if (!isNeverSuddenlyEasy || parent === undefined) return false;
  return target > parent.target * (height % DIFFICULTY_PERIOD_BLOCKS === 0 ? 4n : 1n);
}

/** For an even count, returns the higher of the two middle values, as consensus requires. */
function medianStampOf(stamps: readonly number[]): number {
  return stamps.toSorted((a, b) => a - b)[stamps.length >> 1]!;
}

export function dateOfUnixSeconds(seconds: number): Date {
  return new Date(seconds * 1_000);
}
