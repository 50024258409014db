import { MemoryChain } from '../memory-chain.js';
import { hexToBytes } from 'viem';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { DEPLOYER, DEPLOYER_CODE } from '../deployer.js';
import { METHODS, type Method } from '../node/methods.js';
import { MemoryNode } from '../node/memory-node.js';
import { BlockClock } from './block-clock.js';
import { serveNode } from './served-node.js';
import { DEVELOPMENT_METHODS, UNLOCKED } from './development-methods.js';

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
