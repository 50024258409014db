import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { committedDocument, operationsOf } from '../support/hostile/hostile-api.js';
import { answerOf, exampleOf } from '../support/hostile/hostile-examples.js';
import { valid, type Proofs } from '../support/hostile/hostile-probes.js';
import { HostileWorld } from '../support/hostile/hostile-world.js';
import { median } from '../evidence/measures.js';
import { eventually } from '../support/eventually.js';
import { isBackground, StatementCounter } from '../support/statement-counter.js';
import { WrittenRows } from './written-rows.js';

/**
 * Each operation costs the database this once caches are warm: statements, with authentication, BEGIN and COMMIT, and rows that
 * are inserted, updated or deleted.
 */
const COSTS: Record<string, readonly [statements: number, rows: number]> = {
  'GET /.well-known/naspip-keys': [0, 0],
  'GET /health': [1, 0],
  'GET /public/checkout/{sessionId}': [0, 0],
  'GET /public/checkout/{sessionId}/payment': [2, 0],
  'POST /public/checkout/{sessionId}/authorization': [3, 0],
  'GET /public/checkout/{sessionId}/x402': [2, 0],
  'POST /public/checkout/{sessionId}/select-asset': [1, 0],
  'GET /public/payment-links/{code}/checkout': [2, 0],
  'POST /public/payment-links/{code}/checkout': [14, 6],
  'PUT /public/payment-links/{code}/checkout': [3, 0],
  'POST /public/till/pairing': [12, 4],
  'POST /public/till/pairing/subject': [2, 2],
  'GET /public/pos/{code}': [3, 0],
  'POST /public/pos/{code}': [15, 7],
  'GET /v1/account': [2, 0],
  'POST /v1/account': [7, 2],
  'GET /v1/account/{accountID}': [2, 0],
  'PUT /v1/account/{accountID}': [8, 2],
  'DELETE /v1/account/{accountID}': [11, 2],
  'GET /v1/account/{accountID}/settlement-addresses': [3, 0],
  'POST /v1/account/{accountID}/webhook': [8, 2],
  'GET /v1/account/{accountID}/webhook/list': [3, 0],
  'GET /v1/account/{accountID}/webhook/logs': [3, 0],
  'PATCH /v1/account/{accountID}/webhook/{webhookID}/activate': [6, 0],
  'PATCH /v1/account/{accountID}/webhook/{webhookID}/deactivate': [11, 0],
  'DELETE /v1/account/{accountID}/webhook/{webhookID}/delete': [13, 3],
  'POST /v1/account/{accountID}/webhook/{webhookID}/delivery/{deliveryID}/resend': [14, 2],
  'POST /v1/account/{accountID}/webhook/{webhookID}/end-overlap': [6, 1],
  'POST /v1/account/{accountID}/webhook/{webhookID}/replay': [15, 0],
  'POST /v1/account/{accountID}/webhook/{webhookID}/rotate-secret': [7, 2],
  'POST /v1/account/{accountID}/webhook/{webhookID}/test': [10, 4],
  'PUT /v1/account/{accountID}/webhook/{webhookID}/url': [8, 2],
  'GET /v1/assets': [1, 0],
  'POST /v1/auth/token': [2, 1],
  'GET /v1/events': [3, 0],
  'GET /v1/explain/{transactionHash}': [5, 0],
  'POST /v1/naspip/read': [1, 0],
  'GET /v1/journal.csv': [4, 0],
  'GET /v1/organization': [2, 0],
  'GET /v1/pos': [3, 0],
  'POST /v1/pos': [8, 2],
  'GET /v1/pos/{posID}': [2, 0],
  'PUT /v1/pos/{posID}': [8, 2],
  'DELETE /v1/pos/{posID}': [9, 2],
  'POST /v1/pos/{posID}/payment-link': [3, 1],
  'GET /v1/pos/{posID}/payment-link': [2, 0],
  'PATCH /v1/pos/{posID}/payment-link/{linkID}/activate': [2, 1],
  'PATCH /v1/pos/{posID}/payment-link/{linkID}/deactivate': [2, 1],
  // With `payer_email`, in a unit of work: without it 2 statements write 4 rows.
  'POST /v1/pos/{posID}/payment-request': [5, 5],
  'GET /v1/pos/{posID}/payment-request': [2, 0],
  'POST /v1/pos/{posID}/payment-request-checkout': [5, 5],
  'GET /v1/pos/{posID}/payment-request/{paymentRequestID}': [2, 0],
  'POST /v1/pos/{posID}/payment-request/{paymentRequestID}/expire': [10, 1],
  'GET /v1/pos/{posID}/payment-request/{paymentRequestID}/explain': [2, 0],
  'POST /v1/pos/{posID}/subscription': [11, 3],
  'GET /v1/pos/{posID}/subscription': [2, 0],
  'GET /v1/pos/{posID}/subscription/{subscriptionID}': [2, 0],
  'POST /v1/pos/{posID}/subscription/{subscriptionID}/revoke': [7, 0],
  'POST /v1/refunds/payment-request/{paymentRequestID}': [13, 5],
  'GET /v1/refunds': [2, 0],
  'GET /v1/refunds/{refundID}': [2, 0],
  'POST /v1/refunds/{refundID}/claim': [6, 1],
  'POST /v1/refunds/{refundID}/approve': [23, 7],
  'POST /v1/refunds/{refundID}/cancel': [12, 3],
  'GET /v1/statements': [4, 0],
  'GET /v1/transactions': [3, 0],
  'GET /v1/transactions.csv': [3, 0],
  'GET /v1/transactions/settlement/{accountID}': [3, 0],
  'POST /v1/wallets/v1/subscriptions/{id}/accept': [9, 0],
  'POST /v1/wallets/v1/subscriptions/{id}/revoke': [8, 0],
  'GET /v1/wallets/v1/subscriptions/{id}/charges': [10, 0],
};

