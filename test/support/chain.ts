import { startAnvil, type Anvil } from '#sandbox/chain/anvil.js';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { freePort } from '#sandbox/processes/free-port.js';

export interface TestChain extends Anvil {
  rpc<Result = unknown>(method: string, params?: unknown[]): Promise<Result>;
  /** Mines empty blocks (with what is pending in the first), one second apart. */
  mine(blocks: number): Promise<void>;
}

export const TEST_CHAIN_ID = 31_337;

/** The node's cost of one call grows faster than the number of blocks. */
const BLOCKS_PER_CALL = 500;

/** A chain that mines each transaction at once and is forgotten at its end. */
export async function startTestChain(): Promise<TestChain> {
  const anvil = await startAnvil({ port: await freePort(), chainId: TEST_CHAIN_ID });
  const rpc = <Result>(method: string, params: unknown[] = []) => chainRpc<Result>(anvil.url, method, params);
  return {
    ...anvil,
    rpc,
    async mine(blocks) {
      for (let left = blocks; left > 0; left -= BLOCKS_PER_CALL) {
        await rpc('anvil_mine', [`0x${Math.min(left, BLOCKS_PER_CALL).toString(16)}`, '0x1']);
      }
    },
  };
}
