import { beforeAll, describe, expect, it } from '@jest/globals';
import { NATIVE_COIN } from '#sandbox/chain/payer-contract.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import type { RefundDto } from '#contexts/settlement/infrastructure/refunds/http/refund.dto.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const ETHER = 10n ** 18n;
const UNIT = 10n ** 6n;
const PAYER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
type Address = `0x${string}`;

let service: TestService;

async function paid(posId: string, unique_asset_id: string, amount: string, units: bigint): Promise<string> {
  const body = { amount, unique_asset_id };
  const request = await service.api.post<{ id: string; address: Address }>(
    `/v1/pos/${posId}/payment-request`,
    body,
  );
  await service.wallet.mined(await service.wallet.send(tokenOf(unique_asset_id), request.address, units));
  await service.chain.mine(6);
  await eventually(
    () =>
      service.query('SELECT FROM payments.payment_requests WHERE id = $1 AND confirmed_at IS NOT NULL', [
        request.id,
      ]),
    (rows) => rows.length > 0,
  );
  return request.id;
}

/** The refusal names the address. */
async function fundFloat(): Promise<void> {
  const { unique_asset_id } = service.assets[0]!;
  const id = await paid(service.seed.posId, unique_asset_id, '1', UNIT);
  const refused = () =>
    service.api
      .post(`/v1/refunds/payment-request/${id}`, { refund_to_address: PAYER })
      .then(() => '', String);
  const message = await eventually(refused, (message) => /0x[0-9a-fA-F]{40} on sandbox lacks/.test(message));
  const address = /0x[0-9a-fA-F]{40}/.exec(message)![0] as Address;
  await service.wallet.mined(await service.wallet.send(tokenOf(unique_asset_id), address, 100n * UNIT));
  await service.wallet.mined(await service.wallet.send(NATIVE_COIN, address, 5n * ETHER));
  await service.chain.mine(6);
  await eventually(
    () => service.query('SELECT FROM settlement.refund_float_holdings WHERE topped_up > 0'),
    (rows) => rows.length === 2,
  );
}

const read = (id: string) => service.api.get<RefundDto>(`/v1/refunds/${id}`);

async function completed(id: string): Promise<RefundDto> {
  return eventually(
    async () => {
      await service.chain.mineWhileWaiting(1);
      return read(id);
    },
    ({ status }) => !['pending', 'processing'].includes(status),
  );
}

async function balanceOf(asset: string, address: string): Promise<bigint> {
  if (tokenOf(asset) === NATIVE_COIN)
    return BigInt(await service.chain.rpc<string>('eth_getBalance', [address, 'latest']));
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`;
  return BigInt(await service.chain.rpc<string>('eth_call', [{ to: tokenOf(asset), data }, 'latest']));
}

export function refundingSuite(shared: SharedService): void {
  describe('Refunds', () => {
    beforeAll(async () => {
      service = await shared.shop();
      await fundFloat();
    });

    describe('A refund', () => {
      it.each([
        ['a token', 'posId', 0, '2.5', 25n * 10n ** 5n],
        ['native coin', 'nativePosId', 3, '0.25', ETHER / 4n],
      ] as const)(
        'pays %s in full, notifies the merchant and is posted to the ledger',
        async (_, pos, index, amount, units) => {
          const { unique_asset_id } = service.assets[index]!;
          const request = await paid(service.seed[pos]!, unique_asset_id, amount, units);
          const before = await balanceOf(unique_asset_id, PAYER);

          const { id } = await service.api.post<RefundDto>(`/v1/refunds/payment-request/${request}`, {
            refund_to_address: PAYER,
          });
          const refund = await completed(id);

          expect(refund).toMatchObject({ status: 'completed', amount, refund_to_address: PAYER });
          expect((await balanceOf(unique_asset_id, PAYER)) - before).toBe(units);
          await eventually(
            () =>
              service.api.get<{ data: { body: string }[] }>(
                `/v1/events?event_type=refund&payment_request_id=${request}`,
              ),
            ({ data }) =>
              data
                .map(({ body }) => (JSON.parse(body) as { data: { status: string } }).data.status)
                .join() === 'processing,completed',
          );
          await eventually(
            () =>
              service.api.get<{ data: { payment_request_id?: string; status: string }[] }>(
                '/v1/transactions?page=1&page_size=50&type=refund',
              ),
            ({ data }) =>
              data.some((each) => each.payment_request_id === request && each.status === 'completed'),
          );
        },
      );
    });

    describe('The page of a claim', () => {
      const page = (path: string, form?: Record<string, string>, language = 'en') =>
        fetch(path, {
          method: form === undefined ? 'GET' : 'POST',
          redirect: 'manual',
          headers: { 'accept-language': language },
          ...(form && { body: new URLSearchParams(form) }),
        }).then(async (answer) => ({
          status: answer.status,
          policy: answer.headers.get('content-security-policy') ?? '',
          text: await answer.text(),
        }));

      it('accepts the address of the payer once, and later shows the transaction', async () => {
        const { unique_asset_id } = service.assets[0]!;
        const request = await paid(service.seed.posId, unique_asset_id, '3', 3n * UNIT);
        const { id, claim_url: url } = await service.api.post<RefundDto>(
          `/v1/refunds/payment-request/${request}`,
          { claim: {} },
        );
        expect(url).toMatch(/\/refund\/k[A-Za-z0-9_-]{22}$/);
        const asked = await page(url!);
        expect([asked.status, asked.policy.includes("script-src 'none'")]).toEqual([200, true]);
        expect(asked.text).toContain('name="refund_to_address"');
        expect((await page(url!, undefined, 'es')).text).toContain('Tu reembolso');
        expect((await page(url!, undefined, 'pt')).text).toContain('Seu reembolso');

        const refused = await page(url!, { refund_to_address: '0x12"><b>' });
        expect([refused.status, refused.text.includes('<b>')]).toEqual([400, false]);
        const shown = await page(url!, { refund_to_address: PAYER });
        for (const fact of [PAYER, 'USDC', '3', 'name="confirmed"']) expect(shown.text).toContain(fact);
        expect((await read(id)).refund_to_address).toBeUndefined();
        expect((await page(url!, { refund_to_address: PAYER, confirmed: 'true' })).status).toBe(303);
        expect((await page(url!)).text).toContain('still needs to approve');
        // Another address comes too late.
        const other = { refund_to_address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906', confirmed: 'true' };
        expect((await page(url!, other)).status).toBe(303);

        await service.api.post(`/v1/refunds/${id}/approve`, {});
        const { transaction_hash: hash, refund_to_address: to } = await completed(id);

        expect(to).toBe(PAYER);
        expect((await page(url!)).text).toContain(hash);
      });
    });
  });
}
