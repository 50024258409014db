import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import type { PaymentRequestView } from '../../requests/payment-request-view.js';
import { presentExplanation } from '#contexts/payments/infrastructure/explanation/http/explanation.dto.js';
import { PostgresExplanationQueries } from '#contexts/payments/infrastructure/explanation/persistence/postgres-explanation-queries.js';
import { presentProgress } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { ListedPaymentRequests } from '#contexts/payments/infrastructure/requests/persistence/views/listed-payment-requests.js';
import {
  openOutputPayments,
  type OutputPayments,
} from '#contexts/payments/testing/watching/output-payments.js';
import { ExplainPaymentRequest } from '../../explanation/explain-payment-request.js';

const REQUESTS = 12;

let payments: OutputPayments;
beforeAll(async () => {
  payments = await openOutputPayments(3);
});
afterAll(() => payments.close());

/** Up to four transfers to each: in no block, evicted, mined a while ago or just now, too late. */
async function history(random: SeededRandom): Promise<PaymentRequestView[]> {
  const requests: PaymentRequestView[] = [];
  for (let i = 0; i < REQUESTS; i += 1) requests.push(await payments.ask(700n));
  for (let round = 0; round < 4; round += 1) {
    for (const request of requests.filter(() => random.chance(0.6))) {
      const sent = payments.send(request, random.chance(0.5) ? 350n : 5_000n);
      if (random.chance(0.2)) {
        await payments.follow();
        payments.chain.evict(sent);
      }
    }
    payments.chain.now += 1_000;
    if (round < 3) payments.chain.mine([...payments.chain.pool.values()].filter(() => random.chance(0.4)));
    await payments.follow();
    await payments.wait(4);
  }
  return requests;
}

it('Every view shows transfers in no block with whole numbers, true times and nothing that is not there', async () => {
  const requests = await history(new SeededRandom(1));
  const explain = new ExplainPaymentRequest(
    new PostgresExplanationQueries(payments.database),
    payments.catalogue,
  );
  const list = new ListedPaymentRequests(payments.database, payments.pointsOfSale);
  const scope = { organizationId: payments.point.organizationId, accountId: null };
  const listed = await list.page(scope, payments.point.id, { created: {} }, { page: 1, pageSize: 100 });
  let waiting = 0;

  for (const request of requests) {
    const view = await payments.read(request);
    const delivery = { settlementId: undefined, refunds: [] };
    const progress = presentProgress({ ...view, delivery } as never, undefined, {} as never);
    const explained = presentExplanation(await explain.execute(scope, payments.point.id, request.id));
    const counted = view.transfers.filter((transfer) => transfer.counted);

    const shown = JSON.stringify([progress, explained]);
    expect(shown).not.toMatch(/Infinity|NaN|Invalid|null|undefined/);
    expect(counted.reduce((sum, { amount }) => sum + amount, 0n)).toBe(view.receivedAmount);
    expect(listed.items.find(({ id }) => id === request.id)!.receivedAmount).toBe(view.receivedAmount);
    for (const [i, transfer] of view.transfers.entries()) {
      const presented = progress.transfers[i]!;
      const isPending = transfer.blockNumber === Infinity;
      waiting += Number(isPending);
      expect(presented.confirmations).toBeGreaterThanOrEqual(isPending ? 0 : 1);
      expect(presented.confirmations).toBeLessThanOrEqual(isPending ? 0 : presented.required_confirmations);
      expect([presented.block_number === undefined, presented.block_time === undefined]).toEqual([
        isPending,
        isPending,
      ]);
      expect(presented.seen_at! <= presented.detected_at).toBe(true);
      expect(isPending && (transfer.final || transfer.bookedAs !== undefined)).toBe(false);
    }
  }
  expect(waiting).toBeGreaterThan(REQUESTS / 2);
});
