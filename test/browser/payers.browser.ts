import { afterAll, beforeAll } from '@jest/globals';
import { PayerWorld } from '../support/payer-world.js';
import { buttonSuite } from './payers/button.suite.js';
import { endingSuite } from './payers/ending.suite.js';
import { linksAndSubscriptionsSuite } from './payers/links-and-subscriptions.suite.js';
import { payingSuite } from './payers/paying.suite.js';

let world: PayerWorld;

beforeAll(async () => {
  world = await PayerWorld.start();
});

afterAll(() => world?.stop());

payingSuite(() => world);
linksAndSubscriptionsSuite(() => world);
buttonSuite(() => world);
// Moves the clock past the end of what is open.
endingSuite(() => world);
