import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareChain, sandboxNetworkConfiguration } from '#sandbox/chain/sandbox-chain.js';
import { startTestChain } from '#test/support/chain.js';
import { SandboxWorld } from '#test/support/sandbox-world.js';
import { createTestDatabase } from '#test/support/test-database.js';

function isListening(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}

export function ownDatabase(): void {
  describe('The sandbox with its own database and networks', () => {
    let world: SandboxWorld;
    beforeAll(async () => {
      world = await SandboxWorld.make();
    });
    afterAll(async () => {
      await world.stop();
      await world.remove();
    });

    it('starts neither database, chain nor wallet', async () => {
      const [database, chain] = await Promise.all([createTestDatabase(), startTestChain()]);
      await prepareChain(chain.url);
      const networksFile = join(world.home, 'networks.json');
      writeFileSync(networksFile, JSON.stringify(sandboxNetworkConfiguration(chain.url)));
      const own = { DATABASE_URL: database.url, NETWORKS_FILE: networksFile, LOG_LEVEL: 'warn' };

      const { stdout } = await world.start(own);
      const logged = readFileSync(join(world.directory, 'logs', 'worker.log'), 'utf8');
      const parts = world.parts();
      const demo = world.run('demo.js', [], own);
      const demoStatus = await demo.ended;
      const request = { amount: '1', unique_asset_id: world.file().networks[0]!.assets[0]!.unique_asset_id };
      const create = world.client().post(`/v1/pos/${world.file().pos_id}/payment-request`, request);

      // Nobody but its owner may say where real money goes.
      await expect(create).rejects.toMatchObject({ code: 'settlement_address_missing' });
      expect(world.file()).toMatchObject({
        payer: null,
        wallet_url: null,
        checkout_url: null,
        payment_link_url: null,
        subscription_url: null,
      });
      expect(await isListening(Number(world.settings['SANDBOX_WALLET_PORT']))).toBe(false);
      expect(parts).toHaveLength(2);
      expect(logged).not.toContain('"level":"info"');
      expect(stdout()).toMatch(/The networks are yours \(NETWORKS_FILE\)/);
      expect(demoStatus).toBe(1);
      expect(demo.stderr()).toMatch(/pays on the sandbox chain only/);
      await world.stop();
      await Promise.all([database.drop(), chain.kill()]);
    });

    it('does not start on a taken port or in production', async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;

      const refused = world.run('sandbox.js', [], { HTTP_PORT: String(port) });

      expect(await refused.ended).toBe(1);
      expect(refused.stderr()).toMatch(
        new RegExp(`port ${port} .*used by another program.* set HTTP_PORT to a free port`),
      );
      const production = world.run('sandbox.js', [], { SERVICE_ENV: 'production' });
      expect(await production.ended).toBe(1);
      expect(production.stderr()).toMatch(
        /SERVICE_ENV is production, and the sandbox is for development only/,
      );
      other.close();
    });
  });
}
