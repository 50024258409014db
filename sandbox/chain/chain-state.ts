import { existsSync } from 'node:fs';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { blockHead, chainRpc } from './chain-rpc.js';
import { CannotStart } from '../processes/child-process.js';

/** Milliseconds between the starts of two saves. */
const SAVED_EVERY = 2_000;
/** Milliseconds between two saves that each take longer than that. */
const MIN_PAUSE = 500;
/** A save that takes this long, in milliseconds, is reported: a crash then loses nearly 5 seconds of blocks. */
const SLOW_SAVE = 2_000;

const GENESIS = '"number":"0x0"';
const COMMA = ','.charCodeAt(0);

/**
 * Keeps a copy of the node's whole chain (blocks, receipts, logs, newest balances) in one file,
 * as the node dumps it: gzip of JSON. The node's own `--state` writes in place, so that a kill in
 * the middle destroys it; this writes a new file and renames it, every 2 seconds. A crash so loses at most
 * the blocks of 2 seconds and of the time that one save takes, which grows with the chain: about 15 ms
 * for each 1,000 blocks.
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
    /** Called once, with the milliseconds that a save took, when the chain has grown too long to be kept safely. */
    private readonly onSlow: (tookMs: number) => void = () => undefined,
  ) {}

  /** The state is the file's (or the genesis) at this moment. */
  async start(): Promise<void> {
    this.savedHash = (await blockHead(this.url)).hash;
    this.schedule(SAVED_EVERY);
  }

  /** Ends the saves; one in progress is finished. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.working;
  }

  /** Keeps the chain as it is now. @throws Error when the node does not answer */
  save(): Promise<void> {
    // One after the other: two would write the same file.
    const saved = this.working.then(() => this.saveUnless(undefined));
    this.working = saved.catch(() => undefined);
    return saved;
  }

  private schedule(inMs: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      const begun = performance.now();
      // The caller notices a node that is gone or busy; the file stays as it was.
      this.working = this.working.then(() => this.saveUnless(this.savedHash)).catch(() => undefined);
      void this.working.then(() => {
        this.schedule(Math.max(MIN_PAUSE, SAVED_EVERY - (performance.now() - begun)));
      });
    }, inMs);
    this.timer.unref();
  }

  /** @param hash of the newest block for which nothing is to be saved */
  private async saveUnless(hash: string | undefined): Promise<void> {
    const begun = performance.now();
    // Asked before the dump: blocks mined meanwhile count as unsaved.
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
 * Writes the kept state where the node can load it.
 * @returns the JSON file's path, to be deleted after loading; undefined when nothing was kept
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
 * A node that loads a chain keeps the genesis block it made itself at its start and dumps both, and the
 * next node would take either for the first block. The true one is the oldest. Cut out of the text, since
 * a long chain is longer than the longest string.
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
    // With the comma after it, or, in the last place, the one before.
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
