import { describe, expect, it } from '@jest/globals';
import { newId, type PointOfSaleId } from '#shared/kernel/ids.js';
import type { Principal } from '#shared/platform/http/callers/principal.js';
import type { CreatePaymentRequestBody } from './payment-request.dto.js';
import { PaymentRequestController } from './payment-request.controller.js';

const UNUSED = {} as never;

describe('The API of payment requests', () => {
  it('creates a request at the time of the database clock, whatever the clock of its process', async () => {
    const create = { create: async (input: object) => input };
    const answers = { answerOnce: (_key: unknown, _present: unknown, work: () => Promise<object>) => work() };
    const controller = new PaymentRequestController(
      ...([create as never, UNUSED, UNUSED, answers as never] as const),
      ...([UNUSED, UNUSED, UNUSED, UNUSED] as const),
    );
    const at = new Date('2030-01-31T10:00:00Z');
    const body = { amount: '12.50', unique_asset_id: 'nsandbox_t0xabc' } as CreatePaymentRequestBody;

    const input = await controller.create({ at } as Principal, newId<PointOfSaleId>(), body, undefined);

    expect(input).toMatchObject({ amount: '12.50', at });
  });
});
