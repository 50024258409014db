import { randomBytes } from 'node:crypto';
import { type Hex, createWalletClient, http } from 'viem';
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { type TestChain, startTestChain } from '#test/support/chain.js';
import { type TestPlatform, openTestDatabase } from '#test/support/open-database.js';
import { MADE_UP_SENDINGS } from '#test/support/partial-worlds.js';
import {
  AcceptedTransferAuthorizations,
  type SignedTransferAuthorization,
} from '../contract/authorized-transfers.js';
import type { TransferOrder } from '../contract/transfer-orders.js';
import { sendingProcess } from './outbound-process.js';

export const GWEI = 1_000_000_000n;
/**
 * Seconds of three blocks at the default `block_seconds`. The fee of an attempt is raised after this time, not before.
 */
export const SECONDS_UNTIL_BUMP = 36;
export const RICH_BALANCE_WEI = '0x56bc75e2d63100000';

class HeldAuthorizations extends AcceptedTransferAuthorizations {
  constructor(private readonly held: ReadonlyMap<string, SignedTransferAuthorization>) {
    super();
  }

  find = async (id: string) => this.held.get(id) ?? null;
}

/** A test chain, a database, and any number of processes that each send from their own key. */
export class SendingWorld {
  readonly ordered = new Map<string, TransferOrder>();
  readonly authorizations = new Map<string, SignedTransferAuthorization>();

  private constructor(
    readonly platform: TestPlatform,
    readonly chain: TestChain,
  ) {}

  static async open(): Promise<SendingWorld> {
    const [platform, chain] = await Promise.all([openTestDatabase(), startTestChain()]);
    platform.makesUp(MADE_UP_SENDINGS);
    return new SendingWorld(platform, chain);
  }

  async close(brokenOnPurpose: readonly string[] = []): Promise<void> {
    await this.chain.stop();
    await this.platform.close(brokenOnPurpose);
  }

  async key(balance = RICH_BALANCE_WEI): Promise<{ privateKey: Hex; address: Hex }> {
    const privateKey = `0x${randomBytes(32).toString('hex')}` as const;
    const address = privateKeyToAddress(privateKey);
    await this.chain.rpc('anvil_setBalance', [address, balance]);
    return { privateKey, address };
  }

  process(privateKey: Hex, changes: object = {}, urls: readonly string[] = [this.chain.url]) {
    const ordered = { find: async (id: string) => this.ordered.get(id) ?? null };
    const authorizations = new HeldAuthorizations(this.authorizations);
    return sendingProcess(this.platform, privateKey, urls, changes, undefined, ordered, authorizations);
  }

  /**
   * Turns automatic mining off, so that blocks are mined only by `mine`, until the world is closed or `hold` is false.
   */
  async holdBlocks(hold = true): Promise<void> {
    await this.chain.rpc('evm_setAutomine', [!hold]);
  }

  /** Mines blocks, the first with this base fee. Blocks contain no transaction that offers less than the base fee. */
  async mineAt(baseFee: bigint, blocks = 1): Promise<void> {
    await this.chain.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${baseFee.toString(16)}`]);
    await this.chain.mine(blocks);
  }

  /**
   * Sends a transaction that the service does not know.
   * @param to null creates a contract
   */
  outside(privateKey: Hex, nonce: number, to: Hex | null = `0x${'88'.repeat(20)}`): Promise<Hex> {
    const account = privateKeyToAccount(privateKey);
    const client = createWalletClient({ account, transport: http(this.chain.url) });
    return client.sendTransaction({
      chain: null,
      nonce,
      gas: to === null ? 100_000n : 21_000n,
      to,
      maxFeePerGas: 50n * GWEI,
      maxPriorityFeePerGas: 40n * GWEI,
    });
  }

  async count(address: Hex): Promise<number> {
    return Number(await this.chain.rpc('eth_getTransactionCount', [address, 'latest']));
  }

  async pooled(): Promise<number> {
    return Number((await this.chain.rpc<{ pending: Hex }>('txpool_status')).pending);
  }

  /**
   * Deletes from the database the rows that a restore to an earlier time would lose.
   * @param attempt number of the first lost attempt; if it is 1, the outbound transaction is lost too, unless `state`
   * is `reserved`
   */
  async forget(id: string, attempt = 1, state: 'broadcast' | 'reserved' = 'broadcast'): Promise<void> {
    const { database } = this.platform;
    await database.run(async () => {
      await database.queryInTransaction(`SET LOCAL session_replication_role = 'replica'`);
      await database.queryInTransaction(
        'DELETE FROM networks.sending_attempts WHERE sending_id = $1 AND number >= $2',
        [...[id, attempt]],
      );
      if (attempt === 1 && state !== 'reserved')
        await database.queryInTransaction('DELETE FROM networks.sendings WHERE id = $1', [id]);
      else
        await database.queryInTransaction(
          `UPDATE networks.sendings SET state = $3, attempts = $2, mined_hash = NULL, mined_block = NULL,
             mined_succeeded = NULL, gas_cost = NULL WHERE id = $1`,
          [id, attempt - 1, state],
        );
    });
  }

  async transactionsOf(address: Hex): Promise<Hex[]> {
    type Block = { transactions: { from: Hex; hash: Hex; nonce: Hex }[] };
    const head = Number(await this.chain.rpc('eth_blockNumber'));
    const numbers = Array.from({ length: head + 1 }, (_, number) => `0x${number.toString(16)}`);
    const blocks = await Promise.all(
      numbers.map((number) => this.chain.rpc<Block>('eth_getBlockByNumber', [number, true])),
    );
    return blocks
      .flatMap(({ transactions }) => transactions)
      .filter(({ from }) => from.toLowerCase() === address.toLowerCase())
      .sort((one, other) => Number(one.nonce) - Number(other.nonce))
      .map(({ hash }) => hash);
  }

  attempts(id: string) {
    return this.platform.database.query<{ hash: string; raw: string; maxFee: bigint; priorityFee: bigint }>(
      `SELECT hash, encode(raw, 'hex') AS raw, max_fee, priority_fee FROM networks.sending_attempts
       WHERE sending_id = $1 ORDER BY number`,
      [id],
    );
  }
}
