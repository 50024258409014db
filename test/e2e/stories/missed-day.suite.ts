import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { EventDto, EventListDto } from '#contexts/webhooks/infrastructure/events/http/events.dto.js';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { parseAmount } from '#shared/kernel/amount.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const CONFIRMATIONS = 5;
const DAY = 86_400;

let service: TestService;
let shop: Receiver;

async function collect(reference: string, amount: string, paid = amount): Promise<void> {
  const [asset] = service.assets;
  const request = await service.api.post<PaymentRequestDto>(`/v1/pos/${service.seed.posId}/payment-request`, {
    amount,
    unique_asset_id: asset!.unique_asset_id,
    reference_id: reference,
  });
  const units = BigInt(parseAmount(paid, asset!.decimals));
  await service.wallet.send(tokenOf(asset!.unique_asset_id), request.address as `0x${string}`, units);
}

/** So many deliveries; one may arrive more than once. */
const heard = (count: number) =>
  eventually(
    async () => new Set(shop.requests.map(({ headers }) => headers['webhook-id'])).size,
    (deliveries) => deliveries === count,
  );

const events = (query: string) => service.api.get<EventListDto>(`/v1/events?${query}`);

/** A merchant that was down catches up by one loop. */
async function catchUp(after: string): Promise<EventDto[]> {
  const missed: EventDto[] = [];
  for (let cursor = after, more = true; more;) {
    const page = await events(`after=${cursor}&limit=2`);
    missed.push(...page.data);
    [cursor, more] = [page.next_after!, page.has_more];
  }
  return missed;
}

const statusesByRequest = (bodies: readonly string[]) => {
  const byRequest = new Map<string, string[]>();
  for (const body of bodies) {
    const { data } = JSON.parse(body) as { data: { external_reference_id: string; status: string } };
    byRequest.set(data.external_reference_id, [
      ...(byRequest.get(data.external_reference_id) ?? []),
      data.status,
    ]);
  }
  return Object.fromEntries([...byRequest].sort());
};

export function missedDaySuite(shared: SharedService): void {
  describe('A missed day', () => {
    beforeAll(async () => {
      [service, shop] = await Promise.all([shared.shop(), startReceiver()]);
      await service.api.post(`/v1/account/${service.seed.accountId}/webhook`, {
        url: shop.url,
        event_type: 'payment_request',
      });
    });

    afterAll(async () => {
      expect(await service?.breaches()).toEqual([]);
      await shop?.close();
    });

    describe('A merchant whose receiver was down for a day', () => {
      it('reads the missed events in one loop, in the same order and the same bytes', async () => {
        await collect('before-Ñ/"😀', '5');
        await heard(1);
        await service.chain.mine(CONFIRMATIONS);
        await heard(2);
        const lastSeen = String(shop.requests.at(-1)!.headers['webhook-id']);
        await eventually(
          () =>
            events(`after=${lastSeen}`).then(
              () => true,
              () => false,
            ),
          Boolean,
        );

        // down
        shop.answer = (_request, response) => void response.destroy();
        await collect('missed-1', '1');
        await collect('missed-2-Ñ/"😀', '2', '3');
        await collect('missed-3', '3');
        await eventually(
          () => catchUp(lastSeen),
          ({ length }) => length === 3,
        );
        await service.chain.mine(CONFIRMATIONS);
        await eventually(
          () => catchUp(lastSeen),
          ({ length }) => length === 6,
        );
        await service.advance(DAY);
        await service.api.authenticate();

        // and up again, which it does not wait for
        const missed = await catchUp(lastSeen);
        const before = shop.requests.length;
        shop.answer = (_request, response) => response.end();
        await service.advance(DAY);
        await service.api.authenticate();
        const delivered = await eventually(
          async () => shop.requests.slice(before),
          (requests) => new Set(requests.map(({ headers }) => headers['webhook-id'])).size === 6,
        );

        expect(statusesByRequest(missed.map(({ body }) => body))).toEqual({
          'missed-1': ['processing', 'completed'],
          'missed-2-Ñ/"😀': ['processing', 'overpaid'],
          'missed-3': ['processing', 'completed'],
        });
        const bodies = new Map(delivered.map(({ headers, body }) => [String(headers['webhook-id']), body]));
        expect(missed.map(({ id, body }) => [id, body])).toEqual(
          missed.map(({ id }) => [id, bodies.get(id)]),
        );
        expect(await events(`after=${missed.at(-1)!.id}`)).toEqual({
          data: [],
          has_more: false,
          next_after: missed.at(-1)!.id,
        });
      });
    });
  });
}
