import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { blockHead, chainRpc } from './chain-rpc.js';
import { ChainStateKeeper, unpackState } from './chain-state.js';
import {
  CannotStart,
  spawnChild,
  waitUntil,
  type ChildExit,
  type RunningChild,
} from '../processes/child-process.js';
import { requireFreePort } from '../processes/free-port.js';

export interface AnvilOptions {
  port: number;
  /** The setting of the port, for the error message if the port is in use. */
  portSetting?: string;
  chainId: number;
  /** Seconds between blocks. Absent: one block per transaction. */
  blockTimeSeconds?: number;
  /** True orders transactions in a block by arrival. Absent: by fee. */
  inSentOrder?: boolean;
  /** Absent: the chain is not stored. A SIGKILL loses at most its last seconds. */
  stateFile?: string;
  /** Start time of a new chain, in seconds since 1970, in the past. Ignored for a stored chain. */
  genesisTimestamp?: number;
  /** Returns the time at which the chain starts or continues (default: real time). */
  clock?: () => Promise<Date>;
  /** Called once, with the milliseconds, when storing the chain becomes slow. */
  onSlowSave?: (tookMs: number) => void;
  /** Called when the node ends without `stop` or `kill`. */
  onExit?: (exit: ChildExit) => void;
}

export interface Anvil {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Stores the current chain, if there is a state file. */
  save(): Promise<void>;
  /** Stops mining, stores all mined blocks, and ends the node. */
  stop(): Promise<void>;
  /** Sends SIGKILL, to simulate a crash. Loses everything not yet stored. */
  kill(): Promise<void>;
}

const READY_WITHIN = 60_000;

/**
 * Starts a local EVM node. A stored chain resumes with its blocks, receipts, logs and newest balances, but without
 * historical state.
 * @throws CannotStart
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const { port, stateFile } = options;
  if ((options.genesisTimestamp ?? 0) > Date.now() / 1_000)
    throw new RangeError('genesisTimestamp is in the future');
  const binary = locateAnvil();
  await requireFreePort(port, {
    what: 'The local chain node (anvil)',
    setting: options.portSetting ?? 'its port setting',
    waitMs: 1_000,
  });
  if (stateFile !== undefined) await mkdir(dirname(resolve(stateFile)), { recursive: true });
  const unpacked = stateFile === undefined ? undefined : await unpackState(resolve(stateFile));
  const cache =
    stateFile === undefined ? await mkdtemp(join(tmpdir(), 'anvil-cache-')) : `${resolve(stateFile)}.cache`;
  await rm(cache, { recursive: true, force: true });
  const discard = async () => {
    await rm(cache, { recursive: true, force: true });
    if (unpacked !== undefined) await rm(unpacked, { force: true });
  };

  const url = `http://127.0.0.1:${port}`;
  const args = nodeArguments(options, unpacked, cache);
  const node = await spawnChild({ command: binary, args, deathSignal: 'SIGKILL' });
  const keeper =
    stateFile === undefined ? undefined : new ChainStateKeeper(url, resolve(stateFile), options.onSlowSave);
  try {
    await waitForAnswer(node, url);
    if (unpacked === undefined) await keeper?.save();
    else await rm(unpacked, { force: true });
    if (unpacked !== undefined || options.clock !== undefined) await catchUpClock(url, options.clock);
    await keeper?.start();
    await beginMining(url, options.blockTimeSeconds);
  } catch (error) {
    await node.end('SIGKILL');
    await discard();
    throw error;
  }
  return running(node, url, keeper, discard, options);
}

function locateAnvil(): string {
  const system = `${platform()}-${arch() === 'x64' ? 'amd64' : arch()}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${system}/package.json`);
    return join(dirname(manifest), 'bin', platform() === 'win32' ? 'anvil.exe' : 'anvil');
  } catch {
    throw new CannotStart(
      `There is no local chain node (anvil) for ${system} in node_modules. Run npm install again on this ` +
        'system, or use your own network.',
    );
  }
}

function nodeArguments(options: AnvilOptions, unpacked: string | undefined, cache: string): string[] {
  const args = ['--host', '127.0.0.1', '--port', String(options.port), '--quiet'];
  args.push('--chain-id', String(options.chainId), '--hardfork', 'cancun');
  args.push('--cache-path', cache);
  // No block before the clock is set: the first block would otherwise have a wrong time.
  args.push('--no-mining');
  if (options.inSentOrder === true) args.push('--order', 'fifo');
  // Not for a stored chain: a genesis timestamp would set its clock back.
  if (unpacked !== undefined) args.push('--load-state', unpacked);
  else if (options.genesisTimestamp !== undefined) args.push('--timestamp', String(options.genesisTimestamp));
  return args;
}

/**
 * Moves the node's clock, which starts at real time, to `clock` or the newest block's time, whichever is later. Sends
 * an absolute time: the node would add a difference to the system clock, which may be adjusted in between.
 */
async function catchUpClock(url: string, clock = async () => new Date()): Promise<void> {
  const newest = Number((await blockHead(url)).timestamp);
  const now = Math.floor((await clock()).getTime() / 1_000);
  await chainRpc(url, 'evm_setTime', [Math.max(newest, now)]);
}

async function beginMining(url: string, blockTimeSeconds: number | undefined): Promise<void> {
  if (blockTimeSeconds === undefined) await chainRpc(url, 'evm_setAutomine', [true]);
  else await chainRpc(url, 'evm_setIntervalMining', [blockTimeSeconds]);
}

async function waitForAnswer(node: RunningChild, url: string): Promise<void> {
  const answered = () =>
    chainRpc(url, 'eth_chainId').then(
      () => true,
      () => false,
    );
  let isReady = false;
  const hasAnswered = async () => (isReady = await answered());
  await waitUntil(async () => node.hasExited() || (await hasAnswered()), { timeoutMs: READY_WITHIN });
  if (!isReady) {
    throw new CannotStart(
      'The local chain node (anvil) did not start. Its port, its state file or its binary does not work here.',
    );
  }
}

function running(
  node: RunningChild,
  url: string,
  keeper: ChainStateKeeper | undefined,
  discard: () => Promise<void>,
  { port, onExit }: AnvilOptions,
): Anvil {
  const cleanUp = async () => {
    await keeper?.stop();
    await discard();
  };
  let stopping = false;
  node.onExit((exit) => void cleanUp().then(() => stopping || onExit?.(exit)));
  const end = async () => {
    await node.end('SIGKILL');
    await cleanUp();
  };
  return {
    url,
    port,
    pid: node.pid,
    async save() {
      await keeper?.save();
    },
    async stop() {
      stopping = true;
      await keeper?.stop();
      if (keeper && !node.hasExited()) {
        await chainRpc(url, 'evm_setAutomine', [false]);
        await chainRpc(url, 'evm_setIntervalMining', [0]);
        await keeper.save();
      }
      await end();
    },
    kill: end,
  };
}
