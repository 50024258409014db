// One payment in the configuration of production, in an empty folder: `npm run rehearse`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAnvil } from '../../src/sandbox/chain/anvil.js';
import {
  fundGasKey,
  prepareChain,
  SANDBOX_TERMS,
  sandboxNetwork,
  sandboxPayer,
} from '../../src/sandbox/chain/sandbox-chain.js';
import { ApiClient } from '../../src/sandbox/api/api-client.js';
import { PayerWallet, tokenOf } from '../../src/sandbox/payer/payer-wallet.js';
import { freePort } from '../../src/sandbox/processes/free-port.js';
import { DashboardPerson } from '../support/dashboard-person.js';
import { eventually } from '../support/eventually.js';
import { ProductionService, REHEARSED_NETWORK } from './production-service.js';
import { startReverseProxy } from './reverse-proxy.js';
import { startSecuredPostgres } from './secured-postgres.js';
import { TestAuthority } from './test-authority.js';

const CHAIN_ID = 424_242;
const EMAIL = 'owner@rehearsal.example';

const begun = performance.now();
let steps = 0;
function step(what: string): void {
  process.stdout.write(
    `${(++steps).toString().padStart(2)}. ${what} (${((performance.now() - begun) / 1000).toFixed(1)} s)\n`,
  );
}
function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(`This does not hold: ${what}`);
}

const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
try {
  const image = join(folder, 'image');
  execFileSync(process.execPath, ['scripts/build-image.mjs', image], { stdio: 'pipe' });
  step('What the image holds is built, by the step of the Dockerfile.');

  const authority = new TestAuthority(folder);
  const database = await startSecuredPostgres(folder, authority);
  stops.push(database.stop);
  step('PostgreSQL takes TLS alone; one role owns the tables, the service signs in as another.');

  const anvil = await startAnvil({ port: await freePort(), chainId: CHAIN_ID });
  stops.push(() => anvil.stop());
  const [httpPort, publicPort, chainPort] = [await freePort(), await freePort(), await freePort()];
  const proxy = await startReverseProxy(join(folder, 'nginx'), authority.issue('proxy'), [
    { port: publicPort, upstream: `http://127.0.0.1:${httpPort}` },
    { port: chainPort, upstream: anvil.url },
  ]);
  stops.push(proxy.stop);
  const publicUrl = `https://localhost:${publicPort}`;
  step('nginx speaks https for the service and for the chain node, by the test authority.');

  const service = await ProductionService.prepare({
    ...{ image, folder, publicUrl, httpPort, chainUrl: `https://localhost:${chainPort}`, chainId: CHAIN_ID },
    ...{ databaseUrl: database.serviceUrl, ownerUrl: database.ownerUrl, authority: authority.certificate },
  });
  const plain = await service.migrate({ MIGRATION_DATABASE_URL: database.plainUrl }).then(
    () => 'taken',
    (error: Error) => error.message,
  );
  demand(/no pg_hba.conf entry|no encryption/.test(plain), `a connection without TLS is refused: ${plain}`);
  await service.migrate();
  step('A connection without TLS is refused; `migrate` brings the schema, by the role that owns the tables.');

  await prepareChain(anvil.url, 1);
  await fundGasKey(anvil.url, service.gasAddress);
  const findings = await service.operator<{ verdict: string }[]>('network', 'check', REHEARSED_NETWORK);
  demand(
    findings.every(({ verdict }) => verdict !== 'wrong'),
    JSON.stringify(findings),
  );
  step(`\`network check\` finds nothing wrong in ${findings.length} checks, by https.`);

  stops.push(() => service.stop());
  await service.start();
  await eventually(async () => (await fetch(`${publicUrl}/health`).catch(() => undefined))?.ok);
  step('API and worker run, SERVICE_ENV=production, and answer through the proxy.');

  const shop = ['--name', 'Rehearsal shop'];
  const made = await service.operator<{ id: string; account_id: string }>('organization', 'create', ...shop);
  await service.operator('organization', 'approve', made.id);
  const of = ['--organization', made.id];
  const { link } = await service.operator<{ link: string }>('owner', 'invite', ...of, '--email', EMAIL);
  demand(link.startsWith(`${publicUrl}/app/`), `the invitation leads to the dashboard: ${link}`);
  const owner = new DashboardPerson(publicUrl);
  const recoveryCodes = await owner.join(link, 'kettle harbour lantern seven');
  const form = { name: 'Shop', read: 'on', write: 'on', code: recoveryCodes[0]! };
  const page = await (await owner.post('/app/api-keys', form)).text();
  const shown = (id: string) => new RegExp(`id="${id}"[^>]*>([^<]+)<`).exec(page)?.[1] ?? '';
  demand(shown('key-id').startsWith('svc.prd.'), 'a production key was made in the dashboard');
  step('The first Owner joins by invitation with two factors, and makes a production key.');

  const token = tokenOf(sandboxNetwork(anvil.url).assets[0]!.unique_asset_id);
  const asset = `n${REHEARSED_NETWORK}_t${token}`;
  const { settlementAddress } = SANDBOX_TERMS;
  const terms = [...of, '--network', REHEARSED_NETWORK, '--address', settlementAddress];
  await service.operator('settlement-terms', 'set', ...terms);
  const options = ['--account', made.account_id, ...shop, '--payment-options', asset];
  const pos = await service.operator<{ id: string }>('pos', 'create', ...of, ...options);
  const api = new ApiClient(publicUrl, { apiKey: shown('key-id'), apiSecret: shown('key-secret') });
  await api.authenticate();
  const webhook = `/v1/account/${made.account_id}/webhook`;
  const refused = await api
    .post(webhook, { url: 'https://127.0.0.1/hook', event_type: 'payment_request' })
    .then(
      () => 'taken',
      (error: Error) => error.message,
    );
  demand(refused.startsWith('url'), `a webhook to the loopback address is refused: ${refused}`);
  step(`A webhook to the loopback address is refused: "${refused}"`);

  const wallet = new PayerWallet(anvil.url, sandboxPayer);
  const before = await wallet.balance(token, settlementAddress);
  const requests = `/v1/pos/${pos.id}/payment-request`;
  const body = { amount: '12.50', unique_asset_id: asset, reference_id: 'order-1' };
  const request = await api.post<{ id: string; address: `0x${string}` }>(requests, body);
  await wallet.send(token, request.address, 12_500_000n);
  step(`Payment request ${request.id} is created, and paid on the chain.`);
  const status = async () => (await api.get<{ status: string }>(`${requests}/${request.id}`)).status;
  const seen = new Set<string>();
  await eventually(
    async () => {
      seen.add(await status());
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return seen.has('completed');
    },
    Boolean,
    120_000,
  );
  step(`Polling, once a second, saw: ${[...seen].join(', ')}.`);

  const delivered = async () => (await wallet.balance(token, settlementAddress)) - before;
  await eventually(delivered, (amount) => amount === 12_500_000n, 120_000);
  step('12.50 USDC reached the settlement address.');

  const verified = await service.operator<{ invariants: number; broken: unknown[] }>('verify');
  demand(verified.broken.length === 0, JSON.stringify(verified.broken));
  step(`\`verify\`: all ${verified.invariants} invariants hold.`);
  process.stdout.write('The rehearsal is complete.\n');
} finally {
  for (const stop of stops.reverse()) await stop();
}
