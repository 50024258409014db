import { openTestDatabase } from '#test/support/open-database.js';
import { MADE_UP_TERMS } from '#test/support/partial-worlds.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { PostgresWatchedChains } from '#contexts/chain-watching/infrastructure/persistence/postgres-watched-chains.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { PaymentRequest } from '../../domain/requests/payment-request.js';
import type { IncomingTransfer } from '#contexts/chain-watching/contract/incoming-transfer.js';
import { markTransfersOrphaned } from '../../infrastructure/evaluation/mark-transfers-orphaned.js';
import { PostgresRecordedTransfers } from '../../infrastructure/evaluation/postgres-recorded-transfers.js';
import { PostgresPaymentRequests } from '../../infrastructure/requests/persistence/postgres-payment-requests.js';
import { KnownPointsOfSale, NETWORK } from './collecting-world.js';
import {
  CREATED,
  readTo,
  selectionOf,
  someFacts,
  timeOf,
  transfer,
  WINDOW_SECONDS,
} from './payment-request-builder.js';

const hash = (digits: number | string) => `0x${digits.toString().padStart(64, '0')}`;
let serial = 0;

const NOT_POSTED = ['confirmed', 'deposits', 'reversals'].map((what) => `ledger-${what}-posted-once`);

/** `amount` in the block of that height, in a transaction of its own, as a database takes it. */
export function mined(
  amount: bigint,
  block: number,
  fields: Partial<IncomingTransfer> = {},
): IncomingTransfer {
  serial += 1;
  const from = `0x${'f'.repeat(40)}`;
  return {
    ...transfer(amount, block),
    transactionHash: hash(serial),
    blockHash: hash(block),
    from,
    ...fields,
  };
}

export type StoredRequest = Awaited<ReturnType<typeof storeRequest>>;

/** A request for 100 units on a real database of its own, and a network whose reading the test decides. */
export async function storeRequest() {
  const platform = await openTestDatabase();
  const { database } = platform;
  platform.makesUp(MADE_UP_TERMS);
  const requests = new PostgresPaymentRequests(database, platform.eventLog, new DeploymentCell());
  const { id, organizationId, accountId } = await new KnownPointsOfSale(database).open();
  await database.query(
    `WITH block AS (INSERT INTO payments.blocks (network, number, hash, parent_hash, time) VALUES ($1, 0, $2, $2, $3))
     INSERT INTO payments.chain_cursors (network, head_number, head_hash, head_time) VALUES ($1, 0, $2, $3)`,
    [NETWORK, hash(0), CREATED],
  );
  const facts = { ...someFacts(), pointOfSaleId: id, organizationId, accountId };
  const born = PaymentRequest.open(facts, selectionOf(100n), WINDOW_SECONDS);
  await requests.add({ request: born, token: 'naspip;none' }, '1.0');

  const change = <T>(act: (request: PaymentRequest) => T): Promise<T> =>
    database.run(async () => {
      const [request] = await requests.lock([born.id]);
      const result = act(request!);
      await requests.save([request!]);
      return result;
    });
  const moveCursor = (head: number) =>
    database.queryInTransaction(
      `WITH block AS (INSERT INTO payments.blocks (network, number, hash, parent_hash, time)
         SELECT $1, n, '0x' || lpad(n::text, 64, '0'), '0x' || lpad((n - 1)::text, 64, '0'), $4::timestamptz + n * ($5::timestamptz - $4)
         FROM generate_series((SELECT max(number) + 1 FROM payments.blocks), $3::bigint) AS n)
       UPDATE payments.chain_cursors SET head_number = $3, head_hash = '0x' || lpad($3::text, 64, '0'), head_time = $2,
         final_number = $3, final_time = $2, safe_number = $3, finalized_number = $3 WHERE network = $1`,
      [NETWORK, timeOf(head), head, timeOf(0), timeOf(1)],
    );

  return {
    platform,
    requests,
    id: born.id as PaymentRequestId,
    change,
    moveCursor,

    close: (brokenOnPurpose: readonly string[] = []) => platform.close([...NOT_POSTED, ...brokenOnPurpose]),

    load: async () => (await database.run(() => requests.lock([born.id])))[0]!,

    readUpTo: (block: number, ...arrived: readonly IncomingTransfer[]) =>
      database.run(async () => {
        await moveCursor(block);
        await database.queryInTransaction(
          `UPDATE payments.transfers SET final = true WHERE canonical AND NOT awaits_cross_check AND block_number <= $1`,
          [block],
        );
        await change((request) => {
          request.recordTransfers(arrived, timeOf(block));
          request.evaluate(readTo(block), timeOf(block));
        });
      }),

    takeBack: (ancestor: number) =>
      database.run(async () => {
        await database.queryInTransaction('DELETE FROM payments.blocks WHERE number > $1', [ancestor]);
        await moveCursor(ancestor);
        const lost = await markTransfersOrphaned(database, 'block_number > $1', [ancestor]);
        return change((request) => request.removeLostTransfers(lost.get(born.id) ?? [], timeOf(300)));
      }),

    agreeOn: ({ id }: IncomingTransfer) =>
      database.run(async () => {
        const transfers = new PostgresRecordedTransfers(database);
        await transfers.confirmCrossChecked([id]);
        const cursors = await new PostgresWatchedChains(database, new Leases(database)).progress([NETWORK]);
        await transfers.finalize(NETWORK, cursors.get(NETWORK)!.final!, 500);
      }),

    rows: (columns: string, condition = 'true') =>
      database.query<Record<string, unknown>>(
        `SELECT ${columns} FROM payments.transfers WHERE ${condition} ORDER BY block_number, index`,
      ),

    events: (type: string) =>
      database.query<{ data: Record<string, unknown> }>(
        `SELECT data FROM platform.events WHERE type = $1 ORDER BY position`,
        [`payment_request.${type}`],
      ),
  };
}
