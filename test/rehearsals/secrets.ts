// Each secret of the service is replaced while it is under load: `npm run rehearse -- secrets`.
import { join } from 'node:path';
import type { RegisteredWebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import { fundGasKey } from '#sandbox/chain/sandbox-chain.js';
import { listenForDeliveries } from '#sandbox/listener/delivery-listener.js';
import { verifyDelivery } from '#sandbox/listener/verify-delivery.js';
import type { RunningChild } from '#sandbox/processes/child-process.js';
import { eventually } from '../support/eventually.js';
import { startProductionWorld } from './production-world.js';
import { Rehearsal } from './rehearsal.js';
import { RATE, SecretsLoad } from './secrets-load.js';

const UNITS = 12_500_000n;
/** Longer than a wallet of the load keeps the public keys, which is shorter than a real one's five minutes. */
const MARGIN = '20s';
const FIXED = ['TOKEN_SIGNING_KEYS', 'NASPIP_KEY_ID', 'NASPIP_SECRET_KEY', 'NASPIP_KEY_EXPIRES_AT'];
const SEALING = ['WEBHOOK_SECRET_KEYS', 'DASHBOARD_SECRET_KEYS'];

interface Resealed {
  webhook_secrets: { resealed: number; unreadable: number };
  authenticator_secrets: { resealed: number; unreadable: number };
}
interface Key {
  id: string;
  kind: string;
  state: string;
}

await Rehearsal.run(async (rehearsal) => {
  const world = await startProductionWorld(rehearsal, { apis: 2 });
  const { service, publicUrl, httpPorts, token, wallet, openShop, database, chainUrl } = world;
  /** Accepted secrets with the number of webhooks that each verified. */
  const verified = new Map<string, number>();
  let unverified = 0;
  const receiver = await listenForDeliveries({
    ...{ host: '127.0.0.1', port: 0, path: '/payments', onRefused: () => undefined },
    handle: (delivery) => {
      const [secret, count] =
        [...verified].find(([one]) => verifyDelivery(delivery, [one], new Date()).own.verifies) ?? [];
      if (secret === undefined) unverified += 1;
      else verified.set(secret, count! + 1);
      return secret === undefined ? 401 : 200;
    },
  });
  rehearsal.atEnd(() => receiver.close());
  // Outside development no webhook goes to this machine; nothing else differs.
  service.set({ SERVICE_ENV: 'development', WEBHOOK_ALLOW_LOOPBACK_HTTP: 'true', DASHBOARD_URL: publicUrl });
  service.set({ TOKEN_EXCHANGES_PER_MINUTE: '600' });
  service.set({ SIGNING_KEYS_FILE: join(rehearsal.folder, 'signing-keys.json') });
  await service.operator('keys', 'import');
  service.set(Object.fromEntries(FIXED.map((name) => [name, undefined])));
  rehearsal.step('The fixed signing keys are in a file now, by `keys import`.');

  const apis = [await service.startApi(httpPorts[0]!), await service.startApi(httpPorts[1]!)];
  let worker = await service.startWorker();
  const end = (child: RunningChild) => child.end('SIGTERM', 30_000);
  const restartWorker = async () => {
    await end(worker);
    worker = await service.startWorker();
  };
  const shop = await openShop();
  const hooks = `/v1/account/${shop.accountId}/webhook`;
  const hook = await shop.api.post<RegisteredWebhookDto & { id: string }>(hooks, {
    ...{ url: receiver.url, event_type: 'payment_request' },
  });
  verified.set(hook.secret, 0);
  const load = new SecretsLoad(publicUrl, shop, shop, async (address) => {
    await wallet.send(token, address, UNITS);
  });
  /** The load goes on for some requests more, and none of them fails. */
  const goesOn = async (seconds = 4) => {
    const from = load.begun;
    await eventually(() => load.begun >= from + seconds * RATE);
    rehearsal.demand(load.failures.length === 0, `no request fails: ${load.failures.join('; ')}`);
  };
  const roll = async () => {
    await restartWorker();
    for (const n of [0, 1]) {
      await end(apis[n]!);
      apis[n] = await service.startApi(httpPorts[n]!);
      await goesOn(2);
    }
  };
  await goesOn();
  rehearsal.step(
    `Two API processes and a worker run; ${RATE} payment requests a second go through ${publicUrl}.`,
  );

  for (const kind of ['token', 'naspip']) {
    const { id } = await service.operator<Key>('keys', 'create', kind, '--signs-in', MARGIN);
    await eventually(() => load.signedBy.has(`${kind} ${id}`));
    await goesOn();
    const keys = await service.operator<Key[]>('keys', 'list');
    const [former] = keys.filter((key) => key.kind === kind && key.state === 'verifying');
    const refused = await service.operator('keys', 'remove', kind, former!.id, '--yes').then(
      () => 'taken',
      (error: Error) => error.message,
    );
    rehearsal.demand(refused.includes('valid until'), `the former key is kept: ${refused}`);
    rehearsal.step(`The ${kind} key was replaced, no process was restarted: ${load.signers(kind)}.`);
  }

  const rings = Object.fromEntries(SEALING.map((name) => [name, service.ringWithNew(name)]));
  const turned = (ring: string) => ring.split(',').reverse().join(',');
  service.set(rings);
  await roll();
  service.set(Object.fromEntries(SEALING.map((name) => [name, turned(rings[name]!)])));
  await roll();
  const first = await service.operator<Resealed>('keys', 'rotate');
  const again = await service.operator<Resealed>('keys', 'rotate');
  const sum = ({ webhook_secrets: one, authenticator_secrets: other }: Resealed) =>
    one.resealed + one.unreadable + other.resealed + other.unreadable;
  rehearsal.demand(
    sum(first) === 2 && sum(again) === 0,
    `all is encrypted anew: ${JSON.stringify([first, again])}`,
  );
  service.set(Object.fromEntries(SEALING.map((name) => [name, turned(rings[name]!).split(',')[0]])));
  await roll();
  rehearsal.step(`${SEALING.join(' and ')} were replaced: three rolling restarts and \`keys rotate\`.`);

  const credential = await shop.newApiKey('Shop 2');
  load.use(credential);
  await load.settled();
  const deleted = await shop.deleteApiKey(shop.apiKey, 'Shop');
  rehearsal.demand(deleted === 303, `the former API key is deleted: ${deleted}`);
  await goesOn();
  rehearsal.step(
    'The API key was replaced in the dashboard, by a code of the app whose secret was encrypted anew.',
  );

  rehearsal.demand(verified.get(hook.secret)! > 0, 'webhooks came before the change');
  const path = `${hooks}/${hook.id}`;
  const client = load.present;
  const rotated = await client.post<RegisteredWebhookDto>(`${path}/rotate-secret`, {
    overlap_seconds: 3_600,
  });
  verified.set(rotated.secret, 0);
  await goesOn();
  await client.post(`${path}/end-overlap`, {});
  await eventually(() => verified.get(rotated.secret)! > 0);
  rehearsal.step('The webhook has a new secret: after the overlap it signs alone.');

  const url = await database.addServiceRole('payments_service_2');
  await service.migrate({ DATABASE_URL: url });
  service.set({ DATABASE_URL: url });
  await roll();
  await database.closeFirstRole();
  await goesOn();
  rehearsal.step('The service signs in to the database as another role; the former one signs in no more.');

  await fundGasKey(chainUrl, service.replaceGasKey());
  await restartWorker();
  await goesOn();
  rehearsal.step('The worker was restarted with another gas key.');

  await load.stop();
  rehearsal.demand(load.failures.length === 0, `no request fails: ${load.failures.join('; ')}`);
  const { created, read, exchanged, checked } = load.counts;
  rehearsal.step(
    `${created} payment requests were created and ${read} read, ${exchanged} tokens exchanged, none failed. ` +
      `${checked} payment tokens were verified against the public keys of their moment and of some seconds before: ` +
      `${load.signers('naspip')}.`,
  );
  for (const id of load.paid)
    await eventually(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 250));
        return (await load.present.get<{ status: string }>(`/v1/pos/${shop.posId}/payment-request/${id}`))
          .status;
      },
      (status) => status === 'completed',
      180_000,
    );
  rehearsal.demand(unverified === 0, `${unverified} webhooks were not signed as they should be`);
  rehearsal.step(
    `${load.paid.length} were paid and are completed; ${[...verified.values()].join(' and ')} webhooks were signed by the ` +
      'first and the second secret, none by neither.',
  );
  rehearsal.step(`\`verify\`: all ${await service.verified()} invariants hold.`);
});