const operations = operationsOf(committedDocument());
/** When a credential was last used is noted for many requests at once. */
const IN_BACKGROUND = 'identity.credentials';

/** A delivery that is being attempted is not queued again. */
async function dueDeliveries(): Promise<number> {
  const [row] = await world.service.query<{ due: number }>(
    'SELECT count(*)::integer AS due FROM platform.due_work WHERE claim IS NOT NULL OR due_at <= platform.now()',
  );
  return row!.due;
}

let world: HostileWorld;
let counter: StatementCounter;
let written: WrittenRows;
let proofs: Proofs;

beforeAll(async () => {
  world = await HostileWorld.start({
    async apiDatabase(url) {
      counter = await StatementCounter.open(url);
      return counter.url;
    },
  });
  proofs = await world.proofs(world.home.credential);
  written = await WrittenRows.count(world.service.query);
});

afterAll(async () => {
  await world?.stop();
  counter?.end();
});

describe('The database cost of an operation', () => {
  it('is listed for every operation', () => {
    expect(Object.keys(COSTS).sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    'is unchanged: %s',
    async (name, operation) => {
      const send = async () => {
        const answer = await world.http.send(valid(operation, exampleOf(operation, world), proofs));
        expect([answer.status, answer.text]).toEqual([answerOf(operation), expect.any(String)]);
      };
      // The first fills caches; another may meet work of the background.
      const counts: number[] = [];
      const rows: number[] = [];
      for (let n = 0; n < 4; n += 1) {
        await eventually(dueDeliveries, (due) => due === 0);
        await written.taken();
        const texts = await counter.during(send);
        counts.push(texts.filter((text) => !isBackground(text)).length);
        const { [IN_BACKGROUND]: _, ...byTable } = await written.taken();
        rows.push(Object.values(byTable).reduce((sum, amount) => sum + amount, 0));
      }
      const usual = [median(counts.slice(1)), median(rows.slice(1))];

      expect(usual).toEqual(COSTS[name]);
    },
  );
});
