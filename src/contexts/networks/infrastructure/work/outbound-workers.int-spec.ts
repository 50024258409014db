import { setTimeout as pause } from 'node:timers/promises';
import { Logger, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SettingsModule } from '#app/settings/settings.module.js';
import { newId } from '#shared/kernel/ids.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import { PlatformModule } from '#shared/platform/platform.module.js';
import { OutboundTransactionSender } from '../../contract/outbound-transaction-sender.js';
import { NetworksModule, OutboundModule } from '../../networks.module.js';
import { settingsFor } from '../../testing/sample-configuration.js';
import { SENDING_NETWORK, CALLABLE_CONTRACT } from '../../testing/outbound-process.js';
import { SendingWorld } from '../../testing/outbound-world.js';
import { NetworksSettings } from '../networks-settings.js';
import { OutboundWorkers } from './outbound-workers.js';

/** The worker runs once per block, so within a test it runs only if it is woken. */
const SELDOM = { block_seconds: 3_600 };

const lines: Record<string, unknown>[] = [];
const keep = (line: unknown) => void lines.push(line as Record<string, unknown>);
let world: SendingWorld;
let worker: INestApplicationContext;
beforeAll(async () => {
  world = await SendingWorld.open();
  const { privateKey } = await world.key();
  const { networks, patience } = settingsFor(world.chain.url, SELDOM);
  const dataSource = createDataSource({
    databaseUrl: world.platform.url,
    poolSize: 4,
    applicationName: 'worker',
    onPoolError: () => undefined,
  });
  await dataSource.initialize();
  const module = await Test.createTestingModule({
    imports: [
      SettingsModule.forRoot([
        new HttpSettings(),
        new NetworksSettings(networks, patience, { kind: 'private_key', privateKey }),
      ]),
      PlatformModule.forRoot(dataSource),
      NetworksModule,
      OutboundModule,
    ],
  })
    .setLogger({ log: keep, warn: keep, error: keep })
    .compile();
  worker = await module.init();
});
afterAll(async () => {
  await worker.close();
  await world.close();
  Logger.overrideLogger(['error', 'warn', 'log']);
});

describe('A worker of sendings', () => {
  it('continues with what its process reserved as soon as that is committed', async () => {
    const sender = worker.get(OutboundTransactionSender);
    const id = newId<string>();
    const call = { to: CALLABLE_CONTRACT, data: '0x01', value: 0n, gasLimit: 60_000n };

    await sender.send({ id, network: SENDING_NETWORK, key: 'gas', purpose: 'settlement', call });
    const state = async () => (await sender.status(id))!.state;
    while ((await state()) === 'reserved') await pause(20);
    // The transaction may have been sent just before it was mined, so only the next cycle sees its receipt.
    while ((await state()) !== 'mined')
      await worker.get(OutboundWorkers, { strict: false }).runCycle(SENDING_NETWORK);

    expect(await sender.status(id)).toMatchObject({ state: 'mined', succeeded: true, nonce: 0 });
  });
});
