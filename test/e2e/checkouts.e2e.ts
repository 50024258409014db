import { SharedService } from '../support/shared-service.js';
import { choosingAndPayingSuite } from './checkouts/choosing-and-paying.suite.js';
import { failuresSuite } from './checkouts/failures.suite.js';
import { receiptsSuite } from './checkouts/receipts.suite.js';
import { statementsSuite } from './checkouts/statements.suite.js';
import { strangersSuite } from './checkouts/strangers.suite.js';
import { costsSuite } from './dashboard/costs.suite.js';

const shared = new SharedService({
  settings: { CHECKOUT_URL: 'https://pay.example' },
  countsStatements: true,
});

statementsSuite(shared);
costsSuite(shared);
// Checks all invariants after each test; the suites after it move the clock and break some.
choosingAndPayingSuite(shared);
receiptsSuite(shared);
// Moves the clock by a day.
strangersSuite(shared);
// Breaks invariants, and the API's way to its database at last.
failuresSuite(shared);
