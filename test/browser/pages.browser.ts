import { afterAll, beforeAll } from '@jest/globals';
import { PayerWorld } from '../support/payer-world.js';
import { ownerSuite } from './dashboard/owner.suite.js';
import { tasksSuite } from './dashboard/tasks.suite.js';
import { browserWalletSuite } from './payers/browser-wallet.suite.js';
import { buttonSuite } from './payers/button.suite.js';
import { endingSuite } from './payers/ending.suite.js';
import { linksAndSubscriptionsSuite } from './payers/links-and-subscriptions.suite.js';
import { payingSuite } from './payers/paying.suite.js';
import { tillSuite } from './payers/till.suite.js';
import { tillCodeSuite } from './payers/till-code.suite.js';

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
