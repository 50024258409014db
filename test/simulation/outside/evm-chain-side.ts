import { privateKeyToAddress } from 'viem/accounts';
import { getAddress, type Hex } from 'viem';
import type { Payment, SimulatedNetwork } from '../acts/world.js';
import { settledIn, transfersOf } from '../chain/block-facts.js';
import type { ChainBlock } from '../chain/chain-block.js';
import { type FurnishedChain, furnishChain } from '../chain/furnished-chain.js';
import { BrokenConnection, MemoryNode, NoAnswer } from '../chain/node/memory-node.js';
import { pay } from '../chain/payments.js';
import { type RecordedChain, recordChain } from '../chain/recorded-chain.js';
import type { BlockFact } from '../facts/fact.js';
import type { OutsideAnswer, OutsideRequest } from '../process/network-seam.js';
import type { Random } from '../random.js';
import type { SimulatedConfiguration } from '../run/settings.js';

const CHAIN_ID = 31_337;
const NETWORK = 'simulated';
const STRANGERS = 8;
const ETHER = 10n ** 18n;
/** Public addresses: where they lead does not matter, since nothing leaves this process. */
const NODE_URLS = ['https://8.8.8.8/node-a', 'https://8.8.8.8/node-b'] as const;

export class EvmChainSide {
  readonly network: SimulatedNetwork;
  readonly configuration: SimulatedConfiguration;
  readonly nodes = new Map<string, MemoryNode>();

  private constructor(
    private readonly furnished: FurnishedChain,
    private readonly random: Random,
  ) {
    const { tokens, payers, chain } = furnished;
    for (const url of NODE_URLS) this.nodes.set(url, new MemoryNode(chain));
    const assets = [
      ...tokens
        .filter(({ peg }) => peg !== null)
        .map(({ address, symbol, name, decimals, peg }) => ({
          ...{ token: getAddress(address), symbol, name, decimals, minimum_amount: '0.01', peg: peg! },
        })),
      { token: 'ETH', symbol: 'ETH', name: 'Ether', decimals: 18, minimum_amount: '0.0001' },
    ];
    this.configuration = { chainId: CHAIN_ID, rpcUrls: NODE_URLS, assets };
    this.network = {
      network: NETWORK,
      assets: assets.map(({ token, symbol, decimals, minimum_amount }) => ({
        uniqueAssetId: `n${NETWORK}_t${token}`,
        symbol,
        decimals,
        minimumAmount: minimum_amount,
        token: token.startsWith('0x') ? token : null,
      })),
      pay: (payment: Payment) => this.pay(payment),
      foreignTokens: tokens.filter(({ peg }) => peg === null).map(({ address }) => getAddress(address)),
      payerKeys: payers.map(({ key }) => `0x${Buffer.from(key).toString('hex')}` as const),
      strangers: Array.from({ length: STRANGERS }, () => drawnAddress(random)),
    };
  }

  /** @param gasKey the key that pays for settlements */
  static async furnish(now: number, gasKey: Hex, random: Random): Promise<EvmChainSide> {
    const funded = { [privateKeyToAddress(gasKey).toLowerCase()]: 1_000_000n * ETHER };
    const time = Math.floor(now / 1_000) - 600;
    return new EvmChainSide(await furnishChain({ chainId: CHAIN_ID, time, funded }), random);
  }

  /** The answer of a node; undefined where the URL is no node's. @throws where its connection breaks */
  answer({ url, body }: OutsideRequest): Promise<OutsideAnswer | null> | undefined {
    return this.nodes.get(url) && answerOf(this.nodes.get(url)!, body);
  }

  recorded(): RecordedChain {
    return recordChain(this.furnished.chain);
  }

  /** @param time of the block, in seconds. @param share of what waits that gets into it */
  async mine(time: number, share: number): Promise<Omit<BlockFact, 'at'>> {
    const { chain, factory } = this.furnished;
    const waiting = chain.pool.all().map(({ hash }) => hash);
    const including = share === 1 ? 'all' : waiting.filter(() => this.random.chance(share));
    const block = await chain.mine({ time, including });
    const { number, hash, parentHash } = block;
    return {
      ...{ kind: 'block', network: NETWORK, number, hash, parentHash, time: time * 1_000 },
      transfers: transfersOf(block),
      settled: settledIn(block, factory),
    };
  }

  depthOfLatestTransaction(): number {
    return this.depthOf(({ transactions }) => transactions.length > 0);
  }

  /** So many blocks are the newest one in which a forwarder paid something out and those upon it. */
  depthOfLatestPayout(): number {
    const { factory } = this.furnished;
    return this.depthOf((block) => block.transactions.length > 0 && settledIn(block, factory).length > 0);
  }

  private depthOf(fits: (block: ChainBlock) => boolean): number {
    const { head } = this.furnished.chain;
    let at: ChainBlock | null = head;
    while (at !== null && !fits(at)) at = at.parent;
    return head.number - (at?.number ?? 0) + 1;
  }

  unwind(depth: number, transactions: 'wait' | 'drop'): number {
    const { chain } = this.furnished;
    const [first] = chain.unwind(chain.head.number - depth, transactions);
    return first!.number;
  }

  async besideHead(): Promise<ChainBlock> {
    const { chain } = this.furnished;
    const { head } = chain;
    return chain.mine({ time: head.time + 1, including: 'none', upon: head.parent ?? head });
  }

  private pay(payment: Payment): string {
    const { pool } = this.furnished.chain;
    const { limits } = pool;
    pool.limits = { ...limits, isClosed: false };
    const hash = pay(this.furnished, payment);
    pool.limits = limits;
    return hash;
  }

  /** The base fee of the next block, in wei, from which later ones come down again. */
  spikeFees(baseFee: bigint): void {
    this.furnished.chain.setNextBaseFee(baseFee);
  }

  closePool(isClosed: boolean): void {
    const { pool } = this.furnished.chain;
    pool.limits = { ...pool.limits, isClosed };
  }
}

export function drawnAddress(random: Random): string {
  return `0x${Array.from({ length: 40 }, () => random.whole(0, 15).toString(16)).join('')}`;
}

async function answerOf(node: MemoryNode, body: string): Promise<OutsideAnswer | null> {
  try {
    return await node.answer(body);
  } catch (error) {
    if (error instanceof NoAnswer) return null;
    if (error instanceof BrokenConnection) throw Object.assign(error, { code: 'ECONNREFUSED' });
    throw error;
  }
}
