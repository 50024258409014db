import { afterAll, beforeAll, expect } from '@jest/globals';
import { MedusaWorld } from '#test/support/medusa/medusa-world.js';
import { medusaGuideSuite } from './medusa/guide.suite.js';
import { medusaOrdersSuite } from './medusa/orders.suite.js';
import { medusaOutagesSuite } from './medusa/outages.suite.js';
import { medusaPackageSuite } from './medusa/package.suite.js';
import { medusaRefundsSuite } from './medusa/refunds.suite.js';
import { medusaWebhooksSuite } from './medusa/webhooks.suite.js';

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
