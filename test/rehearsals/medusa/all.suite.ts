import { afterAll, beforeAll, expect } from '@jest/globals';
import { MedusaWorld } from './medusa-world.js';
import { medusaGuideSuite } from './guide.suite.js';
import { medusaOrdersSuite } from './orders.suite.js';
import { medusaOutagesSuite } from './outages.suite.js';
import { medusaPackageSuite } from './package.suite.js';
import { medusaRefundsSuite } from './refunds.suite.js';
import { medusaWebhooksSuite } from './webhooks.suite.js';

/** An empty cache of npm is filled first. */
const TO_INSTALL = 900_000;

let world: MedusaWorld;
beforeAll(async () => {
  world = await MedusaWorld.start();
}, TO_INSTALL);
afterAll(async () => {
  const breaches = await world?.service.breaches();
  await world?.stop();
  expect(breaches).toEqual([]);
});

const shared = () => world;
medusaPackageSuite(shared);
medusaOrdersSuite(shared);
medusaWebhooksSuite(shared);
medusaRefundsSuite(shared);
// What moves the clock comes last.
medusaOutagesSuite(shared);
medusaGuideSuite(shared);
