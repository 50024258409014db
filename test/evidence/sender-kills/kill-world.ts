import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { ServerProcess } from '#sandbox/processes/child-process.js';
import { RpcProxy } from '../../support/rpc/rpc-proxy.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/service.js';

const RICH = '0x56bc75e2d63100000';
/** More than the sandbox's confirmations. */
const UNTIL_FINAL = 6;

export interface MinedTransaction {
  readonly hash: Hex;
  readonly nonce: number;
  readonly to: Hex;
  readonly input: Hex;
}

/** The built service with a gas key, whose workers reach the chain by a proxy that can keep them waiting. */
export class KillWorld {
  private kills = 0;

  private constructor(
    readonly service: TestService,
    readonly proxy: RpcProxy,
    readonly key: { readonly privateKey: Hex; readonly address: Hex },
    private worker: ServerProcess,
  ) {}

  /** @param settlement how what arrives is settled: as soon as it is final, unless changed */
  static async open(settlement: object = {}): Promise<KillWorld> {
    const privateKey = `0x${randomBytes(32).toString('hex')}` as const;
    let proxy: RpcProxy | undefined;
    const service = await startTestService({
      settings: { GAS_KEY: privateKey, REFUND_KEY: randomBytes(32).toString('hex') },
      // Without native coin there is no price of gas, so that age alone makes money due: at once.
      network: (assets) => ({
        settlement: { every_seconds: 1, after_hours: 0, ...settlement },
        assets: assets.filter(({ symbol }) => symbol !== 'ETH'),
      }),
      async rpcUrls(nodeUrl) {
        proxy = await RpcProxy.before(nodeUrl);
        return [proxy.url];
      },
    });
    const address = privateKeyToAddress(privateKey);
    await service.chain.rpc('anvil_setBalance', [address, RICH]);
    return new KillWorld(service, proxy!, { privateKey, address }, service.processes.worker);
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.proxy.close();
  }

  get killed(): number {
    return this.kills;
  }

  /** The worker dies by SIGKILL where it stands; another one, that has never heard of it, takes its place. */
  async killWorker(): Promise<void> {
    const { pid } = this.worker;
    process.kill(pid, 'SIGKILL');
    this.kills += 1;
    // A lease lapses by itself in seconds, which has tests of its own.
    await this.service.query(`UPDATE platform.leases SET expires_at = clock_timestamp()`);
  }

  async startWorker(): Promise<void> {
    this.worker = await this.service.anotherWorker();
  }

  /** The state of a sending; null before there is one. */
  async state(id: string): Promise<string | null> {
    const [row] = await this.service.query<{ state: string }>(
      'SELECT state FROM networks.sendings WHERE id = $1',
      [id],
    );
    return row?.state ?? null;
  }

  async hasReserved(): Promise<boolean> {
    return (await this.service.query(`SELECT FROM networks.sendings WHERE state = 'reserved'`)).length > 0;
  }

  /** @param hash of a transaction */
  async isAttempt(hash: string): Promise<boolean> {
    return (
      (await this.service.query('SELECT FROM networks.sending_attempts WHERE hash = $1', [hash])).length > 0
    );
  }

  /** Mines until the sending has its end. @returns its state */
  async carriedToItsEnd(find: () => Promise<string | null>): Promise<string> {
    const isAtEnd = (state: string | null) => ['final', 'reverted', 'foreign'].includes(state ?? '');
    const state = await eventually(async () => {
      await this.service.chain.mineWhileWaiting(UNTIL_FINAL);
      const id = await find();
      return id === null ? null : this.state(id);
    }, isAtEnd);
    return state!;
  }

  async holdBlocks(hold: boolean): Promise<void> {
    await this.service.chain.rpc('evm_setAutomine', [!hold]);
  }

  /** Writes about sendings wait until `release`. */
  lockAttempts(): Promise<{ release(): Promise<void> }> {
    return this.lock('networks.sending_attempts');
  }

  /** Writes to that table wait until `release`. */
  async lock(table: string): Promise<{ release(): Promise<void> }> {
    const client = new pg.Client({ connectionString: this.service.databaseUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${table} IN SHARE MODE`);
    return {
      async release() {
        await client.query('ROLLBACK');
        await client.end();
      },
    };
  }

  isStoringAnAttempt(): Promise<boolean> {
    return this.isWaiting('INSERT INTO networks.sending_attempts');
  }

  async waitsForLock(statement: string): Promise<void> {
    await eventually(
      () => this.isWaiting(statement),
      (isWaiting) => isWaiting,
    );
  }

  private async isWaiting(statement: string): Promise<boolean> {
    const [row] = await this.service.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query LIKE '%' || $1 || '%' AND query NOT LIKE '%pg_stat_activity%'`,
      [statement],
    );
    return row !== undefined;
  }

  /** The transactions of the account, in blocks, in the order of their nonces. */
  async transactions(sender: string): Promise<MinedTransaction[]> {
    type Block = { transactions: { from: Hex; hash: Hex; nonce: Hex; to: Hex; input: Hex }[] };
    const { rpc } = this.service.chain;
    const head = Number(await rpc('eth_blockNumber'));
    const found: MinedTransaction[] = [];
    for (let number = 0; number <= head; number += 1) {
      const { transactions } = await rpc<Block>('eth_getBlockByNumber', [`0x${number.toString(16)}`, true]);
      for (const { from, hash, nonce, to, input } of transactions)
        if (from.toLowerCase() === sender.toLowerCase())
          found.push({ hash, nonce: Number(nonce), to, input });
    }
    return found.sort((one, other) => one.nonce - other.nonce);
  }
}
