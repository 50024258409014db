import { Injectable } from '@nestjs/common';
import type { RpcRequestError } from 'viem';
import {
  type BlockHeader,
  ChainReader,
  ChainUnavailable,
  type TokenTransfer,
} from '../../contract/chain-reader.js';
import type { Finality } from '../../contract/network-catalogue.js';
import { NetworkGate } from '../../domain/network-gate.js';
import { NetworksSettings } from '../networks-settings.js';
import { JsonRpc } from './json-rpc.js';
import {
  TRANSFER_TOPIC,
  mayHoldTransfers,
  present,
  readHeader,
  readHeaderAt,
  readTransfers,
} from './rpc-answers.js';

interface ReadNetwork {
  readonly finality: Finality;
  /** Lower case. */
  readonly tokens: ReadonlySet<string>;
}

@Injectable()
export class RpcChainReader extends ChainReader {
  private readonly read: ReadonlyMap<string, ReadNetwork>;

  constructor(
    settings: NetworksSettings,
    private readonly rpc: JsonRpc,
    private readonly gate: NetworkGate,
  ) {
    super();
    this.read = new Map(
      settings.networks.map(({ network, finality, assets }) => [
        network,
        { finality, tokens: new Set(assets.map(({ token }) => token)) },
      ]),
    );
  }

  async head(network: string): Promise<{ head: BlockHeader; finalNumber: number | null }> {
    const { finality } = this.identified(network);
    const head = await this.rpc.call(network, {
      method: 'eth_getBlockByNumber',
      params: ['latest', false],
      read: (answer) => present(readHeader(answer), 'newest block'),
    });
    if (finality.kind === 'finalized')
      return { head, finalNumber: await this.finalizedNumber(network, head) };
    // The block at the head has one confirmation.
    const finalNumber = head.number - finality.confirmations + 1;
    return { head, finalNumber: finalNumber < 0 ? null : finalNumber };
  }

  async block(network: string, number: number): Promise<BlockHeader | null> {
    this.identified(network);
    return this.rpc.call(network, {
      method: 'eth_getBlockByNumber',
      params: [`0x${number.toString(16)}`, false],
      read: (answer) => readHeaderAt(number, answer),
    });
  }

  async transfers(network: string, blockHash: string): Promise<TokenTransfer[]> {
    const { tokens } = this.identified(network);
    const hash = blockHash.toLowerCase();
    const transfers = await this.logs(network, hash, tokens);
    if (transfers.length > 0 || !(await this.mayHoldTransfers(network, hash, tokens))) return transfers;
    // Some nodes answer "none" for a block they are only about to learn of. By now this one knows it.
    return this.logs(network, hash, tokens);
  }

  private logs(network: string, hash: string, tokens: ReadonlySet<string>): Promise<TokenTransfer[]> {
    return this.rpc.call(network, {
      method: 'eth_getLogs',
      params: [{ blockHash: hash, address: [...tokens], topics: [TRANSFER_TOPIC] }],
      read: (answer) => readTransfers(answer, hash, tokens),
    });
  }

  /** @throws ChainUnavailable if the node does not know the block */
  private mayHoldTransfers(network: string, hash: string, tokens: ReadonlySet<string>): Promise<boolean> {
    return this.rpc.call(network, {
      method: 'eth_getBlockByHash',
      params: [hash, false],
      read: (answer) => mayHoldTransfers(answer, hash, tokens),
    });
  }

  private finalizedNumber(network: string, head: BlockHeader): Promise<number | null> {
    return this.rpc.call(network, {
      method: 'eth_getBlockByNumber',
      params: ['finalized', false],
      read: (answer) => {
        const final = readHeader(answer);
        // A farther replica behind the same address may know more than the one that told the head.
        return final === null ? null : Math.min(final.number, head.number);
      },
      refused: noneFinalizedYet,
    });
  }

  private identified(network: string): ReadNetwork {
    const found = this.read.get(network);
    if (found === undefined) throw new ChainUnavailable(network, 'it is not configured.');
    if (this.gate.isIdentified(network)) return found;
    const standing = this.gate.standing(network);
    const reason = 'reason' in standing && standing.reason !== '' ? ` ${standing.reason}` : '';
    throw new ChainUnavailable(network, `it is not proven to be the right chain.${reason}`);
  }
}

/** Until its first checkpoint a young chain has no finalized block, which nodes tell by an error instead of null. */
function noneFinalizedYet(refusal: RpcRequestError): null {
  if (/finalized block (?:is )?not found|unknown block/i.test(refusal.details)) return null;
  throw refusal;
}
