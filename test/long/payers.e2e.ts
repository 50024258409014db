import { afterAll, beforeAll } from '@jest/globals';
import { brandingSuite } from '../browser/payers/branding.suite.js';
import { browserWalletCases } from '../browser/payers/browser-wallet.suite.js';
import { buttonCases } from '../browser/payers/button.suite.js';
import { detailsSuite } from '../browser/payers/details.suite.js';
import { linksAndSubscriptionsCases } from '../browser/payers/links-and-subscriptions.suite.js';
import { payingCases } from '../browser/payers/paying.suite.js';
import { tillCases } from '../browser/payers/till.suite.js';
import { PayerWorld } from '../support/payer-world.js';
import { tillFaultsSuite } from './payers/till-faults.suite.js';

let world: PayerWorld;

beforeAll(async () => {
  world = await PayerWorld.startForAll();
});

afterAll(() => world?.stop());

payingCases(() => world);
detailsSuite(() => world);
browserWalletCases(() => world);
linksAndSubscriptionsCases(() => world);
brandingSuite(() => world);
buttonCases(() => world);
tillCases(() => world);
tillFaultsSuite(() => world);
