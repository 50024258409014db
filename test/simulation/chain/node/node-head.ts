import type { ChainBlock } from '../chain-block.js';
import type { AccountState } from '../chain-state.js';
import type { MemoryChain } from '../memory-chain.js';

export class NodeRefusal extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: string,
  ) {
    super(message);
  }
}

export interface NodeView {
  readonly lag: number;
  /** The newest block that it knows, of whatever branch; null: it follows the chain. */
  readonly standsAt: ChainBlock | null;
}

export const GOOD_VIEW: NodeView = { lag: 0, standsAt: null };
/** So many blocks stand on one that is `finalized`, and half as many on one that is `safe`. */
const FINAL_AFTER = 64;

export class NodeHead {
  readonly block: ChainBlock;

  constructor(
    private readonly chain: MemoryChain,
    view: NodeView,
  ) {
    const newest = view.standsAt ?? chain.head;
    this.block = chain.at(Math.max(0, newest.number - view.lag), newest)!;
  }

  /** @param name a tag, a quantity, or an object of EIP-1898 @returns null where the node has none @throws NodeRefusal */
  find(name: unknown): ChainBlock | null {
    if (typeof name === 'object' && name !== null) {
      const { blockHash, blockNumber } = name as Record<string, unknown>;
      return blockHash === undefined ? this.find(blockNumber) : this.byHash(blockHash);
    }
    switch (name) {
      case undefined:
      case null:
      case 'latest':
      case 'pending':
        return this.block;
      case 'earliest':
        return this.chain.at(0, this.block);
      case 'finalized':
        return this.below(FINAL_AFTER, name);
      case 'safe':
        return this.below(FINAL_AFTER / 2, name);
    }
    if (typeof name !== 'string' || !/^0x[0-9a-f]{1,14}$/i.test(name))
      throw new NodeRefusal(-32602, `invalid argument: ${JSON.stringify(name)} is no block`);
    return this.chain.at(Number(name), this.block);
  }

  byHash(hash: unknown): ChainBlock | null {
    const block = this.chain.block(String(hash).toLowerCase());
    if (block === undefined || block.number > this.block.number) return null;
    return this.chain.at(block.number, this.block) === block ? block : null;
  }

  placeOf(hash: unknown) {
    return this.chain.placeOf(String(hash).toLowerCase(), this.block);
  }

  /** The block whose accounts are asked about. @throws NodeRefusal in the words of nodes that lack the block */
  withState(name: unknown): ChainBlock {
    const block = this.find(name);
    if (block === null) throw new NodeRefusal(-32000, 'header not found');
    return block;
  }

  account(address: unknown, name: unknown): AccountState {
    if (typeof address !== 'string' || !/^0x[0-9a-f]{40}$/i.test(address))
      throw new NodeRefusal(-32602, 'invalid argument 0: an address was asked for');
    return this.withState(name).state.account(address.toLowerCase());
  }

  private below(depth: number, tag: string): ChainBlock {
    const block = this.chain.at(this.block.number - depth, this.block);
    if (block === null) throw new NodeRefusal(-39001, `${tag} block not found`);
    return block;
  }
}
