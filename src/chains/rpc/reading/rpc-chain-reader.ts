import type {
  ChainHead,
  ChainReader,
  OwnAddressLookup,
  FetchedBlock,
} from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { BlockOfEndpoint, HeadOfEndpoint, Watched } from './endpoint-reading.js';
import { RpcChainQueries } from './rpc-chain-queries.js';
import { EndpointFailure } from '../rpc-failures.js';
import { finalityTagPollIntervalMs } from '#contexts/networks/contract/finality-depth.js';

interface LastHead<Block> extends HeadOfEndpoint<Block> {
  readonly endpoint: Endpoint;
  readonly finalizedAt: number;
}

/**
 * `head` begins a cycle, and later reads use the endpoint that answered it, until that endpoint fails. While the next
 * block cannot be there yet, `head` repeats the last answer.
 */
export class RpcChainReader<W extends Watched, Block extends BlockOfEndpoint>
  extends RpcChainQueries<W, Block>
  implements ChainReader
{
  protected readonly purpose = 'reading';
  private last: LastHead<Block> | undefined;
  private readonly pace = this.pool.headPollSchedule(this.network);

  async head(): Promise<ChainHead> {
    const watched = this.networks.watchedAssets(this.network);
    const endpoint = this.pool.chooseReadingEndpoint(this.network);
    const { pace } = this;
    const now = performance.now();
    const last = pace !== null && this.last?.endpoint === endpoint ? this.last : undefined;
    if (last !== undefined && !pace!.isDue(now)) return chainHead(last);
    const isFinalKnown =
      last !== undefined &&
      now - last.finalizedAt < finalityTagPollIntervalMs(watched.finality, pace!.blockMs);
    const options = { withTransfers: pace !== null, knownFinal: isFinalKnown ? last.finalNumber : undefined };
    const ask = () => this.headers.head(endpoint, watched, options);
    const answered = await this.pool.asking(endpoint, ask, this.purpose);
    const { number } = answered.head.header;
    this.pool.recordHead(endpoint, number);
    pace?.recordHead(now, number);
    this.last = { ...answered, endpoint, finalizedAt: isFinalKnown ? last.finalizedAt : now };
    return chainHead(answered);
  }

  blocks(
    from: number,
    to: number,
    finalNumber: number | null,
    ours?: OwnAddressLookup,
  ): Promise<FetchedBlock[]> {
    return this.ask(async (endpoint, watched) => {
      const blocks = await this.gapless(endpoint, from, to, watched, ours);
      const contents = await this.blockContents.contents(endpoint, blocks, finalNumber, watched, ours);
      if (blocks.length > 0) this.pool.recordContentsServed(endpoint);
      return blocks.map(({ header }, i) => ({ header, readBy: endpoint.fingerprint, ...contents[i]! }));
    });
  }

  reportDoubtfulAnswer(reason: string): void {
    this.last = undefined;
    this.pool.recordFailure(this.chosenEndpoint(), new EndpointFailure(this.network, reason, 'malformed'));
  }

  private async gapless(
    endpoint: Endpoint,
    from: number,
    to: number,
    watched: W,
    ours: OwnAddressLookup | undefined,
  ): Promise<Block[]> {
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
      this.pool.recordFailure(endpoint, new EndpointFailure(endpoint.network, reason, 'malformed'));
    }
    return (gap === -1 ? read : read.slice(0, gap)) as Block[];
  }

  protected chosenEndpoint(): Endpoint {
    return this.pool.currentReadingEndpoint(this.network);
  }
}

function chainHead({ head, finalNumber }: HeadOfEndpoint<BlockOfEndpoint>): ChainHead {
  return { head: head.header, finalNumber };
}
