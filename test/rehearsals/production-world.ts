import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ApiClient } from '../support/api-client.js';
import { startAnvil } from '#sandbox/chain/anvil.js';
import {
  fundGasKey,
  prepareChain,
  SANDBOX_TERMS,
  sandboxNetwork,
  sandboxPayer,
} from '#sandbox/chain/sandbox-chain.js';
import { PayerWallet, tokenOf } from '#sandbox/payer/payer-wallet.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { DashboardPerson } from '../support/dashboard-person.js';
import { FolderPrograms, type Programs } from './production-programs.js';
import { ProductionService, REHEARSED_NETWORK } from './production-service.js';
import type { Rehearsal } from './rehearsal.js';
import { startReverseProxy } from './reverse-proxy.js';
import { startSecuredPostgres, type SecuredPostgres } from './secured-postgres.js';
import { TestAuthority } from './test-authority.js';

const CHAIN_ID = 424_242;
const EMAIL = 'owner@rehearsal.example';

interface WorldOptions {
  /** How many API processes stand behind the proxy. */
  readonly apis: number;
  /** Settings that lead the service to the database by another way. */
  readonly way?: (database: SecuredPostgres) => Promise<Record<string, string>>;
  /** Processes of this machine unless others are named. */
  readonly programs?: Programs;
}

export type ProductionWorld = Awaited<ReturnType<typeof startProductionWorld>>;

/** A service whose processes do not run yet, on a schema that is up to date; chain and database by TLS. */
export async function startProductionWorld(rehearsal: Rehearsal, options: WorldOptions) {
  const { apis, way } = options;
  const { folder } = rehearsal;
  const programs = options.programs ?? buildPrograms(rehearsal);
  const authority = new TestAuthority(folder);
  const database = await startSecuredPostgres(folder, authority);
  rehearsal.atEnd(database.stop);
  rehearsal.step('PostgreSQL takes TLS alone; one role owns the tables, the service signs in as another.');

  const anvil = await startAnvil({ port: await freePort(), chainId: CHAIN_ID });
  rehearsal.atEnd(() => anvil.stop());
  const [publicPort, chainPort] = [await freePort(), await freePort()];
  const httpPorts = await Promise.all(Array.from({ length: apis }, () => freePort()));
  const proxy = await startReverseProxy(join(folder, 'nginx'), authority.issue('proxy'), [
    { port: publicPort, upstreams: httpPorts.map((port) => `127.0.0.1:${port}`) },
    { port: chainPort, upstreams: [`127.0.0.1:${anvil.port}`] },
  ]);
  rehearsal.atEnd(proxy.stop);
  const publicUrl = `https://localhost:${publicPort}`;
  rehearsal.step('nginx speaks https for the service and for the chain node, by the test authority.');

  const service = await ProductionService.prepare({
    ...{ programs, folder, publicUrl, chainUrl: `https://localhost:${chainPort}`, chainId: CHAIN_ID },
    ...{ databaseUrl: database.serviceUrl, ownerUrl: database.ownerUrl, authority: authority.certificate },
    settings: (await way?.(database)) ?? {},
  });
  const plain = await service.migrate({ MIGRATION_DATABASE_URL: database.plainUrl }).then(
    () => 'taken',
    (error: Error) => error.message,
  );
  rehearsal.demand(/no pg_hba.conf entry|no encryption/.test(plain), `without TLS is refused: ${plain}`);
  await service.migrate();
  rehearsal.step('A connection without TLS is refused; `migrate` brings the schema, by the tables’ owner.');

  await prepareChain(anvil.url, 1);
  await fundGasKey(anvil.url, service.gasAddress);
  rehearsal.atEnd(() => service.stop());
  const token = tokenOf(sandboxNetwork(anvil.url).assets[0]!.unique_asset_id);
  const wallet = new PayerWallet(anvil.url, sandboxPayer);
  return {
    publicUrl,
    httpPorts,
    database,
    chainUrl: anvil.url,
    service,
    token,
    wallet,
    openShop: () => openShop(service, publicUrl, token),
  };
}

function buildPrograms(rehearsal: Rehearsal): Programs {
  const image = join(rehearsal.folder, 'image');
  execFileSync(process.execPath, ['scripts/build-image.mjs', image], { stdio: 'pipe' });
  rehearsal.step('What the image holds is built, by the step of the Dockerfile.');
  return new FolderPrograms(image);
}

/** An organization whose first Owner makes a key in the dashboard, as merchants do. */
async function openShop(service: ProductionService, publicUrl: string, token: string) {
  const name = ['--name', 'Rehearsal shop'];
  const contact = ['--support-contact', 'help@shop.example'];
  const made = await service.operator<{ id: string; account_id: string }>(
    ...(['organization', 'create', ...name, ...contact] as const),
  );
  await service.operator('organization', 'approve', made.id, '--yes');
  const of = ['--organization', made.id];
  const { link } = await service.operator<{ link: string }>('owner', 'invite', ...of, '--email', EMAIL);
  const owner = new DashboardPerson(publicUrl);
  const [recoveryCode] = await owner.join(link, 'kettle harbour lantern seven');
  const newKey = async (keyName: string, code: string) => {
    const form = { name: keyName, read: 'on', write: 'on', code };
    const page = await owner.shown(owner.post('/app/api-keys', form));
    const [apiKey, apiSecret] = ['key-id', 'key-secret'].map(
      (id) => new RegExp(`id="${id}"[^>]*>([^<]+)<`).exec(page)?.[1] ?? '',
    );
    return { apiKey: apiKey!, apiSecret: apiSecret! };
  };
  const { apiKey, apiSecret } = await newKey('Shop', recoveryCode!);
  const asset = `n${REHEARSED_NETWORK}_t${token}`;
  const terms = [...of, '--network', REHEARSED_NETWORK, '--address', SANDBOX_TERMS.settlementAddress];
  await service.operator('settlement-terms', 'set', ...terms, '--yes');
  const options = ['--account', made.account_id, ...name, '--payment-options', asset];
  const pos = await service.operator<{ id: string }>('pos', 'create', ...of, ...options);
  const api = new ApiClient(publicUrl, { apiKey, apiSecret });
  await api.authenticate();
  const requests = `/v1/pos/${pos.id}/payment-request`;
  return {
    ...{ api, apiKey, apiSecret, accountId: made.account_id, posId: pos.id, asset },
    /** A code of the authenticator app proves the owner. */
    newApiKey: (keyName: string) => newKey(keyName, owner.nextCode()),
    /** @returns the status of the answer: 303 once it is done */
    deleteApiKey: async (key: string, confirmation: string): Promise<number> =>
      (await owner.post(`/app/api-keys/${key.split('.').at(-1)}/delete`, { confirmation })).status,
    /** The request asks for 12.50. */
    request: (reference: string) =>
      api.post<{ id: string; address: `0x${string}` }>(requests, {
        ...{ amount: '12.50', unique_asset_id: asset, reference_id: reference },
      }),
    /** How many payments the ledger has. */
    posted: async () =>
      (await api.get<{ total: number }>('/v1/transactions?type=payment_in&page=1&page_size=5')).total,
    statusOf: async ({ id }: { id: string }) =>
      (await api.get<{ status: string }>(`${requests}/${id}`)).status,
  };
}
