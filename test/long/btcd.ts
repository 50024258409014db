import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { buildBtcd } from '#sandbox/bitcoin/build-btcd.js';
import { startBtcd, type Btcd, type BtcdOptions } from '#sandbox/bitcoin/btcd.js';
import { KeptBlocks } from '#sandbox/bitcoin/kept-blocks.js';
import { SandboxBitcoin } from '#sandbox/bitcoin/sandbox-bitcoin.js';
import { sandboxPayer } from '#sandbox/chain/sandbox-chain.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { fastFolder } from '#test/support/fast-folder.js';

/** The program, or the sentence of why there is none. */
const btcd = await buildBtcd(process.env as Record<string, string>).then(
  (program) => ({ program }),
  (error: Error) => ({ reason: error.message }),
);

/** Tests on btcd, where it can be built; elsewhere they are skipped, aloud. */
export const describeOnBtcd: typeof describe | typeof describe.skip =
  'program' in btcd ? describe : describe.skip;
if ('reason' in btcd) process.stderr.write(`Tests on btcd are SKIPPED. ${btcd.reason}\n`);

/** A node with the sandbox's coins and blocks at will, which is forgotten at its end. */
export class TestBtcd {
  private constructor(
    private node: Btcd,
    readonly bitcoin: SandboxBitcoin,
    private readonly options: BtcdOptions,
  ) {}

  static async start(): Promise<TestBtcd> {
    if (!('program' in btcd)) throw new Error(btcd.reason);
    const folder = mkdtempSync(join(fastFolder(), 'btcd-'));
    const kept = new KeptBlocks(join(folder, 'blocks'));
    const options = { program: btcd.program, port: await freePort(), folder, kept };
    const node = await startBtcd(options);
    const bitcoin = new SandboxBitcoin(node.url, sandboxPayer.private_key, 10, kept);
    await bitcoin.prepare(new Date());
    return new TestBtcd(node, bitcoin, options);
  }

  get url(): string {
    return this.node.url;
  }

  /** The chain stays; what was in no block is gone, as an eviction does it. */
  async restart(): Promise<void> {
    await this.node.stop();
    this.node = await startBtcd(this.options);
  }

  async end(): Promise<void> {
    await this.node.kill();
    rmSync(this.options.folder, { recursive: true, force: true });
  }
}
