import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { blockHead, chainRpc } from '#sandbox/chain/chain-rpc.js';
import { untilPrinted } from '#test/support/sandbox-programs.js';
import type { SandboxWorld } from '#test/support/sandbox-world.js';

const asking = (amount: string, unique_asset_id: string) => ({ amount, unique_asset_id });

export function paying(running: () => SandboxWorld): void {
  describe('npm run pay', () => {
    let world: SandboxWorld;
    beforeAll(() => {
      world = running();
    });

    it('pays in parts, and explains why a token cannot be paid', async () => {
      const file = world.file();
      const { pos_id, networks } = file;
      const body = { amount: '10', unique_asset_id: networks[0]!.assets[1]!.unique_asset_id };
      const { id, token } = await world
        .client(file)
        .post<PaymentRequestDto>(`/v1/pos/${pos_id}/payment-request`, body);

      const paid = world.run('pay.js', [id, '--amount', '9', '--split', '2']);

      expect(await paid.ended).toBe(0);
      expect(paid.stdout()).toMatch(/Paying 9 USDT, less than the 10 USDT asked, in 2 transfers/);
      expect(paid.stdout().match(/paid {6}4\.5 USDT in block \d+: 0x[0-9a-f]{64}/g)).toHaveLength(2);
      const refused = world.run('pay.js', [token.slice(0, -8)]);
      expect(await refused.ended).toBe(1);
      expect(refused.stderr()).toMatch(/A wallet rejects this token/);
      expect(refused.stderr()).not.toMatch(/\n {4}at /);
    });

    it('pays the native coin from a contract, at a later time of the chain', async () => {
      const { native_pos_id, networks } = world.file();
      const { rpc_url: chain } = networks[0]!;
      const request = await world
        .client()
        .post<PaymentRequestDto>(`/v1/pos/${native_pos_id}/payment-request`, asking('0.5', 'nsandbox_tETH'));
      const begun = Number((await blockHead(chain)).timestamp);

      const options = ['--native', '--split', '2', '--from-contract', '--after', '2'];
      const paid = world.run('pay.js', [request.id, ...options]);

      expect([await paid.ended, paid.stderr()]).toEqual([0, expect.anything()]);
      expect(paid.stdout()).toMatch(
        /^Paying 0\.5 ETH, exactly what is asked, in 2 transfers of one contract call\n/,
      );
      expect(paid.stdout()).toMatch(/sends {5}\S+Z, \d+ s before it expires/);
      expect(paid.stdout()).toContain(`/v1/pos/${native_pos_id}/payment-request/${request.id}`);
      const block = Number(/paid {6}0\.5 ETH in block (\d+)/.exec(paid.stdout())![1]);
      expect(Number((await blockHead(chain, block)).timestamp)).toBeGreaterThanOrEqual(begun + 2);
      const arrived = await chainRpc<string>(chain, 'eth_getBalance', [request.address, 'latest']);
      expect(BigInt(arrived)).toBe(500_000_000_000_000_000n);
    });

    it('pays checkouts by a signature, by an x402 header, and by a button', async () => {
      const { pos_id } = world.file();
      const opened = () =>
        world
          .client()
          .post<CheckoutDto>(`/v1/pos/${pos_id}/payment-request-checkout`, { amount: '2', coin_code: 'USD' });
      const [signature, x402, button] = [await opened(), await opened(), await opened()];
      const by = (way: string, { hosted_checkout_url: page }: CheckoutDto) =>
        world.run('pay.js', [page, '--asset', 'USDC', '--by', way]);

      const shop = by('button', button);
      const runs = [by('signature', signature), by('x402', x402)];

      for (const paid of runs) {
        expect([await paid.ended, paid.stderr()]).toEqual([0, expect.anything()]);
        expect(paid.stdout()).toMatch(
          /signed {4}for 0x[\s\S]*paid {6}by the service's transaction 0x[0-9a-f]{64}/,
        );
      }
      await untilPrinted(shop, 'has a wallet of the sandbox');
      const [origin] = /http:\/\/127\.0\.0\.1:\d+\//.exec(shop.stdout().split('button ')[1]!)!;
      expect(await (await fetch(origin)).text()).toContain(button.hosted_checkout_url);
      expect(await world.run('pay.js', [button.hosted_checkout_url, '--asset', 'USDC']).ended).toBe(0);
      expect(await shop.ended).toBe(0);
      expect(shop.stdout()).toMatch(/paid {6}the checkout is (processing|completed)/);
    });
  });
}
