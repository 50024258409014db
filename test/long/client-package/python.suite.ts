import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RegisteredWebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { freePort } from '#sandbox/processes/free-port.js';
import type { ClientWorld } from '#test/support/client-world.js';
import { untilPrinted } from '#test/support/installed-client.js';
import { InstalledPython, PACKAGE } from './installed-python.js';
import { describeWithPython } from './python-tools.js';

const TESTS = join(PACKAGE, 'tests');
const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const LINES = /## A shop in 20 lines\n\n```python\n(.*?)```/s.exec(README)![1]!;
const UNIT = 10n ** 6n;
/** Another than the program in TypeScript collects at the same service. */
const ORDER = 'order-1043';

/** @param worldOf the service to collect a payment at */
export function pythonPackage(worldOf: () => ClientWorld): void {
  describeWithPython('The Python package, installed from its wheel', () => {
    let python: InstalledPython;
    beforeAll(async () => {
      worldOf().rest();
      python = await InstalledPython.install();
    }, 600_000);
    afterAll(() => {
      worldOf().mine();
      return python?.remove();
    });

    const types = (...what: string[]) => {
      const cache = ['--cache-dir', python.typeCache];
      const args = ['-m', 'mypy', '--strict', '--python-executable', python.interpreter, ...cache, ...what];
      return python.toolOnPackage(...args);
    };

    it('is generated from the current OpenAPI document', () =>
      python.tool(join(PACKAGE, 'generate.py'), '--check'));

    it('passes strict type checks, with a typed program and that of the README', async () => {
      await types('--config-file', join(PACKAGE, 'pyproject.toml'), join(PACKAGE, 'src'));
      await types(join(TESTS, 'typed_program.py'), python.write('shop.py', LINES));
    });

    it('passes every recorded case', async () => {
      const options = ['-q', '-p', 'no:cacheprovider', '--rootdir', python.empty];

      expect(await python.toolOnPackage('-m', 'pytest', ...options, TESTS)).toMatch(/\n\d+ passed in /);
    });

    it('collects a payment with the 20 lines of its README', async () => {
      const world = worldOf();
      world.mine();
      const { service, webhookPath } = world;
      const [asset] = service.assets;
      const port = String(await freePort());
      const url = `http://127.0.0.1:${port}/hooks`;
      const body = { url, event_type: 'payment_request' };
      const webhook = await service.api.post<RegisteredWebhookDto>(webhookPath, body);
      const environment = {
        ...world.credential,
        ...{ POS_ID: service.seed.posId, ASSET_ID: asset!.unique_asset_id },
        ...{ WEBHOOK_SECRET: webhook.secret, PORT: port },
      };
      expect(LINES.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
      const file = python.write('shop.py', LINES.replaceAll('order-1042', ORDER));
      const run = (given: object = {}) => python.run(file, { ...environment, ...given });

      const shop = run();
      await untilPrinted(shop, 'show as QR code naspip;');
      const [request] = await world.requestsOf(ORDER);
      const units = (25n * UNIT) / 2n;
      await service.wallet.send(tokenOf(asset!.unique_asset_id), request!.address as `0x${string}`, units);
      await untilPrinted(shop, "'status': 'processing'");
      await untilPrinted(shop, "'status': 'completed'");
      await untilPrinted(shop, `order ${ORDER} is completed`);
      // The same program once more: the order's number is the key, so nothing more is created.
      const again = run({ PORT: String(await freePort()) });
      await untilPrinted(again, `order ${ORDER} is completed`);

      expect(await world.requestsOf(ORDER)).toHaveLength(1);
      await service.api.delete(`${webhookPath}/${webhook.id}/delete`);
    });
  });
}
