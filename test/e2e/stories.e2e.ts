import { SharedService } from '../support/shared-service.js';
import { collectingSuite } from './stories/collecting.suite.js';
import { deletingAccountsSuite } from './stories/deleting-accounts.suite.js';
import { explainingSuite } from './stories/explaining.suite.js';
import { hostedPagesSuite } from './stories/hosted-pages.suite.js';
import { listenSuite } from './stories/listen.suite.js';
import { missedDaySuite } from './stories/missed-day.suite.js';
import { nativeCoinSuite } from './stories/native-coin.suite.js';
import { payingBySignatureSuite } from './stories/paying-by-signature.suite.js';
import { payingByX402Suite } from './stories/paying-by-x402.suite.js';
import { paymentLinksSuite } from './stories/payment-links.suite.js';
import { refundingSuite } from './stories/refunding.suite.js';
import { tillCodesSuite } from './stories/till-codes.suite.js';
import { subscribingSuite } from './stories/subscribing.suite.js';

// The gas key sends payments by signature, and settles nothing.
const shared = new SharedService({
  settles: true,
  ownsNothing: true,
  network: () => ({ settlement: { paused: true } }),
  settings: { CELL: 'k' },
});

// Its client signs for the payer's window by the clock of the machine, which blocks mined immediately leave behind.
payingByX402Suite(shared);
// Its receivers verify signatures by the clock of the machine, which its last tests leave behind.
collectingSuite(shared);
subscribingSuite(shared);
listenSuite(shared);
refundingSuite(shared);
nativeCoinSuite(shared);
payingBySignatureSuite(shared);
tillCodesSuite(shared);
// These move the clock past the end of what is open.
explainingSuite(shared);
deletingAccountsSuite(shared);
paymentLinksSuite(shared);
hostedPagesSuite(shared);
// Moves the clock by days, and checks all invariants at its end.
missedDaySuite(shared);
