import type {
  ChainHead,
  ChainReader,
  OwnAddresses,
  ReadBlock,
} from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { AnsweredBlock } from '../rpc/block-answers.js';
import type { AnsweredHead } from './endpoint-blocks.js';
import { RpcChainAnswers } from './rpc-chain-answers.js';
import { EndpointFailure } from '../../rpc/rpc-failures.js';
import type { WatchedAssets } from './watched-assets.js';
import { tagIntervalMs } from '#contexts/networks/contract/finality-depth.js';

interface LastHead extends AnsweredHead {
  readonly endpoint: Endpoint;
  readonly finalizedAt: number;
}

/**
 * `head` begins a cycle, and later reads use the endpoint that answered it, until that endpoint fails. While the next
 * block cannot be there yet, `head` repeats the last answer.
 */
export class RpcChainReader extends RpcChainAnswers implements ChainReader {
  protected readonly purpose = 'reading';
  private last: LastHead | undefined;
  private readonly pace = this.pool.headPace(this.network);

  async head(): Promise<ChainHead> {
    const watched = this.networks.watched(this.network);
    const endpoint = this.pool.reading(this.network);
    const { pace } = this;
    const now = performance.now();
    const last = pace !== null && this.last?.endpoint === endpoint ? this.last : undefined;
    if (last !== undefined && !pace!.isDue(now)) return chainHead(last);
    const isFinalKnown =
      last !== undefined && now - last.finalizedAt < tagIntervalMs(watched.finality, pace!.blockMs);
    const options = { withTransfers: pace !== null, knownFinal: isFinalKnown ? last.finalNumber : undefined };
    const ask = () => this.headers.head(endpoint, watched, options);
    const answered = await this.pool.asking(endpoint, ask, this.purpose);
    const { number } = answered.head.header;
    this.pool.sawHead(endpoint, number);
    pace?.saw(now, number);
    this.last = { ...answered, endpoint, finalizedAt: isFinalKnown ? last.finalizedAt : now };
    return chainHead(answered);
  }

  blocks(from: number, to: number, finalNumber: number | null, ours?: OwnAddresses): Promise<ReadBlock[]> {
    return this.ask(async (endpoint, watched) => {
      const blocks = await this.gapless(endpoint, from, to, watched, ours);
      const contents = await this.blockContents.contents(endpoint, blocks, finalNumber, watched, ours);
      if (blocks.length > 0) this.pool.served(endpoint);
      return blocks.map(({ header }, i) => ({ header, readBy: endpoint.fingerprint, ...contents[i]! }));
    });
  }

  doubt(reason: string): void {
    this.last = undefined;
    this.pool.failed(this.chosen(), new EndpointFailure(this.network, reason, 'malformed'));
  }

  private async gapless(
    endpoint: Endpoint,
    from: number,
    to: number,
    watched: WatchedAssets,
    ours: OwnAddresses | undefined,
  ): Promise<AnsweredBlock[]> {
    const { last } = this;
    const known =
      last?.isWhole && last.endpoint === endpoint && last.head.header.number === to ? last.head : null;
    const count = Math.max(0, to - from + 1 - (known === null ? 0 : 1));
    const numbers = Array.from({ length: count }, (_, i) => from + i);
    const read = await this.headers.blocks(endpoint, numbers, watched, ours);
    if (known !== null && to >= from) read.push(known);
    const gap = read.indexOf(null);
    if (gap === 0 && last?.endpoint === endpoint && last.head.header.number >= from) {
      // Otherwise the service would keep using an endpoint that reports a head whose blocks it does not have.
      const reason = `it does not know block ${from} below its own head.`;
      this.last = undefined;
      this.pool.failed(endpoint, new EndpointFailure(endpoint.network, reason, 'malformed'));
    }
    return (gap === -1 ? read : read.slice(0, gap)) as AnsweredBlock[];
  }

  protected chosen(): Endpoint {
    return this.pool.sameReading(this.network);
  }
}

function chainHead({ head, finalNumber }: AnsweredHead): ChainHead {
  return { head: head.header, finalNumber };
}
