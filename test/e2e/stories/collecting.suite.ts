import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TransactionDto } from '#contexts/ledger/infrastructure/http/transaction.dto.js';
import type {
  PaymentRequestDto,
  PaymentRequestProgressDto,
} from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { EventListDto } from '#contexts/webhooks/infrastructure/events/http/events.dto.js';
import type { RegisteredWebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import { parseAmount } from '#shared/kernel/amount.js';
import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import type { SandboxAsset } from '#sandbox/folder/sandbox-folder.js';
import { WebhookReceiver } from '#sandbox/merchant/webhook-receiver.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const CONFIRMATIONS = 5;
/** Seconds: the window, the inclusion grace and some. */
const PAST_THE_DEADLINE = 600;

let service: TestService;
let receiver: WebhookReceiver;
let usdc: SandboxAsset;

const path = () => `/v1/pos/${service.seed.posId}/payment-request`;

function request(amount: string, asset = usdc): Promise<PaymentRequestDto> {
  const body = { amount, unique_asset_id: asset.unique_asset_id, reference_id: `order-of-${amount}` };
  return service.api.post<PaymentRequestDto>(path(), body);
}

const pay = ({ address }: PaymentRequestDto, amount: string, asset = usdc) => send(address, amount, asset);

async function send(address: string, amount: string, asset: SandboxAsset): Promise<string> {
  const units = BigInt(parseAmount(amount, asset.decimals));
  const hash = await service.wallet.send(tokenOf(asset.unique_asset_id), address as `0x${string}`, units);
  await service.wallet.mined(hash);
  return hash;
}

function until(
  { id }: PaymentRequestDto,
  isDone: (progress: PaymentRequestProgressDto) => boolean,
): Promise<PaymentRequestProgressDto> {
  return eventually(() => service.api.get<PaymentRequestProgressDto>(`${path()}/${id}`), isDone);
}

const untilStatus = (of: PaymentRequestDto, status: string) =>
  until(of, (progress) => progress.status === status);
const untilConfirmed = (of: PaymentRequestDto) =>
  until(of, (progress) => progress.confirmed_at !== undefined);

async function transactionsOf({ id }: PaymentRequestDto): Promise<TransactionDto[]> {
  const { data } = await service.api.get<PageBody<TransactionDto>>('/v1/transactions?page=1&page_size=100');
  return data.filter((transaction) => transaction.payment_request_id === id);
}

const untilBooked = (of: PaymentRequestDto) =>
  eventually(
    () => transactionsOf(of),
    ({ length }) => length > 0,
  );

/** Waits for so many statuses, each sent once or more. */
async function toldStatuses({ id }: PaymentRequestDto, count: number): Promise<string[]> {
  const statuses = await eventually(
    async () => [...new Set(receiver.notificationsOf(id).map(({ status }) => status))],
    ({ length }) => length >= count,
  );
  expect(receiver.refused).toEqual([]);
  return statuses.sort();
}

const historyOf = (progress: PaymentRequestProgressDto) =>
  progress.status_history.map(({ status }) => status);

export function collectingSuite(shared: SharedService): void {
  describe('Collecting', () => {
    beforeAll(async () => {
      [service, receiver] = await Promise.all([shared.shop(), WebhookReceiver.listen()]);
      usdc = service.assets[0]!;
      const hooks = `/v1/account/${service.seed.accountId}/webhook`;
      const body = { url: receiver.url, event_type: 'payment_request' };
      receiver.secret = (await service.api.post<RegisteredWebhookDto>(hooks, body)).secret;
    });

    afterAll(async () => {
      await receiver?.close();
    });

    describe('A payment request', () => {
      it('completes when exactly the requested amount is final', async () => {
        const asked = await request('12.50');
        const hash = await pay(asked, '12.50');
        const processing = await untilStatus(asked, 'processing');
        await service.chain.mine(CONFIRMATIONS);
        const done = await untilConfirmed(asked);

        expect(processing).toMatchObject({
          received_amount: '12.5',
          transfers: [{ final: false, counted: true }],
        });
        const expiration = Math.floor(Date.parse(asked.expires_at) / 1_000);
        expect(asked.expiration).toBe(expiration);
        expect(done).toMatchObject({ status: 'completed', received_amount: '12.5', expiration });
        expect(done.transfers).toMatchObject([
          {
            transaction_hash: hash,
            amount: '12.5',
            from: service.wallet.address,
            final: true,
            confirmations: CONFIRMATIONS,
          },
        ]);
        expect(historyOf(done)).toEqual(['created', 'processing', 'completed', 'confirmed']);
        expect(await toldStatuses(asked, 2)).toEqual(['completed', 'processing']);
        expect(await untilBooked(asked)).toMatchObject([
          {
            type: 'payment_in',
            status: 'completed',
            gross_amount: '12.5',
            expected_amount: '12.5',
            net_amount: '12.4375',
            currency: 'USDC',
            to: asked.address,
            transaction_hash: hash,
            reference_id: 'order-of-12.50',
          },
        ]);
      });

      it('ends as underpaid when the window closes on less than the requested amount', async () => {
        const asked = await request('10');
        const account = `/v1/account/${service.seed.accountId}`;
        const underpayment_tolerance = { basis_points: 50, at_most: '0.1' };
        await service.api.put(account, { name: 'Tolerant', underpayment_tolerance });
        const tolerated = await request('20');
        await pay(asked, '4');
        await pay(tolerated, '19.9');
        await service.chain.mine(CONFIRMATIONS);
        const waiting = await until(asked, ({ transfers }) => transfers[0]?.final === true);
        await service.advance(PAST_THE_DEADLINE);
        await service.chain.mine(CONFIRMATIONS);
        const done = await untilConfirmed(asked);

        expect(waiting.status).toBe('processing');
        expect(done).toMatchObject({ status: 'underpaid', fulfilled: false, received_amount: '4' });
        expect(await untilConfirmed(tolerated)).toMatchObject({
          status: 'underpaid',
          fulfilled: true,
          received_amount: '19.9',
        });
        const told = `/v1/events?event_type=payment_request&payment_request_id=${tolerated.id}`;
        const { data } = await eventually(
          () => service.api.get<EventListDto>(told),
          (list) => list.data.length === 2,
        );
        expect(data.map(({ fulfilled }) => fulfilled)).toEqual([false, true]);
        expect(await toldStatuses(tolerated, 2)).toEqual(['processing', 'underpaid']);
        expect(receiver.notificationsOf(tolerated.id).filter((notice) => 'fulfilled' in notice)).toEqual([]);
        expect(await toldStatuses(asked, 2)).toEqual(['processing', 'underpaid']);
        expect(await untilBooked(asked)).toMatchObject([
          { gross_amount: '4', expected_amount: '10', net_amount: '3.98' },
        ]);
      });
    });
  });
}
