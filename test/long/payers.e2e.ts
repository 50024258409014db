import { afterAll, beforeAll } from '@jest/globals';
import { brandingSuite } from '../pages/browser/payers/branding.suite.js';
import { browserWalletCases } from '../pages/browser/payers/browser-wallet.suite.js';
import { buttonCases } from '../pages/browser/payers/button.suite.js';
import { detailsSuite } from '../pages/browser/payers/details.suite.js';
import { linksAndSubscriptionsCases } from '../pages/browser/payers/links-and-subscriptions.suite.js';
import { payingCases } from '../pages/browser/payers/paying.suite.js';
import { tillCases } from '../pages/browser/payers/till.suite.js';
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
