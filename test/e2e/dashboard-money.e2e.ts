import { SharedService } from '../support/shared-service.js';
import { booksSuite } from './dashboard/books.suite.js';
import { overviewSuite } from './dashboard/overview.suite.js';
import { paymentsSuite } from './dashboard/payments.suite.js';
import { refundsSuite } from './dashboard/refunds.suite.js';
import { rolesSuite } from './dashboard/roles.suite.js';
import { staleSessionsSuite } from './dashboard/stale-sessions.suite.js';
import { transactionsSuite } from './dashboard/transactions.suite.js';

const shared = new SharedService({ network: () => ({ explorer_url: 'https://scan.example/' }) });

refundsSuite(shared);
transactionsSuite(shared);
paymentsSuite(shared);
rolesSuite(shared);
staleSessionsSuite(shared);
// Moves the clock by days, which ends all sessions.
overviewSuite(shared);
booksSuite(shared);
