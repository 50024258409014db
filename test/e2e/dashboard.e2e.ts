import { SharedService } from '../support/shared-service.js';
import { accessSuite } from './dashboard/access.suite.js';
import { accountsSuite } from './dashboard/accounts.suite.js';
import { booksSuite } from './dashboard/books.suite.js';
import { noticesSuite } from './dashboard/notices.suite.js';
import { overviewSuite } from './dashboard/overview.suite.js';
import { paymentsSuite } from './dashboard/payments.suite.js';
import { refundsSuite } from './dashboard/refunds.suite.js';
import { rolesSuite } from './dashboard/roles.suite.js';
import { sellingSuite } from './dashboard/selling.suite.js';
import { settlementsSuite } from './dashboard/settlements.suite.js';
import { staleSessionsSuite } from './dashboard/stale-sessions.suite.js';
import { subscriptionsSuite } from './dashboard/subscriptions.suite.js';
import { transactionsSuite } from './dashboard/transactions.suite.js';
import { webhooksSuite } from './dashboard/webhooks.suite.js';

const shared = new SharedService({ network: () => ({ explorer_url: 'https://scan.example/' }) });

// Checks all invariants at its end; those after it store incomplete rows.
webhooksSuite(shared);
noticesSuite(shared);
accountsSuite(shared);
refundsSuite(shared);
transactionsSuite(shared);
paymentsSuite(shared);
sellingSuite(shared);
subscriptionsSuite(shared);
settlementsSuite(shared);
rolesSuite(shared);
staleSessionsSuite(shared);
// Moves the clock by minutes, which ends what a confirmation allows.
accessSuite(shared);
// Moves the clock by days, which ends all sessions.
overviewSuite(shared);
booksSuite(shared);
