import type { ChildProcess } from 'node:child_process';
import { answer, ask, startProgram } from '../programs.js';
import { TOKENS, type Asked, type ServedChain } from '../watcher/watcher-chain.js';

export interface Flood {
  /**
   * `zero`: transfers of nothing by a listed token. `dust`: of its smallest unit, to strangers. `dust_of_each`: by all
   * listed tokens. `foreign`: logs that are of no listed token, each with another topic. `transactions`: native value.
   */
  readonly flood: 'zero' | 'dust' | 'dust_of_each' | 'foreign' | 'transactions';
  readonly count: number;
  readonly paid: number;
  readonly perTransaction: number;
  /** Logs, or transactions, that an answer to this method may have. */
  readonly caps?: Readonly<Record<string, number>>;
  readonly lacks?: readonly string[];
}

/** A node in a process of its own whose chain has one flooded block. */
export class FloodedNode implements ServedChain {
  readonly shape: ServedChain['shape'];

  private constructor(
    private readonly node: ChildProcess,
    readonly url: string,
    readonly flood: Flood,
    blocks: number,
  ) {
    this.shape = { blocks, native: flood.flood === 'transactions' };
  }

  static async open(flood: Flood, flooded: number, blocks: number): Promise<FloodedNode> {
    const node = startProgram('floods/floods-node.mjs');
    const { port } = await answer<{ port: number }>(node);
    const chain = { ...flood, flooded, blocks, tokens: TOKENS, secondsAtZero: 1_780_000_000 };
    await ask(node, { chain });
    return new FloodedNode(node, `http://127.0.0.1:${port}`, flood, blocks);
  }

  /** @returns what was asked since the last time */
  moveTo(head: number): Promise<Asked> {
    return ask<Asked>(this.node, { moveTo: head });
  }

  close(): void {
    this.node.kill();
  }
}
