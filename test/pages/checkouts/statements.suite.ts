import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { CheckoutDesk } from '#test/support/checkout-desk.js';
import type { TestService } from '#test/support/service.js';
import { isBackground } from '#test/support/statement-counter.js';
import type { SharedService } from '#test/support/shared-service.js';

const TIMES = 5;

let service: TestService;
let counter: SharedService['counter'];
let desk: CheckoutDesk;

/**
 * Statements per request, once its point of sale is known: the median of some requests, since the service also works for sessions of
 * other suites.
 */
async function statementsOf(call: () => Promise<unknown>): Promise<number> {
  await call();
  const counts: number[] = [];
  for (let i = 0; i < TIMES; i += 1) {
    const texts = await counter.during(call);
    counts.push(texts.filter((text) => !isBackground(text)).length);
  }
  return counts.sort((one, other) => one - other)[(TIMES - 1) / 2]!;
}

export function statementsSuite(shared: SharedService): void {
  describe('Statements', () => {
    beforeAll(async () => {
      service = await shared.shop();
      counter = shared.counter;
      desk = new CheckoutDesk(service);
    });

    afterAll(() => desk?.close());

    describe('The cost of a request', () => {
      const path = () => `/v1/pos/${service.seed.posId}/payment-request`;
      const create = () =>
        service.api.post<PaymentRequestDto>(path(), {
          amount: '1',
          unique_asset_id: service.assets[0]!.unique_asset_id,
          reference_id: 'order-1',
          order: { total: '1', coin_code: 'USD' },
        });

      it('is two statements to create a payment request', async () => {
        expect(await statementsOf(create)).toBe(2);
      });

      it.each([
        ['one option', 1],
        ['several', 3],
      ])('is two statements to create a checkout with %s', async (_, count) => {
        const options = service.assets.slice(0, count).map(({ unique_asset_id: id }) => id);
        const posId = await desk.shop({ payment_options: options });

        const statements = await statementsOf(() => desk.open({}, posId));

        expect(statements).toBe(2);
      });
    });
  });
}
