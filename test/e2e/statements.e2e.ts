import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRequestDto } from '../../src/contexts/payments/infrastructure/http/payment-request.dto.js';
import { startTestService, type TestService } from '../support/service.js';
import { StatementCounter } from '../support/statement-counter.js';

const TIMES = 10;

let service: TestService;
let counter: StatementCounter;

beforeAll(async () => {
  service = await startTestService({
    async apiDatabase(url) {
      counter = await StatementCounter.open(url);
      return counter.url;
    },
  });
}, 60_000);

afterAll(async () => {
  await service?.stop();
  counter?.end();
});

/** Not part of any request: noted in memory and written by a timer, once for all requests of some seconds. */
const isBackground = (text: string) => /last_used_at/.test(text);

/** Statements per request, once its point of sale is known. */
async function statementsOf(name: string, call: () => Promise<unknown>): Promise<number> {
  await call();
  const texts = await counter.during(async () => {
    for (let i = 0; i < TIMES; i += 1) await call();
  });
  const counted = texts.filter((text) => !isBackground(text));
  process.stdout.write(`${name}: ${counted.length / TIMES} SQL statements, authentication included\n`);
  return counted.length / TIMES;
}

describe('What a request costs the database', () => {
  const path = () => `/v1/pos/${service.seed.posId}/payment-request`;
  const create = () =>
    service.api.post<PaymentRequestDto>(path(), {
      amount: '1',
      unique_asset_id: service.assets[0]!.unique_asset_id,
      reference_id: 'order-1',
      order: { total: '1', coin_code: 'USD' },
    });

  it('is two statements to create a payment request', async () => {
    expect(await statementsOf('Create', create)).toBe(2);
  });

  it('is two statements to read one', async () => {
    const { id } = await create();

    expect(await statementsOf('Read', () => service.api.get(`${path()}/${id}`))).toBe(2);
  });

  it.each(['/v1/transactions?page=1&page_size=5', '/v1/pos?page=1&page_size=5', '/v1/account'])(
    'is two statements to list a page of %s',
    async (list) => {
      expect(await statementsOf(list, () => service.api.get(list))).toBe(2);
    },
  );
});
