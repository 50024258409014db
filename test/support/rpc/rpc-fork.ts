import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAnvil } from '#sandbox/chain/anvil.js';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { TEST_CHAIN_ID, type TestChain } from '../chain.js';
import { askNode } from './rpc-proxy.js';
import { hex, type Misbehaviour } from './rpc-wire.js';

export interface ForkedChain {
  readonly url: string;
  mine(blocks: number): Promise<void>;
  kill(): Promise<void>;
}

/**
 * Another node with the same history up to now; from here on each goes its own way. What is mined has other hashes,
 * also where the same transactions are in it.
 */
export async function forkOff(chain: Pick<TestChain, 'rpc'>): Promise<ForkedChain> {
  const folder = mkdtempSync(join(tmpdir(), 'fork-'));
  const stateFile = join(folder, 'chain');
  const dump = await chain.rpc<string>('anvil_dumpState');
  writeFileSync(stateFile, Buffer.from(dump.slice('0x'.length), 'hex'));
  const node = await startAnvil({ port: await freePort(), chainId: TEST_CHAIN_ID, stateFile });
  // Blocks of the same second and content would be the same blocks.
  await chainRpc(node.url, 'anvil_setCoinbase', [`0x${'f0'.repeat(20)}`]);
  return {
    url: node.url,
    mine: (blocks) => chainRpc(node.url, 'anvil_mine', [hex(blocks), '0x1']),
    async kill() {
      await node.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function otherFork({ url }: Pick<ForkedChain, 'url'>): Misbehaviour {
  return { name: 'otherFork', answer: (call) => askNode(url, call) };
}
