import pg from 'pg';
import { DOLLAR, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { SentMovement } from '#contexts/chain-watching/testing/model-block.js';
import type {
  PaymentRequestProgressView,
  PaymentRequestView,
} from '#contexts/payments/application/requests/payment-request-view.js';

const IN_BLOCK = 100;
const DAY_MS = 86_400_000;
const CONNECTIONS = 10;

const COPIES = `
INSERT INTO payments.transfers
SELECT copy.* FROM payments.transfers t
CROSS JOIN generate_series(2, $2::integer) AS i
JOIN payments.blocks b ON b.network = t.network AND b.number = t.block_number + i / $3::integer
CROSS JOIN LATERAL jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'index', i,
  'block_number', b.number, 'block_hash', b.hash, 'block_time', b.time, 'deposited_at', NULL)) AS copy
WHERE t.payment_request_id = $1 AND t.block_number = $4`;

export interface Turn {
  readonly name: string;
  readonly ms: number;
  readonly statements: number;
  /** Read by scans of tables and indexes, and written. */
  readonly rows: number;
}

/** A request that a stranger has sent one unit to, again and again, and the watcher of its network. */
export class FloodedRequest {
  readonly turns: Turn[] = [];
  private readonly watcher;

  private constructor(
    private readonly payments: Payments,
    private readonly request: PaymentRequestView,
    /** Beside what its turns are measured. */
    readonly title: string,
  ) {
    this.watcher = payments.watcher();
  }

  /** @param paid it has ended before the first unit comes @param count of final transfers that the watcher has recorded */
  static async open(count: number, paid = false): Promise<FloodedRequest> {
    const payments = await openPayments();
    // No ledger reads here what was confirmed and deposited.
    payments.platform.makesUp(['ledger-confirmed-posted-once', 'ledger-deposits-posted-once']);
    payments.chain.blockSeconds = 0.1;
    await payments.follow();
    const flooded = new FloodedRequest(
      payments,
      await payments.request(),
      `${count}${paid ? ' after the end' : ''}`,
    );
    if (paid) {
      await flooded.arrive(10_000_000n);
      await flooded.mine();
      await flooded.mine();
    }
    if (count > 0) await flooded.prefill(count, paid);
    return flooded;
  }

  /** A block with that many transfers of one unit, and the turn that reads it. */
  dust(name: string, count = 1): Promise<Turn> {
    return this.mine(name, ...Array.from({ length: count }, () => this.sent(1n)));
  }

  arrive(amount: bigint, name = 'a payment arrives'): Promise<Turn> {
    return this.mine(name, this.sent(amount));
  }

  async mine(name = 'nothing new', ...sent: readonly SentMovement[]): Promise<Turn> {
    this.payments.chain.mine(...sent);
    return this.turn(name);
  }

  /** Turns without a new block, as long as there is something to do at once. @returns how many */
  async catchUp(seen: (turns: number) => Promise<void> = async () => undefined): Promise<number> {
    for (let turns = 1; ; turns += 1) {
      const more = await this.watcher.follow(NETWORK, this.payments.epoch);
      await seen(turns);
      if (!more) return turns;
    }
  }

  /** The day after: small deposits may be gathered until then. */
  async passDay(): Promise<void> {
    this.payments.chain.mineAt(new Date(this.payments.chain.tip.time.getTime() + DAY_MS));
    this.payments.chain.mineEmpty(3);
    await this.catchUp();
  }

  /** Blocks without anything, and their turns, until no more deposits are booked. */
  async bookAll(): Promise<void> {
    for (let before = -1, booked = 0; booked > before;) {
      this.payments.chain.mine();
      await this.catchUp();
      [before, booked] = [booked, (await this.recorded()).deposited];
    }
    await this.vacuum();
  }

  async received(): Promise<Pick<PaymentRequestProgressView, 'status' | 'receivedAmount'>> {
    const { status, receivedAmount } = await this.payments.read(this.request);
    return { status, receivedAmount };
  }

  async recorded(): Promise<Record<'stored' | 'final' | 'deposited' | 'head', number>> {
    const [row] = await this.payments.platform.database.query<
      Record<'stored' | 'final' | 'deposited' | 'head', number>
    >(
      `SELECT count(*)::integer AS stored, (count(*) FILTER (WHERE final))::integer AS final,
         (count(*) FILTER (WHERE deposited_at IS NOT NULL))::integer AS deposited,
         (SELECT head_number::integer FROM payments.chain_cursors) AS head
       FROM payments.transfers WHERE payment_request_id = $1`,
      [this.request.id],
    );
    return row!;
  }

  close(): Promise<void> {
    return this.payments.close();
  }

  private sent(amount: bigint) {
    return { to: this.request.address, amount, token: DOLLAR.token };
  }

  /** PostgreSQL does this by itself when it finds the time. */
  private vacuum(): Promise<void> {
    return this.slowly(async (client) => void (await client.query(`VACUUM (ANALYZE) payments.transfers`)));
  }

  /** The work takes longer than a statement of the service may. */
  private async slowly(work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: this.payments.platform.url });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }

  private async turn(name: string): Promise<Turn> {
    const before = await this.rows();
    const began = performance.now();
    const sent = await this.payments.database.sentBy(() => this.watcher.follow(NETWORK, this.payments.epoch));
    const ms = performance.now() - began;
    const turn = { name, ms, statements: sent.length, rows: (await this.rows()) - before };
    this.turns.push(turn);
    return turn;
  }

  private async rows(): Promise<number> {
    const { dataSource } = this.payments.platform;
    // Each connection keeps what it has counted to itself for a while.
    const flush = `SELECT pg_stat_force_next_flush(), pg_sleep(0.02)`;
    await Promise.all(Array.from({ length: CONNECTIONS }, () => dataSource.query(flush)));
    const [row] = await dataSource.query<{ rows: string }[]>(
      `SELECT (SELECT sum(seq_tup_read + n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables
               WHERE schemaname IN ('payments', 'platform'))
         + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname IN ('payments', 'platform')) AS rows`,
    );
    return Number(row!.rows);
  }

  /** The first comes as any other does; the rest are copies of it in the blocks after it, as if they had come too. */
  private async prefill(count: number, paid: boolean): Promise<void> {
    const { payments, request } = this;
    await this.dust('the first arrives');
    const first = payments.chain.tip.number;
    payments.chain.mineEmpty(Math.ceil(count / IN_BLOCK) + 3);
    await this.catchUp();
    await this.slowly(async (client) => {
      await client.query(COPIES, [request.id, count, IN_BLOCK, first]);
      if (paid) return;
      const received = `UPDATE payments.payment_requests SET received_amount = $2 WHERE id = $1`;
      await client.query(received, [request.id, count]);
      await client.query(`SELECT payments.add_up_transfers(ARRAY[$1]::uuid[])`, [request.id]);
    });
    await this.vacuum();
    this.turns.length = 0;
  }
}
