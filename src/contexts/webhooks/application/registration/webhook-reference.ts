import type { WebhookId } from '../../../../shared/kernel/ids.js';
import type { Scope } from '../../../../shared/kernel/scope.js';

/** A webhook as a caller names it, whether or not there is one that it may see. */
export interface NamedWebhook {
  readonly scope: Scope;
  /** As it stands in the path; it may be anything. */
  readonly accountId: string;
  readonly webhookId: WebhookId;
}
