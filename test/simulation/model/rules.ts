import { accountRules } from './accounts/account-rules.js';
import { assetRules } from './accounts/asset-rules.js';
import { posRules } from './accounts/pos-rules.js';
import type { Rule } from './exchange/heard.js';
import { tokenRules } from './exchange/token-rules.js';
import { eventRules } from './ledger/events.js';
import { ledgerRules } from './ledger/transactions.js';
import { linkRules } from './public/links.js';
import { sessionRules } from './public/sessions.js';
import { tillRules } from './public/tills.js';
import { creation } from './requests/creation.js';
import { reading } from './requests/requests.js';
import { settlementRules } from './settlement/settlements.js';
import { refundRules } from './refunds/refund-rules.js';
import { subscriptionRules } from './subscriptions/subscription-rules.js';
import { webhookRules } from './webhooks/webhook-rules.js';

/** The rules of every path that the model knows, by the route's name. */
export const ALL_RULES: ReadonlyMap<string, Rule> = new Map([
  ...tokenRules,
  ...accountRules,
  ...assetRules,
  ...posRules,
  ...creation,
  ...reading,
  ...sessionRules,
  ...linkRules,
  ...tillRules,
  ...ledgerRules,
  ...eventRules,
  ...webhookRules,
  ...subscriptionRules,
  ...refundRules,
  ...settlementRules,
]);
