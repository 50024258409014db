import { afterEach, describe, expect, it } from '@jest/globals';
import { Clock } from '#shared/kernel/clock.js';
import { KnownChains } from '#contexts/networks/domain/wrong-chain.js';
import type { NodeFaults, NodeProgram } from '../testing/bitcoin-calls.js';
import { BitcoinChain } from '../testing/bitcoin-chain.js';
import { BITCOIN_NETWORK, bitcoinLayer } from '../testing/bitcoin-layer.js';
import { BitcoinNode } from '../testing/bitcoin-node.js';
import { type RpcRequest, StubNode } from '#contexts/networks/testing/stub-node.js';
import { BITCOIN_CHAINS } from '../bitcoin-network.js';
import { BitcoinChainInspection } from './bitcoin-chain-inspection.js';
import { BitcoinNetworkConfigurationCheck } from './bitcoin-network-configuration-check.js';
import { BitcoinNodeCheck } from './bitcoin-node-check.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const MAIN = BITCOIN_CHAINS.find(({ name }) => name === 'main')!;
const nodes: BitcoinNode[] = [];

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});

class NoKnownChains extends KnownChains {
  remember = () => Promise.reject(new Error('Nothing is stored here.'));
  find = () => Promise.resolve(null);
}

class StandingClock extends Clock {
  now = () => Promise.resolve(new Date(NOW));
}

async function started(chain: BitcoinChain, program?: NodeProgram) {
  const node = new BitcoinNode(chain, program);
  nodes.push(node);
  return { node, url: await node.start() };
}

function parts(urls: readonly string[], pendingGraceSeconds = 21_600) {
  const { configuration, settings, rpc, pool, headers } = bitcoinLayer(urls, { pendingGraceSeconds });
  const inspection = new BitcoinChainInspection(settings, new NoKnownChains(), rpc, pool, headers);
  const clock = new StandingClock();
  const node = new BitcoinNodeCheck(clock, rpc, inspection);
  const examination = new BitcoinNetworkConfigurationCheck(clock, rpc, inspection, node);
  return { rpc, inspection, examine: () => examination.check(configuration) };
}

/** @returns check and verdict of all findings about a node that are not `ok` */
async function found(change: (chain: BitcoinChain, faults: NodeFaults) => void, program?: NodeProgram) {
  const chain = BitcoinChain.begun(NOW);
  const { node, url } = await started(chain, program);
  change(chain, node.faults);
  const findings = await parts([url]).examine();
  return findings.flatMap(({ check, verdict }) => (verdict === 'ok' ? [] : [[check, verdict]]));
}

describe('The examination of a Bitcoin network', () => {
  it.each(['core', 'btcd'] as const)('finds no problem with a node that is in order: %s', async (program) => {
    expect(await found(() => undefined, program)).toEqual([]);
  });

  it.each<[string, (chain: BitcoinChain, faults: NodeFaults) => void, string[][]]>([
    ['is still syncing', (_, faults) => (faults.headersAhead = 4), [['sync', 'wrong']]],
    ['is pruned', (_, faults) => (faults.prunedBelow = 1), [['blocks', 'warning']]],
    [
      'is without an index of transactions',
      (_, faults) => (faults.withoutTransactionIndex = true),
      [['transaction index', 'warning']],
    ],
    ['takes no transactions', (_, faults) => (faults.withoutMempool = true), [['mempool', 'wrong']]],
    ['has no mempool', (_, faults) => (faults.missing = new Set(['getrawmempool'])), [['mempool', 'wrong']]],
    [
      'is older than version 24',
      (_, faults) => (faults.missing = new Set(['gettxspendingprevout'])),
      [['replacements', 'warning']],
    ],
    [
      'replaces signalled transactions alone',
      (_, faults) => (faults.replacesSignalled = true),
      [['relay of replacements', 'warning']],
    ],
    ['has a wrong clock', (chain) => (chain.now += 601_000), [['clock', 'warning']]],
  ])('finds a problem of a node: it %s', async (_, change, expected) => {
    expect(await found(change)).toEqual(expected);
  });

  it.each([
    ['another block', '0c'.repeat(32), 'unknown'],
    ['the block', MAIN.checkpoints.at(-1)!.hash, 'main'],
  ])('identifies the chain of a node by genesis and last checkpoint: %s', async (_, hash, name) => {
    const node = new StubNode();
    node.answers('getblockhash', ({ params: [height] }: RpcRequest) =>
      height === 0 ? MAIN.genesisHash : hash,
    );
    const { rpc, inspection } = parts([await node.start()]);
    const { chainId } = await inspection.identity(rpc.endpoints(BITCOIN_NETWORK)[0]!);
    await node.stop();

    expect(inspection.chainName(chainId)).toBe(name);
  });

  it.each([
    [86_399, 'ok'],
    [86_400, 'warning'],
  ])('warns of an inclusion grace from a day: %i seconds is %s', async (seconds, verdict) => {
    const { url } = await started(BitcoinChain.begun(NOW));

    const findings = await parts([url], seconds).examine();

    expect(findings.at(-1)).toMatchObject({ check: 'inclusion grace', verdict });
  });

  it.each([
    [1, 1, 'ok'],
    [7, 7, 'wrong'],
    [7, 0, 'ok'],
  ])(
    'finds whether endpoints agree: one that lacks %i blocks and has %i others is %s',
    async (depth, others, verdict) => {
      const one = BitcoinChain.begun(NOW);
      const other = new BitcoinChain(NOW);
      one.blocks.slice(1, -depth).forEach((block) => other.accept(block));
      for (let i = 0; i < others; i += 1) other.mine([]);
      const urls = await Promise.all([one, other].map(async (chain) => (await started(chain)).url));
      const findings = await parts(urls).examine();

      expect(findings.at(-1)).toMatchObject({ about: 'network', check: 'agreement', verdict });
      expect(findings[0]!.says).toMatch(/^It serves chain regtest, /);
    },
  );
});
