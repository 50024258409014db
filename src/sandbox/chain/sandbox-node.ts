import { startAnvil, type Anvil } from './anvil.js';
import type { ChildExit } from '../processes/child-process.js';
import { furnishChain, SANDBOX_BLOCK_TIME, SANDBOX_CHAIN_ID } from './sandbox-chain.js';
import { seconds, type Screen } from '../terminal/screen.js';

interface Place {
  port: number;
  portSetting: string;
  stateFile: string;
}

/** The chain node with everything on it, in each of its lives: a killed one may have lost what was brought last. */
export async function startSandboxNode(
  place: Place,
  onExit: (exit: ChildExit) => void,
  screen: Screen,
): Promise<Anvil> {
  let isUp = false;
  const node = await startAnvil({
    ...place,
    chainId: SANDBOX_CHAIN_ID,
    blockTimeSeconds: SANDBOX_BLOCK_TIME,
    onSlowSave: (tookMs) =>
      screen.say(
        `The chain has grown long: keeping it takes ${seconds(tookMs)}. npm run reset begins a new one.`,
      ),
    // Until then its end is the failure of this start.
    onExit: (exit) => isUp && onExit(exit),
  });
  try {
    await furnishChain(node.url, SANDBOX_BLOCK_TIME);
    await node.save();
  } catch (error) {
    await node.kill();
    throw error;
  }
  isUp = true;
  return node;
}
