import type { ChainBlock } from '../chain-block.js';
import { MemoryChain } from '../memory-chain.js';
import { hexToBytes } from 'viem';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { DEPLOYER, DEPLOYER_CODE } from '../deployer.js';
import { METHODS, type Method } from '../node/methods.js';
import { MemoryNode } from '../node/memory-node.js';
import { serveNode } from './served-node.js';
import { DEVELOPMENT_METHODS, UNLOCKED } from './development-methods.js';

export class BlockClock {
  minesAtOnce = true;
  /** Seconds that the chain is before real time. */
  offset = 0;
  exactly: number | null = null;
  private readonly kept: ChainBlock[] = [];

  constructor(
    readonly chain: MemoryChain,
    private readonly now: () => number,
  ) {}

  next(): number {
    return Math.max(this.chain.head.time + 1, Math.floor(this.now() / 1_000) + this.offset);
  }

  /** @param after seconds after the block before; without it, real time's */
  async mine(after?: number): Promise<void> {
    const { head } = this.chain;
    const time = this.exactly ?? (after === undefined ? this.next() : head.time + Math.max(1, after));
    this.exactly = null;
    await this.chain.mine({ time });
    this.offset += Math.max(0, time - this.next() + 1);
  }

  /** Other blocks in the places of the newest. @param transactions signed, each for one of them */
  async replace(
    depth: number,
    transactions: readonly { readonly raw: string; readonly at: number }[],
  ): Promise<void> {
    const left = this.chain.unwind(this.chain.head.number - depth, 'drop');
    for (const [at, { time }] of left.entries()) {
      const hashes: string[] = [];
      for (const each of transactions) if (each.at === at) hashes.push(this.chain.send(each.raw).hash);
      await this.chain.mine({ time, including: hashes });
    }
  }

  keep(): number {
    return this.kept.push(this.chain.head) - 1;
  }

  goBackTo(id: number): boolean {
    const block = this.kept[id];
    if (block === undefined) return false;
    this.chain.unwind(block.number, 'drop');
    for (const waiting of this.chain.pool.all()) this.chain.pool.remove(waiting);
    return true;
  }
}

const FUNDS = 10_000n * 10n ** 18n;

/** A chain in memory behind a port, which takes anvil's orders: suites that were written for anvil run against it. */
export async function serveChain(chainId: number, now: () => number = Date.now) {
  const unlocked = UNLOCKED.map(({ address }) => [address, { balance: FUNDS }] as const);
  const accounts = { ...Object.fromEntries(unlocked), [DEPLOYER]: { code: hexToBytes(DEPLOYER_CODE) } };
  const time = Math.floor(now() / 1_000);
  const chain = await MemoryChain.begin({ chainId, time, accounts });
  const clock = new BlockClock(chain, now);
  const ordered = Object.entries(DEVELOPMENT_METHODS).map(
    ([name, method]) => [name, (({ params }) => method(clock, params)) as Method] as const,
  );
  const node = new MemoryNode(chain, undefined, { ...METHODS, ...Object.fromEntries(ordered) });
  const { url, port, stop } = await serveNode(node);
  const mine = async (blocks: number) => {
    for (let left = blocks, first = true; left > 0; left -= 1, first = false)
      await clock.mine(first ? undefined : 1);
  };
  return {
    ...{ url, port, pid: process.pid, chain, node, stop, kill: stop },
    save: () => Promise.resolve(),
    rpc: <Result = unknown>(method: string, params: unknown[] = []) => chainRpc<Result>(url, method, params),
    ...{ mine, mineWhileWaiting: mine },
  };
}
