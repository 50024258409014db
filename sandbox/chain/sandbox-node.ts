import { startAnvil, type Anvil } from './anvil.js';
import type { ChildExit } from '../processes/child-process.js';
import { prepareChain, SANDBOX_BLOCK_TIME, SANDBOX_CHAIN_ID } from './sandbox-chain.js';
import { seconds, type TerminalOutput } from '../terminal/terminal-output.js';

interface Place {
  port: number;
  portSetting: string;
  stateFile: string;
  /** The service's time, at which the chain continues (default: real time). */
  clock?: () => Promise<Date>;
}

/** Starts the node and deploys what is missing, because a killed node may have lost the most recent blocks. */
export async function startSandboxNode(
  place: Place,
  onExit: (exit: ChildExit) => void,
  output: TerminalOutput,
): Promise<Anvil> {
  let isUp = false;
  const node = await startAnvil({
    ...place,
    chainId: SANDBOX_CHAIN_ID,
    blockTimeSeconds: SANDBOX_BLOCK_TIME,
    onSlowSave: (tookMs) =>
      output.print(
        `The chain has grown long: keeping it takes ${seconds(tookMs)}. npm run reset begins a new one.`,
      ),
    // Until the node is up, its exit makes this start fail instead.
    onExit: (exit) => isUp && onExit(exit),
  });
  try {
    await prepareChain(node.url, SANDBOX_BLOCK_TIME);
    await node.save();
  } catch (error) {
    await node.kill();
    throw error;
  }
  isUp = true;
  return node;
}
