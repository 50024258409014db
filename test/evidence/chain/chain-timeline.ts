import type { Hex } from 'viem';
import { hex } from '../../support/rpc/rpc-wire.js';
import type { ChainWorld } from './chain-world.js';

/** The node answers this block now. */
export interface MinedBlock {
  readonly number: number;
  readonly hash: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly transactions: readonly Hex[];
}

interface RpcBlock {
  readonly number: string;
  readonly hash: string;
  readonly timestamp: string;
  readonly transactions: readonly Hex[];
}

/** The canonical blocks of one run, which can be taken back; read from the node after each change, not remembered. */
export class Timeline {
  private constructor(
    private readonly world: ChainWorld,
    /** The last block before the run; it is never taken back. */
    readonly ground: MinedBlock,
    private mined: MinedBlock[],
  ) {}

  static async begin(world: ChainWorld): Promise<Timeline> {
    const [block] = await world.batch<RpcBlock>([
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
    ]);
    return new Timeline(world, read(block!), []);
  }

  get blocks(): readonly MinedBlock[] {
    return this.mined;
  }

  get tip(): MinedBlock {
    return this.mined.at(-1) ?? this.ground;
  }

  /** One block with what waits in the node's pool, at that second or the next possible one. */
  async mine(at: number): Promise<MinedBlock> {
    const time = Math.max(Math.floor(at), this.tip.time + 1);
    await this.world.service.chain.rpc('evm_setNextBlockTimestamp', [time]);
    await this.world.service.chain.rpc('evm_mine');
    await this.reread();
    return this.tip;
  }

  async mineEmpty(blocks: number, secondsApart: number): Promise<void> {
    if (blocks === 0) return;
    await this.world.service.chain.rpc('anvil_mine', [hex(blocks), hex(secondsApart)]);
    await this.reread();
  }

  /** @returns the blocks that are gone, lowest first */
  async takeBack(depth: number): Promise<MinedBlock[]> {
    if (depth > this.mined.length) throw new RangeError(`Only ${this.mined.length} blocks are of this run.`);
    await this.world.service.chain.rpc('anvil_rollback', [depth]);
    await this.world.restoreCode();
    return this.mined.splice(this.mined.length - depth);
  }

  private async reread(): Promise<void> {
    const head = Number(await this.world.service.chain.rpc<string>('eth_blockNumber'));
    const from = this.tip.number + 1;
    const calls = Array.from({ length: head - from + 1 }, (_, i) => ({
      method: 'eth_getBlockByNumber',
      params: [hex(from + i), false],
    }));
    this.mined.push(...(await this.world.batch<RpcBlock>(calls)).map(read));
  }
}

function read({ number, hash, timestamp, transactions }: RpcBlock): MinedBlock {
  return { number: Number(number), hash, time: Number(timestamp), transactions };
}
