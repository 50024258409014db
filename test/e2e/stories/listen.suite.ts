import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { SandboxFolder } from '#sandbox/folder/sandbox-folder.js';
import { lockSandbox } from '#sandbox/folder/sandbox-lock.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { endPrograms, run, untilPrinted, type Run } from '#test/support/sandbox-programs.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';
const home = mkdtempSync(join(tmpdir(), 'listen-e2e-'));
const settings = { SANDBOX_DIRECTORY: join(home, 'world') };
const folder = new SandboxFolder(settings.SANDBOX_DIRECTORY);
folder.make();

const listen = (...args: string[]): Run => run('listen.js', settings, args);

export function listenSuite(shared: SharedService): void {
  describe('npm run listen', () => {
    afterAll(async () => {
      await endPrograms();
      rmSync(home, { recursive: true, force: true });
    });

    describe('A listener beside a running service', () => {
      let service: TestService;
      let unlock: () => void;

      beforeAll(async () => {
        service = await shared.shop();
        const { apiUrl, seed, assets } = service;
        // The programs of a sandbox learn from this that one runs, and how to call it.
        unlock = lockSandbox(folder);
        folder.write({
          api_url: apiUrl,
          docs_url: `${apiUrl}/docs`,
          dashboard_url: 'http://localhost:3000/app',
          dashboard_owner: null,
          api_key: seed.apiKey,
          api_secret: seed.apiSecret,
          organization_id: seed.organizationId,
          account_id: seed.accountId,
          pos_id: seed.posId,
          native_pos_id: seed.nativePosId,
          bitcoin_pos_id: null,
          tron: null,
          networks: [
            { network: 'sandbox', chain_id: 31_337, rpc_url: service.chain.url, assets: [...assets] },
          ],
          payer: null,
          wallet_url: null,
          checkout_url: null,
          bitcoin_checkout_url: null,
          payment_link_url: null,
          subscription_url: null,
        });
      });
      afterAll(async () => {
        unlock?.();
      });

      const webhooks = async () =>
        (
          await service.api.get<PageBody<{ id: string; url: string }>>(
            `/v1/account/${service.seed.accountId}/webhook/list?page=1&page_size=10`,
          )
        ).data;

      const urlOf = (listener: Run) => /Listening on (.*)\. Press Ctrl-C/.exec(listener.stderr())![1];

      it('prints the deliveries of a payment, and deletes its webhook at the end', async () => {
        const listener = listen();
        await untilPrinted(listener, 'and is deleted at the end');
        const asset = service.assets[0]!;
        const body = { amount: '1', unique_asset_id: asset.unique_asset_id, reference_id: 'Ñ/"😀' };
        const request = await service.api.post<PaymentRequestDto>(
          `/v1/pos/${service.seed.posId}/payment-request`,
          body,
        );
        const [webhook] = await webhooks();

        await service.wallet.send(
          tokenOf(asset.unique_asset_id),
          request.address as `0x${string}`,
          10n ** BigInt(asset.decimals),
        );
        await untilPrinted(listener, 'payment_request_status_update  processing  verified');
        await service.chain.mine(10);
        await untilPrinted(listener, 'payment_request_status_update  completed  verified');
        listener.process.kill('SIGINT');

        expect(await listener.ended).toBe(0);
        expect(listener.stdout().match(new RegExp(`payment request +${request.id}$`, 'gm'))).toHaveLength(2);
        expect(listener.stdout().match(/^ {2}reference +Ñ\/"😀$/gm)).toHaveLength(2);
        expect(listener.stderr()).toContain(`Listening on ${webhook!.url}.`);
        expect(listener.stderr()).toContain(`Webhook ${webhook!.id} is deleted.`);
        expect(await webhooks()).toEqual([]);
      });

      it('deletes the webhooks of killed listeners, and no others', async () => {
        const port = String(await freePort());
        const [running, killed, before] = [listen(), listen(), listen(port)];
        for (const one of [running, killed, before]) await untilPrinted(one, 'and is deleted at the end');
        for (const one of [killed, before]) {
          one.process.kill('SIGKILL');
          await one.ended;
        }
        const foreign = { url: `http://127.0.0.1:${await freePort()}/`, event_type: 'payment_request' };
        const path = `/v1/account/${service.seed.accountId}/webhook`;
        const { id } = await service.api.post<{ id: string }>(path, foreign);

        const listener = listen(port);
        await untilPrinted(listener, 'and is deleted at the end');

        const urls = (await webhooks()).map(({ url }) => url);
        for (const one of [running, listener]) one.process.kill('SIGINT');
        expect(await Promise.all([running.ended, listener.ended])).toEqual([0, 0]);
        await service.api.delete(`${path}/${id}/delete`);
        expect(urls.sort()).toEqual([urlOf(running), foreign.url, urlOf(listener)].sort());
      });
    });
  });
}
