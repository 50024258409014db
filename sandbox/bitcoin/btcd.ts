import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CannotStart, spawnChild, waitUntil, type ChildExit } from '../processes/child-process.js';
import { requireFreePort } from '../processes/free-port.js';
import { BitcoinRpc } from './bitcoin-rpc.js';
import type { KeptBlocks } from './kept-blocks.js';

export interface BtcdOptions {
  readonly program: string;
  readonly port: number;
  /** The setting of the port, for the error message if the port is in use. */
  readonly portSetting?: string;
  readonly folder: string;
  /** The node starts with these blocks and an empty mempool. */
  readonly kept: KeptBlocks;
  /** Called when the node ends without `stop` or `kill`. */
  readonly onExit?: (exit: ChildExit) => void;
}

export interface Btcd {
  /** Includes the user name and password of the RPC. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
  /** Sends SIGKILL, to simulate a crash. */
  kill(): Promise<void>;
}

/**
 * Safe to hardcode: the node listens only on the loopback address, and local programs can read `sandbox.json` anyway.
 */
const CREDENTIALS = { user: 'sandbox', password: 'sandbox' };
/** The miner, the wallet, the API and the worker each use several connections. */
const MOST_CLIENTS = 100;
const READY_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 20_000;

export function btcdUrl(port: number): string {
  return `http://${CREDENTIALS.user}:${CREDENTIALS.password}@127.0.0.1:${port}/`;
}

/**
 * Starts a regtest node without peers, with a transaction index.
 * @throws CannotStart
 */
export async function startBtcd(options: BtcdOptions): Promise<Btcd> {
  const { program, port, folder } = options;
  const what = { what: 'The Bitcoin node (btcd)', setting: options.portSetting ?? 'its port setting' };
  await requireFreePort(port, { ...what, waitMs: 1_000 });
  await mkdir(folder, { recursive: true });
  const args = nodeArguments(port, folder);
  const logFile = join(folder, 'output.log');
  const node = await spawnChild({ command: program, args, deathSignal: 'SIGKILL', logFile });
  const url = btcdUrl(port);
  const rpc = new BitcoinRpc(url);
  const isAnswering = () =>
    rpc.call<number>('getblockcount').then(
      () => true,
      () => false,
    );
  const isSettled = async () => node.hasExited() || (await isAnswering());
  const settled = await waitUntil(isSettled, { timeoutMs: READY_WITHIN_MS, everyMs: 100 });
  if (!settled || node.hasExited()) {
    await node.end('SIGKILL');
    throw new CannotStart(`The Bitcoin node (btcd) did not start; ${logFile} may contain the reason.`);
  }
  await options.kept.restore(rpc).catch(async (error: unknown) => {
    await node.end('SIGKILL');
    throw error;
  });
  node.onExit(options.onExit);
  return {
    url,
    pid: node.pid,
    stop: () => node.end('SIGINT', ENDS_WITHIN_MS),
    kill: () => node.end('SIGKILL'),
  };
}

function nodeArguments(port: number, folder: string): string[] {
  return [
    ...['--regtest', '--notls', '--nolisten', '--nodnsseed', '--txindex', '--nocfilters'],
    ...['--norelaypriority', `--rpcmaxclients=${MOST_CLIENTS}`],
    ...[`--rpcuser=${CREDENTIALS.user}`, `--rpcpass=${CREDENTIALS.password}`],
    `--rpclisten=127.0.0.1:${port}`,
    ...[`--datadir=${join(folder, 'data')}`, `--logdir=${join(folder, 'logs')}`, '--debuglevel=warn'],
  ];
}
