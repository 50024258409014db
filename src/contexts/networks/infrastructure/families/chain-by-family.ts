import { Injectable } from '@nestjs/common';
import { ChainFamilies, type ChainFamily } from '../../application/chain-families.js';
import {
  type BlockHeader,
  ChainAnswers,
  type ChainReader,
  type ChainTransfer,
  ChainUnavailable,
  type ContentsAt,
  type ReadBlock,
  type SecondEndpoint,
} from '../../contract/chain-reader.js';

/** Hands each question on to the family of the network. A network that is not configured is `ChainUnavailable`. */
@Injectable()
abstract class AnswersByFamily extends ChainAnswers {
  constructor(private readonly families: ChainFamilies) {
    super();
  }

  protected abstract answers(family: ChainFamily): ChainAnswers;

  /** @throws ChainUnavailable */
  protected family(network: string): ChainFamily {
    const family = this.families.of(network);
    if (family === undefined) throw new ChainUnavailable(network, 'it is not configured.');
    return family;
  }

  async block(network: string, number: number): Promise<BlockHeader | null> {
    return this.answers(this.family(network)).block(network, number);
  }

  async succeeded(
    network: string,
    blockHash: string,
    hashes: readonly string[],
  ): Promise<ReadonlySet<string>> {
    return this.answers(this.family(network)).succeeded(network, blockHash, hashes);
  }

  async balances(network: string, blockHash: string, addresses: readonly string[]): Promise<bigint[]> {
    return this.answers(this.family(network)).balances(network, blockHash, addresses);
  }

  async holds(network: string, blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]> {
    return this.answers(this.family(network)).holds(network, blockHash, transfers);
  }
}

@Injectable()
export class ChainReaderByFamily extends AnswersByFamily implements ChainReader {
  protected answers(family: ChainFamily): ChainReader {
    return family.reader;
  }

  async head(network: string): Promise<{ head: BlockHeader; finalNumber: number | null }> {
    return this.family(network).reader.head(network);
  }

  async blocks(network: string, from: number, to: number, finalNumber: number | null): Promise<ReadBlock[]> {
    return this.family(network).reader.blocks(network, from, to, finalNumber);
  }

  doubt(network: string, reason: string): void {
    this.family(network).reader.doubt(network, reason);
  }
}

@Injectable()
export class SecondEndpointByFamily extends AnswersByFamily implements SecondEndpoint {
  protected answers(family: ChainFamily): SecondEndpoint {
    return family.secondEndpoint;
  }

  isIndependent(network: string): boolean {
    return this.family(network).secondEndpoint.isIndependent(network);
  }

  isAlone(network: string): boolean {
    return this.family(network).secondEndpoint.isAlone(network);
  }

  async finalNumber(network: string): Promise<number | null> {
    return this.family(network).secondEndpoint.finalNumber(network);
  }

  async contents(
    network: string,
    from: number,
    to: number,
  ): Promise<{ last: BlockHeader; contents: ContentsAt[] }> {
    return this.family(network).secondEndpoint.contents(network, from, to);
  }
}
