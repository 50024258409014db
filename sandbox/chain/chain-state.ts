import { existsSync } from 'node:fs';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { blockHead, chainRpc } from './chain-rpc.js';
import { CannotStart } from '../processes/child-process.js';

/** Milliseconds between the starts of two saves. */
const SAVED_EVERY = 2_000;
/** Minimum milliseconds between saves that take longer than the interval. */
const MIN_PAUSE = 500;
/** Milliseconds. A crash during such a save loses nearly 5 seconds of blocks. */
const SLOW_SAVE = 2_000;

const GENESIS = '"number":"0x0"';
const COMMA = ','.charCodeAt(0);

/**
 * Stores the node's chain (blocks, receipts, logs, newest balances) in one file: gzip of the node's JSON dump. Every
 * 2 seconds it writes a new file and renames it. The node's own `--state` writes in place, so a kill during a write
 * destroys the file. A crash loses at most the blocks of 2 seconds plus one save, which takes about 15 ms per 1,000
 * blocks.
 */
export class ChainStateKeeper {
  private savedHash: string | undefined;
  private isReported = false;
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly url: string,
    private readonly file: string,
    /** Called once, with the milliseconds of a save, when saves become slow. */
    private readonly onSlow: (tookMs: number) => void = () => undefined,
  ) {}

  /** The node's current state must equal the file, or be the genesis. */
  async start(): Promise<void> {
    this.savedHash = (await blockHead(this.url)).hash;
    this.schedule(SAVED_EVERY);
  }

  /** Finishes a save in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.working;
  }

  /** @throws Error if the node does not respond */
  save(): Promise<void> {
    // Serialized, because two saves would write the same file.
    const saved = this.working.then(() => this.saveUnless(undefined));
    this.working = saved.catch(() => undefined);
    return saved;
  }

  private schedule(inMs: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      const begun = performance.now();
      // The file is unchanged if the node is gone or busy. Other code detects that.
      this.working = this.working.then(() => this.saveUnless(this.savedHash)).catch(() => undefined);
      void this.working.then(() => {
        this.schedule(Math.max(MIN_PAUSE, SAVED_EVERY - (performance.now() - begun)));
      });
    }, inMs);
    this.timer.unref();
  }

  /** @param hash skips the save if this is still the newest block */
  private async saveUnless(hash: string | undefined): Promise<void> {
    const begun = performance.now();
    // Read before the dump, so that blocks mined during the dump count as unsaved.
    const head = await blockHead(this.url);
    if (head.hash === hash) return;
    const dump = await chainRpc<string>(this.url, 'anvil_dumpState');
    await replaceFile(this.file, Buffer.from(dump.slice('0x'.length), 'hex'));
    this.savedHash = head.hash;
    const took = performance.now() - begun;
    if (took < SLOW_SAVE || this.isReported) return;
    this.isReported = true;
    this.onSlow(took);
  }
}

/**
 * @returns the path of a JSON file that the node can load, to delete after loading; undefined if nothing is stored
 */
export async function unpackState(file: string): Promise<string | undefined> {
  await rm(partOf(file), { force: true });
  if (!existsSync(file)) return undefined;
  const unpacked = `${file}.unpacked.json`;
  const json = await promisify(gunzip)(await readFile(file)).catch(() => {
    throw new CannotStart(
      `The chain's state file ${file} cannot be read. Restore a copy of the file, or reset the sandbox ` +
        'to start with a new chain.',
    );
  });
  await writeFile(unpacked, withOneGenesis(json));
  return unpacked;
}

/**
 * Removes all genesis blocks but the oldest. A node that loads a chain dumps both genesis blocks, and the next node
 * could use either. Edits bytes, because a long chain exceeds the maximum string length.
 */
function withOneGenesis(json: Buffer): Buffer {
  const found: { start: number; end: number; timestamp: number }[] = [];
  for (let at = json.indexOf(GENESIS); at >= 0; at = json.indexOf(GENESIS, at + GENESIS.length)) {
    const start = json.lastIndexOf('{"header":', at);
    if (start < 0) continue;
    const end = json.indexOf('}', json.indexOf('"ommers"', at)) + 1;
    const block = JSON.parse(json.toString('utf8', start, end)) as { header: { timestamp: string } };
    found.push({ start, end, timestamp: Number(block.header.timestamp) });
  }
  const oldest = Math.min(...found.map((block) => block.timestamp));
  const kept = found.find((block) => block.timestamp === oldest);
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end } of found.filter((block) => block !== kept)) {
    // Also removes the comma after the block, or before it for the last block.
    const isLast = json[end] !== COMMA;
    parts.push(json.subarray(from, isLast ? start - 1 : start));
    from = isLast ? end : end + 1;
  }
  return Buffer.concat([...parts, json.subarray(from)]);
}

async function replaceFile(file: string, content: Buffer): Promise<void> {
  const part = partOf(file);
  const handle = await open(part, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, file);
}

function partOf(file: string): string {
  return `${file}.part`;
}
