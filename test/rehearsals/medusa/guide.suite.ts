import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { sandboxFileOf } from '#test/support/client-world.js';
import { followPage } from '#test/support/guides/follow-page.js';
import { GuideShell } from '#test/support/guides/guide-shell.js';
import { FOR_MEDUSA } from '#test/support/guides/guide-world.js';
import type { MedusaWorld } from './medusa-world.js';

/** The command that the page before the guides makes. */
const ENV = 'pay() { payment-collection pay --sandbox "$SANDBOX" "$@"; }\n';
/** Milliseconds between blocks: payments become final by themselves, as in a sandbox. */
const BETWEEN_BLOCKS = 250;

export function medusaGuideSuite(world: () => MedusaWorld): void {
  describe('A reader of the Medusa guide', () => {
    let mining: NodeJS.Timeout;
    let shell: GuideShell;
    beforeAll(async () => {
      const { service, shop } = world();
      await shop.kill();
      mining = setInterval(() => void service.chain.mine(1).catch(() => undefined), BETWEEN_BLOCKS);
      // The reader's own project has other files in these places.
      for (const name of ['medusa-config.js', 'src/jobs'])
        rmSync(join(shop.folder, name), { recursive: true, force: true });
      const bin = join(shop.folder, 'node_modules/.bin');
      symlinkSync(shop.commandLine, join(bin, 'medusa'));
      mkdirSync(guideFolder());
      writeFileSync(join(guideFolder(), 'env.sh'), ENV);
      writeFileSync(join(guideFolder(), 'sandbox.json'), sandboxFileOf(service));
      const { apiKey, apiSecret, accountId, posId } = service.seed;
      const path = [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
      shell = new GuideShell(guideFolder(), {
        ...{ ...shop.environment([]), PATH: path, npm_config_offline: 'true' },
        ...{ MEDUSA: shop.folder, MEDUSA_URL: shop.url, SANDBOX: join(guideFolder(), 'sandbox.json') },
        MEDUSA_PUBLISHABLE_KEY: shop.seeded.publishableKey,
        MEDUSA_SECRET_KEY: shop.seeded.secretKey,
        ...{ PAYMENT_COLLECTION_URL: service.apiUrl, PAYMENT_COLLECTION_API_KEY: apiKey },
        ...{ PAYMENT_COLLECTION_API_SECRET: apiSecret, ACCOUNT_ID: accountId, POS_ID: posId },
      });
    });
    afterAll(async () => {
      clearInterval(mining);
      await shell?.end();
    });

    it('sees the output that the guide shows', () => followPage(FOR_MEDUSA, guideFolder(), shell), 300_000);
  });

  /** Below the project, so that the client is found there. */
  function guideFolder(): string {
    return join(world().shop.folder, 'guide');
  }
}
