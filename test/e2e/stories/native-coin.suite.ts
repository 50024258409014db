import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRequestProgressDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { NATIVE_COIN } from '#sandbox/chain/payer-contract.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const ETHER = 10n ** 18n;

let service: TestService;

async function request(): Promise<PaymentRequestProgressDto> {
  return service.api.post(`/v1/pos/${service.seed.nativePosId}/payment-request`, {
    amount: '0.5',
    unique_asset_id: 'nsandbox_tETH',
    reference_id: 'an order',
  });
}

async function ended(id: string): Promise<PaymentRequestProgressDto> {
  const read = () =>
    service.api.get<PaymentRequestProgressDto>(`/v1/pos/${service.seed.nativePosId}/payment-request/${id}`);
  return eventually(read, ({ status }) => !['created', 'processing'].includes(status));
}

async function payFromContract(address: string, amount: bigint): Promise<void> {
  const hash = await service.wallet.sendFromContract([{ token: NATIVE_COIN, to: address as never, amount }]);
  await service.wallet.mined(hash);
}

export function nativeCoinSuite(shared: SharedService): void {
  describe('Native coin', () => {
    beforeAll(async () => {
      service = await shared.shop();
    });

    describe('A request in the native coin', () => {
      it('completes by a transfer inside a contract call', async () => {
        const { id, address } = await request();

        await payFromContract(address!, ETHER / 2n);
        await service.chain.mine(6);
        const read = await ended(id);

        expect([read.status, read.received_amount]).toEqual(['completed', '0.5']);
        expect(read.transfers).toMatchObject([{ kind: 'balance', booked_as: 'payment_in' }]);
        expect(read.transfers[0]!.transaction_hash).toBeUndefined();
      });

      it('completes by a plain transaction, and books a later transfer as a deposit', async () => {
        const { id, address } = await request();
        await service.wallet.mined(await service.wallet.send(NATIVE_COIN, address as never, ETHER / 2n));
        await service.chain.mine(6);
        const read = await ended(id);

        expect([read.status, read.received_amount]).toEqual(['completed', '0.5']);
        expect(read.transfers).toMatchObject([{ kind: 'call', booked_as: 'payment_in', currency: 'ETH' }]);
        await service.wallet.mined(await service.wallet.send(NATIVE_COIN, address as never, ETHER / 10n));
        await service.chain.mine(6);

        const ofRequest = (items: { payment_request_id?: string; type: string; gross_amount: string }[]) =>
          items
            .filter((item) => item.payment_request_id === id)
            .map(({ type, gross_amount }) => [type, gross_amount]);
        const booked = await eventually(
          async () =>
            ofRequest(
              (
                await service.api.get<{ data: Parameters<typeof ofRequest>[0] }>(
                  '/v1/transactions?page=1&page_size=100',
                )
              ).data,
            ),
          (list) => list.length === 2,
        );
        expect(booked).toEqual([
          ['deposit', '0.1'],
          ['payment_in', '0.5'],
        ]);
        const events = await eventually(
          async () =>
            (
              await service.api.get<{ data: { event_type: string; payment_request_id: string }[] }>(
                '/v1/events?limit=500',
              )
            ).data.filter((event) => event.payment_request_id === id && event.event_type === 'deposit'),
          (list) => list.length > 0,
        );
        expect(events).toHaveLength(1);
      });
    });
  });
}
