import { SharedService } from '../support/shared-service.js';
import { choicesSuite } from './checkouts/choices.suite.js';
import { choosingAndPayingSuite } from './checkouts/choosing-and-paying.suite.js';
import { dashboardCostsSuite } from './checkouts/dashboard-costs.suite.js';
import { failuresSuite } from './checkouts/failures.suite.js';
import { receiptsSuite } from './checkouts/receipts.suite.js';
import { statementsSuite } from './checkouts/statements.suite.js';
import { strangersSuite } from './checkouts/strangers.suite.js';

const shared = new SharedService({
  settings: { CHECKOUT_URL: 'https://pay.example' },
  countsStatements: true,
});

statementsSuite(shared);
dashboardCostsSuite(shared);
choosingAndPayingSuite(shared);
choicesSuite(shared);
// Checks all invariants at its end.
receiptsSuite(shared);
// Moves the clock by a day.
strangersSuite(shared);
// Breaks invariants, and the API's way to its database at last.
failuresSuite(shared);
