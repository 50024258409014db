import { SharedService } from '../support/shared-service.js';
import { accessSuite } from './dashboard/access.suite.js';
import { accountsSuite } from './dashboard/accounts.suite.js';
import { noticesSuite } from './dashboard/notices.suite.js';
import { sellingSuite } from './dashboard/selling.suite.js';
import { settlementsSuite } from './dashboard/settlements.suite.js';
import { subscriptionsSuite } from './dashboard/subscriptions.suite.js';
import { webhooksSuite } from './dashboard/webhooks.suite.js';

const shared = new SharedService();

// Checks all invariants at its end; those after it store what is not whole.
webhooksSuite(shared);
noticesSuite(shared);
accountsSuite(shared);
sellingSuite(shared);
subscriptionsSuite(shared);
settlementsSuite(shared);
// Moves the clock by minutes, which ends what a confirmation allows.
accessSuite(shared);
