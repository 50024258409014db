import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import { type Address, encodeFunctionData, parseAbi } from 'viem';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { RefundDto } from '#contexts/settlement/infrastructure/refunds/http/refund.dto.js';
import { ApiRefused } from '#test/support/api-client.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '../../support/eventually.js';
import { held, type KillPoint } from './kill-points.js';
import type { KillSubject } from './kill-subjects.js';
import type { KillWorld } from './kill-world.js';

/** Enough for every kill of the long form. */
const RECEIVED = 400_000_000n;
const REFUNDED = 500_000n;
const UNTIL_FINAL = 6;
const RICH = '0x56bc75e2d63100000';
const TRANSFER = parseAbi([
  'function transfer(address, uint256)',
  'function balanceOf(address) view returns (uint256)',
]);

/** It is planned, and nothing of it is stored or with the sender: what the float holds is asked for before a nonce is reserved. */
const PLANNED: KillPoint = {
  name: 'planned',
  arm: async ({ proxy, service }) =>
    held(proxy, { method: 'eth_getBalance', when: 'before' }, async ({ params: [holder, block] }) => {
      if (block !== 'latest') return false;
      const planned = await service.query(
        `SELECT FROM settlement.refund_float_payouts p JOIN settlement.refund_floats f ON f.id = p.float_id
         WHERE p.status = 'processing' AND p.call_to IS NULL AND f.address = $1
           AND NOT EXISTS (SELECT FROM networks.sendings s WHERE s.id = p.id)`,
        [String(holder).toLowerCase()],
      );
      return planned.length > 0;
    }),
};

/** Parts of one payment, each refunded to an address that holds nothing yet. */
export const REFUND: KillSubject = {
  name: 'a refund',
  points: [PLANNED],
  madeUp: [],
  async open(world) {
    const { service } = world;
    const asset = service.assets.find(({ symbol }) => symbol === 'USDC')!;
    const token = tokenOf(asset.unique_asset_id);
    const request = await paid(world, asset.unique_asset_id, token);
    const refund = (to: string) =>
      service.api.post<RefundDto>(`/v1/refunds/payment-request/${request.id}`, {
        refund_to_address: to,
        amount: '0.5',
      });
    const sender = await float(world, token, () => refund(account()));
    return {
      sender,
      async order() {
        const to = account();
        const { id } = await refund(to);
        const data = encodeFunctionData({ abi: TRANSFER, functionName: 'transfer', args: [to, REFUNDED] });
        return {
          sending: async () => ((await world.state(id)) === null ? null : id),
          again: async () => undefined,
          async ended() {
            await eventually(
              () => service.api.get<RefundDto>(`/v1/refunds/${id}`),
              ({ status }) => status === 'completed',
            );
            const balanceOf = encodeFunctionData({ abi: TRANSFER, functionName: 'balanceOf', args: [to] });
            const balance = await service.chain.rpc<string>('eth_call', [
              { to: token, data: balanceOf },
              'latest',
            ]);
            expect(BigInt(balance)).toBe(REFUNDED);
          },
          isMadeBy: ({ input }) => input === data,
        };
      },
      close: async () => undefined,
    };
  },
};

function account(): Address {
  return `0x${randomBytes(20).toString('hex')}`;
}

/** A payment that is settled: what the gas key sends for it is over. */
async function paid(
  { service }: KillWorld,
  uniqueAssetId: string,
  token: Address,
): Promise<PaymentRequestDto> {
  const request = await service.api.post<PaymentRequestDto>(`/v1/pos/${service.seed.posId}/payment-request`, {
    amount: '400',
    unique_asset_id: uniqueAssetId,
  });
  await service.wallet.send(token, request.address as Address, RECEIVED);
  const settled = async () => {
    await service.chain.mineWhileWaiting(UNTIL_FINAL);
    return service.query(
      `SELECT FROM settlement.batches b JOIN settlement.batch_payouts p ON p.batch_id = b.id
       WHERE p.payment_request_id = $1 AND b.state = 'final'`,
      [request.id],
    );
  };
  await eventually(settled, (batches) => batches.length > 0);
  return request;
}

/** Filled, once its address is known; the first refund of it is completed. @returns its address */
async function float(
  { service }: KillWorld,
  token: Address,
  refund: () => Promise<RefundDto>,
): Promise<Address> {
  const tried = async () => {
    try {
      return await refund();
    } catch (error) {
      if (error instanceof ApiRefused && error.code === 'refund_float_insufficient') return null;
      throw error;
    }
  };
  await tried();
  const [opened] = await eventually(
    () => service.query<{ address: Address | null }>('SELECT address FROM settlement.refund_floats'),
    ([first]) => first?.address != null,
  );
  const address = opened!.address!;
  await service.wallet.send(token, address, RECEIVED);
  await service.chain.rpc('anvil_setBalance', [address, RICH]);
  await service.chain.mine(UNTIL_FINAL);
  const first = await eventually(tried, (made) => made !== null);
  const isCompleted = async () => {
    await service.chain.mineWhileWaiting(UNTIL_FINAL);
    return (await service.api.get<RefundDto>(`/v1/refunds/${first!.id}`)).status;
  };
  await eventually(isCompleted, (status) => status === 'completed');
  return address;
}
