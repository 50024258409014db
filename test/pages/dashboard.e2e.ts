import { SharedService } from '../support/shared-service.js';
import { accessSuite } from './dashboard/access.suite.js';
import { moneySuite } from './dashboard/money.suite.js';
import { notificationsSuite } from './dashboard/notifications.suite.js';
import { refundsSuite } from './dashboard/refunds.suite.js';
import { rolesSuite } from './dashboard/roles.suite.js';
import { sellingSuite } from './dashboard/selling.suite.js';
import { staleSessionsSuite } from './dashboard/stale-sessions.suite.js';
import { webhooksSuite } from './dashboard/webhooks.suite.js';

const shared = new SharedService({ network: () => ({ explorer_url: 'https://scan.example/' }) });

webhooksSuite(shared);
// Checks all invariants at its end; those after it store incomplete rows.
notificationsSuite(shared);
refundsSuite(shared);
sellingSuite(shared);
rolesSuite(shared);
staleSessionsSuite(shared);
// Moves the clock by minutes, which ends what a confirmation allows.
accessSuite(shared);
// Moves the clock by a month, which ends all sessions.
moneySuite(shared);
