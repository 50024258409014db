import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { sandboxFileOf } from '#test/support/client-world.js';
import { followPage } from '#test/support/guides/follow-page.js';
import { GuideShell } from '#test/support/guides/guide-shell.js';
import { FOR_VENDURE } from '#test/support/guides/guide-world.js';
import type { TestService } from '#test/support/service.js';

/** A Vendure project with the plugin installed. */
export interface VendureShop {
  readonly service: TestService;
  readonly folder: string;
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  kill(): Promise<void>;
}

/** The command that the page before the guides makes. */
const ENV = 'pay() { payment-collection pay --sandbox "$SANDBOX" "$@"; }\n';
const BETWEEN_BLOCKS_MS = 250;

export function vendureGuideSuite(shopOf: () => VendureShop): void {
  describe('A reader of the Vendure guide', () => {
    let mining: NodeJS.Timeout;
    let shell: GuideShell;
    let guide: string;
    beforeAll(async () => {
      const { service, folder, url, environment, kill } = shopOf();
      await kill();
      mining = setInterval(() => void service.chain.mine(1).catch(() => undefined), BETWEEN_BLOCKS_MS);
      // Below the project, so that the client is found there.
      guide = join(folder, 'guide');
      for (const made of [guide, join(folder, 'src')]) mkdirSync(made);
      writeFileSync(join(guide, 'env.sh'), ENV);
      writeFileSync(join(guide, 'sandbox.json'), sandboxFileOf(service));
      const { apiKey, apiSecret, accountId, posId } = service.seed;
      const bin = join(folder, 'node_modules/.bin');
      shell = new GuideShell(guide, {
        ...environment,
        PATH: [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
        ...{ VENDURE: folder, VENDURE_URL: url, SANDBOX: join(guide, 'sandbox.json') },
        ...{ VENDURE_USER: 'superadmin', VENDURE_PASSWORD: 'superadmin', npm_config_offline: 'true' },
        ...{ PAYMENT_COLLECTION_URL: service.apiUrl, PAYMENT_COLLECTION_API_KEY: apiKey },
        ...{ PAYMENT_COLLECTION_API_SECRET: apiSecret, ACCOUNT_ID: accountId, POS_ID: posId },
      });
    });
    afterAll(async () => {
      clearInterval(mining);
      await shell?.end();
    });

    it('sees the output that the guide shows', () => followPage(FOR_VENDURE, guide, shell), 300_000);
  });
}
