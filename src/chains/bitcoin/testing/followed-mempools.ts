import { BitcoinChain, type PaymentTerms } from './bitcoin-chain.js';
import { bitcoinLayer, ownOf, recipient } from './bitcoin-layer.js';
import { BitcoinNode } from './bitcoin-node.js';
import type { PendingTransfer } from '#contexts/networks/contract/pending-transfers.js';

export const BEGIN = Date.parse('2030-01-01T00:00:00Z');
export const OWN = recipient('01');
export const FOREIGN = recipient('02');
export const TO_US = [{ script: OWN.script, amount: 70_000n }];
export const ELSEWHERE = [{ script: FOREIGN.script, amount: 70_000n }];
export const LIMIT = 1_000;

const nodes = new Set<BitcoinNode>();

export async function startNode(chain: BitcoinChain, program: 'core' | 'btcd' = 'core') {
  const node = new BitcoinNode(chain, program);
  nodes.add(node);
  return { node, url: await node.start() };
}

export async function stopNode(node: BitcoinNode): Promise<void> {
  nodes.delete(node);
  await node.stop();
}

export async function stopNodes(): Promise<void> {
  await Promise.all([...nodes].map(stopNode));
}

export function nodeWithSameBlocks(chain: BitcoinChain): BitcoinChain {
  const other = new BitcoinChain(chain.now);
  chain.blocks.slice(1).forEach((block) => other.accept(block));
  return other;
}

/** Starts nodes for these chains and tracks pending transfers to the service's address. */
export async function followMempools(...chains: readonly BitcoinChain[]) {
  const several = await Promise.all(chains.map((chain) => startNode(chain)));
  const layer = bitcoinLayer(several.map(({ url }) => url));
  const look = (limit = LIMIT) => layer.pending.pollMempools(ownOf([OWN.address]), limit);
  return { ...layer, look, nodes: several.map(({ node }) => node) };
}

export async function followedAlone() {
  const chain = BitcoinChain.begun(BEGIN);
  const { nodes: own, ...world } = await followMempools(chain);
  const seen = async (terms?: PaymentTerms) => {
    const { txid } = chain.pay(TO_US, terms);
    return (await world.look()).transfers.find(({ transactionHash }) => transactionHash === txid)!;
  };
  const fateOf = async (gone: PendingTransfer) => (await world.pending.statuses([gone]))[0];
  return { chain, node: own[0]!, ...world, seen, fateOf };
}

export function spentBy({ evidence }: PendingTransfer) {
  return (evidence['spends'] as readonly string[]).map((spent) => {
    const [txid, vout] = spent.split(':') as [string, string];
    return { txid, vout: Number(vout) };
  });
}
