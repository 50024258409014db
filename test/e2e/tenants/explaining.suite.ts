import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExplanationDto } from '#contexts/payments/infrastructure/explanation/http/explanation.dto.js';
import type {
  PaymentRequestDto,
  PaymentRequestProgressDto,
} from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { TransactionExplanationDto } from '#contexts/payments/infrastructure/explanation/http/transaction-explanation.dto.js';
import { deployTestToken, sendToToken } from '#contexts/networks/testing/chain-contracts.js';
import { parseAmount } from '#shared/kernel/amount.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type { SandboxAsset } from '#sandbox/folder/sandbox-folder.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import type { HostileWorld } from '#test/support/hostile/hostile-world.js';
import { withoutRequestId } from '#test/support/hostile/hostile-verdict.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';

const CONFIRMATIONS = 5;
/** Seconds: the window, the inclusion grace and some. */
const PAST_THE_DEADLINE = 600;
const NOBODY = '0x000000000000000000000000000000000000bEEF';

let world: HostileWorld;
let service: TestService;
let usdc: SandboxAsset;
let dai: SandboxAsset;

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

const read = ({ id }: PaymentRequestDto) => service.api.get<PaymentRequestProgressDto>(`${path()}/${id}`);

export function explainingSuite(open: () => HostileWorld): void {
  describe('Explanations', () => {
    beforeAll(() => {
      world = open();
      service = world.service;
      usdc = service.assets[0]!;
      dai = service.assets[2]!;
    });

    afterEach(async () => {
      expect(await service.breaches()).toEqual([]);
    });

    describe('Explaining a payment', () => {
      it('goes with it from unseen to paid', async () => {
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

      it('says that another asset came, and shows the deposit that it becomes', async () => {
        const asked = await request('7');
        const hash = await send(asked.address, '3', dai);

        const other = await explained(asked, 'other_asset');
        await service.advance(PAST_THE_DEADLINE);
        await service.chain.mine(CONFIRMATIONS);
        const progress = await eventually(
          () => read(asked),
          ({ deposits }) => deposits.length > 0,
        );

        expect(other.summary).toContain('3 DAI');
        expect(progress).toMatchObject({
          status: 'expired',
          received_amount: '0',
          deposits: [
            { amount: '3', currency: 'DAI', unique_asset_id: dai.unique_asset_id, transaction_hash: hash },
          ],
          transfers: [
            { booked_as: 'deposit', counted: false, currency: 'DAI', network: 'sandbox', kind: 'log' },
          ],
        });
        expect(await transaction(hash)).toMatchObject({ transfers: [{ code: 'other_asset' }] });
      });
    });

    describe('Explaining a transaction', () => {
      it('says that nobody knows it, and how far was read', async () => {
        expect(await transaction(`0x${'ab'.repeat(32)}`)).toMatchObject({
          code: 'not_ours',
          transfers: [],
          unrecorded: [],
          networks: [
            { network: 'sandbox', read_to_block: expect.any(Number), node: { transaction: 'unknown' } },
          ],
        });
      });

      it('says that it paid nobody here', async () => {
        const hash = await send(NOBODY, '1');

        expect(await transaction(hash)).toMatchObject({
          code: 'to_nobody_here',
          networks: [{ node: { transaction: 'included', block_number: expect.any(Number) } }],
        });
      });

      it('says that its token is not collected here', async () => {
        const asked = await request('2');
        const token = await deployTestToken(service.chain.url, 6);
        const block = await sendToToken(service.chain.url, token, 'mint', [asked.address, 1_000n]);
        type Block = { transactions: [string] };
        const { transactions } = await service.chain.rpc<Block>('eth_getBlockByHash', [block, false]);
        const [hash] = transactions;

        expect(await transaction(hash)).toMatchObject({
          code: 'token_not_supported',
          unrecorded: [
            {
              token: addressForPeople(token),
              to: asked.address,
              smallest_units: '1000',
              payment_request_id: asked.id,
            },
          ],
        });
      });

      it('is the same for a foreign payment as for a stranger’s, and for another account’s', async () => {
        const asked = await request('5');
        const [ours, strangers] = [await send(asked.address, '5'), await send(NOBODY, '5')];
        await explained(asked, 'confirming');
        const answers = async (credential: typeof world.home.credential) => {
          const headers = await world.proofs(credential);
          const explain = async (hash: string) => {
            const answer = await world.http.send({ method: 'GET', target: `/v1/explain/${hash}`, headers });
            return withoutRequestId(answer)
              .replaceAll(hash, '')
              .replaceAll(/"(?:behind_seconds|block_number)":\d+/g, '');
          };
          // Of one moment: the reading went on neither before the second nor after it.
          return eventually(
            async () => [await explain(ours), await explain(strangers), await explain(ours)] as const,
            ([before, , after]) => before === after,
          );
        };

        for (const { credential } of [world.foreign, world.sibling]) {
          const [foreign, stranger] = await answers(credential);
          expect(foreign).toBe(stranger);
          expect(foreign).toContain('to_nobody_here');
        }
        expect((await answers(world.home.credential))[0]).toContain(asked.id);
      });

      it.each(['0x12', 'ab'.repeat(32), `0x${'ab'.repeat(33)}`, `0x${'zz'.repeat(32)}`])(
        'refuses %s by name and rule',
        async (hash) => {
          const headers = await world.proofs(world.home.credential);
          const { status, json } = await world.http.send({
            method: 'GET',
            target: `/v1/explain/${hash}`,
            headers,
          });

          expect(status).toBe(400);
          expect(json).toMatchObject({
            code: 'validation_failed',
            errors: [{ field: 'transactionHash', rule: 'transaction_hash' }],
          });
        },
      );
    });
  });
}
