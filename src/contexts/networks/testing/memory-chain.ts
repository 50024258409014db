import { createHash } from 'node:crypto';
import type { BlockHeader, ChainTransfer } from '../contract/chain-reader.js';

export interface MemoryBlock {
  readonly header: BlockHeader;
  readonly transfers: readonly ChainTransfer[];
}

export interface MemoryPayment {
  readonly from: string;
  readonly to: string;
  readonly memo?: string;
  readonly amount: bigint;
}

/** An in-memory chain with accounts and memos. Account names differ in length and spelling from EVM addresses. */
export class MemoryChain {
  readonly blocks: MemoryBlock[] = [];
  private sent = 0;

  constructor(
    readonly coin: string,
    private readonly begin: Date,
    private readonly blockSeconds = 60,
  ) {
    this.mine();
  }

  get head(): BlockHeader {
    return this.blocks.at(-1)!.header;
  }

  mine(...payments: readonly MemoryPayment[]): readonly ChainTransfer[] {
    const number = this.blocks.length;
    const transfers = payments.map(({ from, to, memo, amount }, index): ChainTransfer => {
      const transactionHash = `TX-${(this.sent += 1)}`;
      return {
        kind: 'log',
        transactionHash,
        index,
        token: this.coin,
        from,
        to,
        amount,
        ...(memo === undefined ? {} : { toTag: memo }),
      };
    });
    const parentHash = number === 0 ? 'BLOCK-NONE' : this.head.hash;
    const digest = createHash('sha256').update(`${parentHash} ${JSON.stringify(payments, asText)}`);
    const header = {
      number,
      hash: `BLOCK-${number}-${digest.digest('hex').slice(0, 8)}`,
      parentHash,
      time: new Date(this.begin.getTime() + number * this.blockSeconds * 1_000),
    };
    this.blocks.push({ header, transfers });
    return transfers;
  }

  transfersIn({ transfers }: MemoryBlock): readonly ChainTransfer[] {
    return transfers;
  }

  withHash(hash: string): MemoryBlock | undefined {
    return this.blocks.find(({ header }) => header.hash === hash);
  }
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
