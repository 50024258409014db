import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate, MIGRATIONS_FOLDER } from '#app/migrate.js';
import type {
  PaymentRequestDto,
  PaymentRequestProgressDto,
} from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { ApiClient } from '../support/api-client.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';

/** Migrations that a later release may have. */
const LATER = new URL('../fixtures/migrations/', import.meta.url);
const CONFIRMATIONS = 5;
const [AMOUNT, UNITS] = ['12.50', 12_500_000n];

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await startTestService();
  api = service.api;
});

afterAll(async () => {
  await service?.stop();
});

const path = () => `/v1/pos/${service.seed.posId}/payment-request`;
const token = () => service.assets[0]!.unique_asset_id;

function request(): Promise<PaymentRequestDto> {
  return api.post<PaymentRequestDto>(path(), { amount: AMOUNT, unique_asset_id: token() });
}

async function pay({ address }: PaymentRequestDto): Promise<void> {
  await service.wallet.mined(await service.wallet.send(tokenOf(token()), address as `0x${string}`, UNITS));
}

function untilIs(status: string, { id }: PaymentRequestDto): Promise<PaymentRequestProgressDto> {
  return eventually(
    () => api.get<PaymentRequestProgressDto>(`${path()}/${id}`),
    (progress) => progress.status === status,
  );
}

describe('The schema of a later release', () => {
  it('lets this release complete open and new payments', async () => {
    const [open, paid] = [await request(), await request()];
    await pay(paid);
    await untilIs('processing', paid);

    const applied = await migrate(service.databaseUrl, [MIGRATIONS_FOLDER, LATER]);
    const asked = await request();
    await pay(open);
    await service.chain.mine(CONFIRMATIONS);

    expect(applied).toHaveLength(2);
    for (const each of [open, paid]) await untilIs('completed', each);
    await pay(asked);
    await untilIs('processing', asked);
  });

  it('lets processes restart one by one, workers first, and posts each payment once', async () => {
    const open = await request();

    await service.anotherWorker();
    await service.processes.worker.stop();
    await pay(open);
    await untilIs('processing', open);
    api = new ApiClient(await service.anotherApi(), service.seed);
    await api.authenticate();
    await service.processes.api.stop();
    const asked = await request();
    await pay(asked);
    await service.chain.mine(CONFIRMATIONS);

    for (const each of [open, asked]) await untilIs('completed', each);
    const posted = await eventually(
      () => service.query<{ type: string }>('SELECT type FROM ledger.transactions'),
      ({ length }) => length >= 5,
    );

    expect(posted).toEqual(Array(5).fill({ type: 'payment_in' }));
    expect(await service.breaches()).toEqual([]);
  });
});
