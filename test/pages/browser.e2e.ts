import { afterAll, beforeAll } from '@jest/globals';
import { PayerWorld } from '../support/payer-world.js';
import { ownerSuite } from './browser/dashboard/owner.suite.js';
import { tasksSuite } from './browser/dashboard/tasks.suite.js';
import { browserWalletSuite } from './browser/payers/browser-wallet.suite.js';
import { buttonSuite } from './browser/payers/button.suite.js';
import { endingSuite } from './browser/payers/ending.suite.js';
import { linksAndSubscriptionsSuite } from './browser/payers/links-and-subscriptions.suite.js';
import { payingSuite } from './browser/payers/paying.suite.js';
import { tillSuite } from './browser/payers/till.suite.js';
import { tillCodeSuite } from './browser/payers/till-code.suite.js';

let world: PayerWorld;

beforeAll(async () => {
  world = await PayerWorld.startForAll();
});

afterAll(() => world?.stop());

ownerSuite(() => world);
tasksSuite(() => world);
payingSuite(() => world);
browserWalletSuite(() => world);
linksAndSubscriptionsSuite(() => world);
tillCodeSuite(() => world);
buttonSuite(() => world);
tillSuite(() => world);
// Moves the clock past the end of what is open.
endingSuite(() => world);
