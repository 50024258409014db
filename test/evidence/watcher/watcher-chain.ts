import type { ChildProcess } from 'node:child_process';
import { answer, ask, startProgram } from '../programs.js';

/** Whatever else is issued, that many are open, and the chain pays these. */
export const OPEN = 10_000;
/** The watched contracts; issued addresses are paid by the first. */
export const TOKENS = [0xa1, 0xb2, 0xc3].map((byte) => `0x${byte.toString(16).repeat(20)}`);

/** The blocks of a chain hold this. */
export interface ChainShape {
  /** Numbered from 0, so one more than this. */
  readonly blocks: number;
  readonly logs: number;
  /** So many of these go to issued addresses. */
  readonly paid: number;
  readonly calls: number;
  /** Above it nothing is. */
  readonly paidTo?: number;
  /** The coin is catalogued, and so the transactions are asked for too. */
  readonly native?: boolean;
}

export interface Measured {
  readonly ms: number;
  readonly cpuMs: number;
}

export interface Read extends Measured {
  readonly seen: number;
  readonly found: number;
}

export interface Asked {
  readonly asked: Readonly<Record<string, number>>;
  readonly bytes: number;
}

/** A watcher is started on this. */
export interface ServedChain {
  readonly url: string;
  readonly shape: Pick<ChainShape, 'blocks' | 'native'>;
  moveTo(head: number): Promise<unknown>;
}

/** A node of prebuilt blocks, and the bare loop, each in a process of its own. */
export class StubChain {
  private constructor(
    private readonly node: ChildProcess,
    private readonly bare: ChildProcess,
    readonly url: string,
    readonly shape: ChainShape,
  ) {}

  static async open(shape: ChainShape): Promise<StubChain> {
    const [node, bare] = [startProgram('watcher/watcher-node.mjs'), startProgram('watcher/watcher-bare.mjs')];
    const { port } = await answer<{ port: number }>(node);
    const chain = {
      paidTo: shape.blocks,
      ...shape,
      tokens: TOKENS,
      issuedCount: OPEN,
      secondsAtZero: 1_780_000_000,
    };
    await ask(node, { chain });
    return new StubChain(node, bare, `http://127.0.0.1:${port}`, shape);
  }

  /** @returns what was asked since the last time */
  async moveTo(head: number): Promise<Asked> {
    return ask<Asked>(this.node, { moveTo: head });
  }

  /** The bare loop over these blocks. */
  async fetch(to: number, addresses: number, atATime: number): Promise<Read> {
    const { native: full = false } = this.shape;
    const question = { url: this.url, tokens: TOKENS, addresses, from: 1, to, full, atATime };
    return ask<Read>(this.bare, question);
  }

  close(): void {
    this.bare.kill();
    this.node.kill();
  }
}
