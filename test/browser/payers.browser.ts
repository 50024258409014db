import { afterAll, beforeAll } from '@jest/globals';
import { PayerWorld } from '../support/payer-world.js';
import { brandingSuite } from './payers/branding.suite.js';
import { browserWalletSuite } from './payers/browser-wallet.suite.js';
import { buttonSuite } from './payers/button.suite.js';
import { endingSuite } from './payers/ending.suite.js';
import { linksAndSubscriptionsSuite } from './payers/links-and-subscriptions.suite.js';
import { payingSuite } from './payers/paying.suite.js';
import { tillSuite } from './payers/till.suite.js';
import { tillCodeSuite } from './payers/till-code.suite.js';

let world: PayerWorld;

beforeAll(async () => {
  // A settlement would mine blocks, and so confirm what a test holds back.
  const network = { settlement: { paused: true }, wallet_rpc_url: 'https://rpc.example/sandbox' };
  world = await PayerWorld.start({ settles: true, network: () => network });
});

afterAll(() => world?.stop());

payingSuite(() => world);
browserWalletSuite(() => world);
linksAndSubscriptionsSuite(() => world);
tillCodeSuite(() => world);
brandingSuite(() => world);
buttonSuite(() => world);
tillSuite(() => world);
// Moves the clock past the end of what is open.
endingSuite(() => world);
