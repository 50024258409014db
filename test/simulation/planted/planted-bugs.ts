import { bugsInCheckouts } from './in-checkouts.js';
import { bugsInIdentity } from './in-identity.js';
import { bugsInLedger } from './in-ledger.js';
import { bugsInPayments } from './in-payments.js';
import { bugsInPlatform } from './in-platform.js';
import { bugsInRefunds } from './in-refunds.js';
import { bugsInSending } from './in-sending.js';
import { bugsInSettlement } from './in-settlement.js';
import { bugsInSubscriptions } from './in-subscriptions.js';
import { bugsInWatching } from './in-watching.js';
import { bugsInWebhooks } from './in-webhooks.js';
import type { PlantedBug } from './planted-bug.js';

/** Every bug that the simulator is to find. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...bugsInPayments,
  ...bugsInWatching,
  ...bugsInCheckouts,
  ...bugsInSettlement,
  ...bugsInRefunds,
  ...bugsInSubscriptions,
  ...bugsInLedger,
  ...bugsInWebhooks,
  ...bugsInIdentity,
  ...bugsInSending,
  ...bugsInPlatform,
];
