import { expect } from '@jest/globals';
import { type Address, encodeFunctionData, parseAbi } from 'viem';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { SANDBOX_TERMS } from '#sandbox/chain/sandbox-chain.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '../../support/eventually.js';
import { held, type KillPoint } from './kill-points.js';
import type { KillSubject } from './kill-subjects.js';
import type { KillWorld } from './kill-world.js';

const AMOUNT = 1_500_000n;
const UNTIL_FINAL = 6;
const ABI = parseAbi(['function balanceOf(address) view returns (uint256)']);

/** A batch is stored, and nothing of it is with the sender: what the key holds is asked for before a nonce is reserved. */
const CHOSEN: KillPoint = {
  name: 'chosen',
  arm: async ({ proxy, key, service }) =>
    held(proxy, { method: 'eth_getBalance', when: 'before' }, async ({ params }) => {
      if (String(params[0]).toLowerCase() !== key.address.toLowerCase()) return false;
      const chosen = await service.query(
        `SELECT FROM settlement.batches b WHERE state = 'chosen'
           AND NOT EXISTS (SELECT FROM networks.sendings s WHERE s.id = b.id)`,
      );
      return chosen.length > 0;
    }),
};

/** Money of a payer, which the worker has settled by itself. */
export const SETTLEMENT: KillSubject = {
  name: 'a settlement',
  points: [CHOSEN],
  madeUp: [],
  async open(world) {
    const { service } = world;
    const asset = service.assets.find(({ symbol }) => symbol === 'USDC')!;
    const token = tokenOf(asset.unique_asset_id);
    return {
      sender: world.key.address,
      async order() {
        const before = await arrived(world, token);
        const request = await service.api.post<PaymentRequestDto>(
          `/v1/pos/${service.seed.posId}/payment-request`,
          { amount: '1.5', unique_asset_id: asset.unique_asset_id },
        );
        await service.wallet.send(token, request.address as Address, AMOUNT);
        await service.chain.mine(UNTIL_FINAL);
        const batches = () =>
          service.query<{ id: string; state: string; data: string }>(
            `SELECT b.id, b.state, encode(b.data, 'hex') AS data FROM settlement.batches b
             JOIN settlement.batch_payouts p ON p.batch_id = b.id WHERE p.payment_request_id = $1
             ORDER BY b.created_at DESC`,
            [request.id],
          );
        let input = '';
        return {
          sending: async () => (await batches())[0]?.id ?? null,
          again: async () => undefined,
          async ended() {
            const all = await eventually(batches, ([newest]) => newest?.state === 'final');
            input = `0x${all[0]!.data}`;
            expect(all).toHaveLength(1);
            expect(await arrived(world, token)).toBe(before + AMOUNT);
          },
          isMadeBy: (transaction) => transaction.input === input,
        };
      },
      close: async () => undefined,
    };
  },
};

/** Both recipients of the demonstration shop's terms hold this together. */
async function arrived({ service }: KillWorld, token: Address): Promise<bigint> {
  const { settlementAddress, feeRecipient } = SANDBOX_TERMS;
  const balances = await Promise.all(
    [settlementAddress, feeRecipient].map((holder) => {
      const data = encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [holder] });
      return service.chain.rpc<string>('eth_call', [{ to: token, data }, 'latest']);
    }),
  );
  return balances.reduce((sum, balance) => sum + BigInt(balance), 0n);
}
