import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { committedDocument, operationsOf } from '../support/hostile/hostile-api.js';
import { exampleOf } from '../support/hostile/hostile-examples.js';
import { valid, type Proofs } from '../support/hostile/hostile-probes.js';
import { HostileWorld } from '../support/hostile/hostile-world.js';
import { eventually } from '../support/service.js';
import { StatementCounter } from '../support/statement-counter.js';

/** What each operation sends to the database, authentication, BEGIN and COMMIT included, once caches are warm. */
const STATEMENTS: Record<string, number> = {
  'GET /.well-known/naspip-keys': 0,
  'GET /health': 1,
  'GET /public/checkout/{sessionId}': 0,
  'GET /public/checkout/{sessionId}/payment': 2,
  'POST /public/checkout/{sessionId}/select-asset': 1,
  'GET /public/payment-links/{code}/checkout': 2,
  'POST /public/payment-links/{code}/checkout': 12,
  'PUT /public/payment-links/{code}/checkout': 3,
  'GET /v1/account': 2,
  'POST /v1/account': 7,
  'GET /v1/account/{accountID}': 2,
  'PUT /v1/account/{accountID}': 8,
  'DELETE /v1/account/{accountID}': 11,
  'GET /v1/account/{accountID}/settlement-addresses': 3,
  'POST /v1/account/{accountID}/webhook': 8,
  'GET /v1/account/{accountID}/webhook/list': 3,
  'GET /v1/account/{accountID}/webhook/logs': 3,
  'PATCH /v1/account/{accountID}/webhook/{webhookID}/activate': 6,
  'PATCH /v1/account/{accountID}/webhook/{webhookID}/deactivate': 9,
  'DELETE /v1/account/{accountID}/webhook/{webhookID}/delete': 12,
  'POST /v1/account/{accountID}/webhook/{webhookID}/delivery/{deliveryID}/resend': 14,
  'POST /v1/account/{accountID}/webhook/{webhookID}/end-overlap': 3,
  'POST /v1/account/{accountID}/webhook/{webhookID}/replay': 15,
  'POST /v1/account/{accountID}/webhook/{webhookID}/rotate-secret': 3,
  'POST /v1/account/{accountID}/webhook/{webhookID}/test': 10,
  'PUT /v1/account/{accountID}/webhook/{webhookID}/url': 7,
  'GET /v1/assets': 1,
  'POST /v1/auth/token': 3,
  'GET /v1/events': 3,
  'GET /v1/explain/{transactionHash}': 5,
  'POST /v1/naspip/read': 1,
  'GET /v1/pos': 3,
  'POST /v1/pos': 8,
  'GET /v1/pos/{posID}': 2,
  'PUT /v1/pos/{posID}': 8,
  'POST /v1/pos/{posID}/payment-link': 3,
  'GET /v1/pos/{posID}/payment-link': 2,
  'PATCH /v1/pos/{posID}/payment-link/{linkID}/activate': 2,
  'PATCH /v1/pos/{posID}/payment-link/{linkID}/deactivate': 2,
  'POST /v1/pos/{posID}/payment-request': 2,
  'GET /v1/pos/{posID}/payment-request': 2,
  'POST /v1/pos/{posID}/payment-request-checkout': 2,
  'GET /v1/pos/{posID}/payment-request/{paymentRequestID}': 2,
  'GET /v1/pos/{posID}/payment-request/{paymentRequestID}/explain': 2,
  'GET /v1/transactions': 3,
  'GET /v1/transactions.csv': 3,
};

const operations = operationsOf(committedDocument());
/** As in `statements.e2e.ts`: not part of any request. */
const isBackground = (text: string) => /last_used_at|pg_current_snapshot/.test(text);

/** A delivery that is being attempted is not queued again. */
async function dueDeliveries(): Promise<number> {
  const [row] = await world.service.query<{ due: number }>(
    'SELECT count(*)::integer AS due FROM platform.due_work WHERE claim IS NOT NULL OR due_at <= platform.now()',
  );
  return row!.due;
}

let world: HostileWorld;
let counter: StatementCounter;
let proofs: Proofs;

beforeAll(async () => {
  world = await HostileWorld.start({
    async apiDatabase(url) {
      counter = await StatementCounter.open(url);
      return counter.url;
    },
  });
  proofs = await world.proofs(world.home.credential);
});

afterAll(async () => {
  await world?.stop();
  counter?.end();
});

describe('The statements of an operation', () => {
  it('are counted for every operation, and for nothing else', () => {
    expect(Object.keys(STATEMENTS).sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    'are as many as they were: %s',
    async (name, operation) => {
      const send = async () => {
        const answer = await world.http.send(valid(operation, exampleOf(operation, world), proofs));
        expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      };
      // The first fills caches; another may meet work of the background.
      const counts: number[] = [];
      for (let n = 0; n < 4; n += 1) {
        await eventually(dueDeliveries, (due) => due === 0);
        const texts = await counter.during(send);
        counts.push(texts.filter((text) => !isBackground(text)).length);
      }
      const usual = counts.slice(1).sort((a, b) => a - b)[1]!;

      process.stdout.write(`${name}: ${usual} SQL statements\n`);
      expect(usual).toBe(STATEMENTS[name]);
    },
  );
});
