import { startAnvil, type Anvil } from '#sandbox/chain/anvil.js';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { freePort } from '#sandbox/processes/free-port.js';

export interface TestChain extends Anvil {
  rpc<Result = unknown>(method: string, params?: unknown[]): Promise<Result>;
  /** Mines empty blocks (with what is pending in the first), one second apart. */
  mine(blocks: number): Promise<void>;
  /** Does the same for who looks again and again until something has happened, at most four times a second: the worker reads each block. */
  mineWhileWaiting(blocks: number): Promise<void>;
}

export const TEST_CHAIN_ID = 31_337;

/** The node's cost of one call grows faster than the number of blocks. */
const BLOCKS_PER_CALL = 500;
const BETWEEN_LOOKS_MS = 250;

/** Starts a chain that mines each transaction immediately. */
export async function startTestChain(): Promise<TestChain> {
  const anvil = await startAnvil({ port: await freePort(), chainId: TEST_CHAIN_ID });
  const rpc = <Result>(method: string, params: unknown[] = []) => chainRpc<Result>(anvil.url, method, params);
  const mine = async (blocks: number) => {
    for (let left = blocks; left > 0; left -= BLOCKS_PER_CALL) {
      await rpc('anvil_mine', [`0x${Math.min(left, BLOCKS_PER_CALL).toString(16)}`, '0x1']);
    }
  };
  let mined = -Infinity;
  return {
    ...anvil,
    ...{ rpc, mine },
    async mineWhileWaiting(blocks) {
      if (performance.now() - mined < BETWEEN_LOOKS_MS) return;
      await mine(blocks);
      mined = performance.now();
    },
  };
}
