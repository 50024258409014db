import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TransactionDto } from '#contexts/ledger/infrastructure/http/transaction.dto.js';
import type {
  PaymentRequestDto,
  PaymentRequestProgressDto,
} from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { keysOf, verify, type NaspipPublicKeys } from '#shared/naspip/naspip-token.js';
import type { EventListDto } from '#contexts/webhooks/infrastructure/events/http/events.dto.js';
import type { RegisteredWebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import { parseAmount } from '#shared/kernel/amount.js';
import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import type { SandboxAsset } from '#sandbox/folder/sandbox-folder.js';
import { WebhookReceiver } from '#sandbox/merchant/webhook-receiver.js';
import { startReceiver } from '#contexts/webhooks/testing/receiver.js';
import { collectWithPythonClient, pythonGenerator } from '../support/python-shop.js';
import { collectWithTypedClient, noticesTo, notifiedStatuses } from '../support/typed-shop.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';

const CONFIRMATIONS = 5;
/** Seconds: the window, the inclusion grace and some. */
const PAST_THE_DEADLINE = 600;

let service: TestService;
let receiver: WebhookReceiver;
let usdc: SandboxAsset;
let dai: SandboxAsset;

beforeAll(async () => {
  [service, receiver] = await Promise.all([
    startTestService({ ownsNothing: true }),
    WebhookReceiver.listen(),
  ]);
  usdc = service.assets[0]!;
  dai = service.assets[2]!;
  const path = `/v1/account/${service.seed.accountId}/webhook`;
  const body = { url: receiver.url, event_type: 'payment_request' };
  receiver.secret = (await service.api.post<RegisteredWebhookDto>(path, body)).secret;
});

afterEach(async () => {
  expect(await service.breaches()).toEqual([]);
});

afterAll(async () => {
  await receiver?.close();
  await service?.stop();
});

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
    async () => [...new Set(receiver.noticesOf(id).map(({ status }) => status))],
    ({ length }) => length >= count,
  );
  expect(receiver.refused).toEqual([]);
  return statuses.sort();
}

const historyOf = (progress: PaymentRequestProgressDto) =>
  progress.status_history.map(({ status }) => status);

// First of all: a receiver's library goes by its own clock, which the tests below leave behind.
describe('Generated clients', () => {
  const payer = async (address: string, amount: string) => {
    await send(address, amount, usdc);
    await service.chain.mine(CONFIRMATIONS);
  };

  it('collect from the first call to the books, in types of the document', async () => {
    const { direct, checkout, transactions, notices } = await collectWithTypedClient(
      service,
      usdc.unique_asset_id,
      payer,
    );

    expect(direct).toMatchObject({ status: 'completed', order: { items: [{ quantity: 1 }] } });
    expect(checkout).toMatchObject({ status: 'completed', selected: { received_amount: '3' } });
    expect(transactions.map(({ gross_amount }) => gross_amount).sort()).toEqual(['12.5', '3']);
    for (const { id } of [direct, checkout])
      expect(notifiedStatuses(notices, id)).toEqual(['completed', 'processing']);
  });

  const generator = pythonGenerator();
  (generator === undefined ? it.skip : it)('collect in Python too', async () => {
    const hooks = await startReceiver();
    try {
      const args = { url: service.apiUrl, ...service.seed, asset: usdc.unique_asset_id, receiver: hooks.url };
      const collected = await collectWithPythonClient(generator!, args, payer);
      const notices = await noticesTo(hooks, collected.secret, 4);

      expect(collected).toMatchObject({
        ...{ statuses: ['completed', 'completed'], window_ms: 0 },
        amounts: ['2.5', '4'],
      });
      for (const id of collected.ids)
        expect(notifiedStatuses(notices, id)).toEqual(['completed', 'processing']);
    } finally {
      await hooks.close();
    }
  });
});

describe('Collecting a payment', () => {
  it('completes when exactly what was asked is final', async () => {
    const asked = await request('12.50');
    const hash = await pay(asked, '12.50');
    const processing = await untilStatus(asked, 'processing');
    await service.chain.mine(CONFIRMATIONS);
    const done = await untilConfirmed(asked);

    expect(processing).toMatchObject({
      received_amount: '12.5',
      transfers: [{ final: false, counted: true }],
    });
    expect(done).toMatchObject({ status: 'completed', received_amount: '12.5' });
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

  it('gives a token that a wallet verifies with the published keys', async () => {
    const asked = await request('3.000000000000000001', dai);
    const keys = keysOf(await service.api.raw<NaspipPublicKeys>('/.well-known/naspip-keys'));

    const { payload, expiresAt } = verify(asked.token, keys, new Date());

    expect(payload).toMatchObject({
      payment: {
        id: asked.id,
        address: asked.address,
        uniqueAssetId: dai.unique_asset_id,
        amount: '3.000000000000000001',
        isOpen: false,
      },
      order: { merchant: { name: 'Demonstration shop' } },
    });
    expect(expiresAt.toISOString()).toBe(asked.expires_at);
  });

  it('adds up what is paid in two parts', async () => {
    const asked = await request('7');
    await pay(asked, '3');
    const first = await until(asked, ({ received_amount }) => received_amount === '3');
    const second = await pay(asked, '4');
    await service.chain.mine(CONFIRMATIONS);
    const done = await untilConfirmed(asked);

    expect(first.status).toBe('processing');
    expect(done).toMatchObject({ status: 'completed', received_amount: '7' });
    expect(done.transfers).toHaveLength(2);
    expect(await toldStatuses(asked, 2)).toEqual(['completed', 'processing']);
    expect(await untilBooked(asked)).toMatchObject([{ gross_amount: '7', transaction_hash: second }]);
  });

  it('ends as overpaid when more than was asked is final', async () => {
    const asked = await request('1.5', dai);
    await pay(asked, '2', dai);
    await service.chain.mine(CONFIRMATIONS);
    const done = await untilConfirmed(asked);

    expect(done).toMatchObject({ status: 'overpaid', amount: '1.5', received_amount: '2' });
    expect(await toldStatuses(asked, 2)).toEqual(['overpaid', 'processing']);
    expect(await untilBooked(asked)).toMatchObject([
      { gross_amount: '2', expected_amount: '1.5', net_amount: '1.99', currency: 'DAI' },
    ]);
  });

  it('ends as underpaid when the window closes on less than was asked', async () => {
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
    expect(receiver.noticesOf(tolerated.id).filter((notice) => 'fulfilled' in notice)).toEqual([]);
    expect(await toldStatuses(asked, 2)).toEqual(['processing', 'underpaid']);
    expect(await untilBooked(asked)).toMatchObject([
      { gross_amount: '4', expected_amount: '10', net_amount: '3.98' },
    ]);
  });

  it('expires when nothing is paid, tells nobody and books nothing', async () => {
    const asked = await request('5');
    const before = await service.api.get<PaymentRequestProgressDto>(`${path()}/${asked.id}`);
    await service.advance(PAST_THE_DEADLINE);
    const expired = await untilStatus(asked, 'expired');

    expect(before.status).toBe('created');
    expect(historyOf(expired)).toEqual(['created', 'expired']);
    expect(await transactionsOf(asked)).toEqual([]);
    expect(receiver.noticesOf(asked.id)).toEqual([]);
  });
});
