import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ExplanationDto } from '#contexts/payments/infrastructure/explanation/http/explanation.dto.js';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { TransactionExplanationDto } from '#contexts/payments/infrastructure/explanation/http/transaction-explanation.dto.js';
import { parseAmount } from '#shared/kernel/amount.js';
import type { SandboxAsset } from '#sandbox/folder/sandbox-folder.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const CONFIRMATIONS = 5;

let service: TestService;
let usdc: SandboxAsset;

const path = () => `/v1/pos/${service.seed.posId}/payment-request`;

function request(amount: string): Promise<PaymentRequestDto> {
  const body = { amount, unique_asset_id: usdc.unique_asset_id, reference_id: `order-of-${amount}` };
  return service.api.post<PaymentRequestDto>(path(), body);
}

async function send(to: string, amount: string, asset = usdc): Promise<string> {
  const units = BigInt(parseAmount(amount, asset.decimals));
  const hash = await service.wallet.send(tokenOf(asset.unique_asset_id), to as `0x${string}`, units);
  await service.wallet.mined(hash);
  return hash;
}

function explained({ id }: PaymentRequestDto, code: string): Promise<ExplanationDto> {
  return eventually(
    () => service.api.get<ExplanationDto>(`${path()}/${id}/explain`),
    (answer) => answer.code === code,
  );
}

const transaction = (hash: string) => service.api.get<TransactionExplanationDto>(`/v1/explain/${hash}`);

export function explainingSuite(shared: SharedService): void {
  describe('Explanations', () => {
    beforeAll(async () => {
      service = await shared.shop();
      usdc = service.assets[0]!;
    });

    describe('The explanation of a payment', () => {
      it('follows the payment from unseen to completed', async () => {
        const asked = await request('12.50');
        const unseen = await explained(asked, 'unseen');
        const hash = await send(asked.address, '4');
        const short = await explained(asked, 'short_by');
        await send(asked.address, '8.50');
        const confirming = await explained(asked, 'confirming');
        await service.chain.mine(CONFIRMATIONS);
        const completed = await explained(asked, 'completed');

        expect(unseen).toMatchObject({
          payment_request_id: asked.id,
          point_of_sale_id: service.seed.posId,
          reference_id: 'order-of-12.50',
          status: 'created',
          facts: { amount: '12.5', currency: 'USDC', address: asked.address, received_amount: '0' },
          transfers: [],
          networks: [{ network: 'sandbox', read_to_block: expect.any(Number), is_behind: false }],
        });
        expect(short.summary).toContain('4 USDC of 12.5 USDC was received, 8.5 USDC is missing');
        expect(short.transfers).toMatchObject([
          { transaction_hash: hash, amount: '4', to: asked.address, code: 'confirming', kind: 'log' },
        ]);
        expect(confirming.facts).toMatchObject({ required_confirmations: CONFIRMATIONS });
        expect(completed.transfers.map(({ code, booked_as }) => [code, booked_as])).toEqual([
          ['counted', 'payment_in'],
          ['counted', 'payment_in'],
        ]);
        expect(await transaction(hash)).toMatchObject({
          code: 'received',
          transfers: [{ amount: '4', payment_request: { id: asked.id, code: 'completed' } }],
        });
      });
    });
  });
}
