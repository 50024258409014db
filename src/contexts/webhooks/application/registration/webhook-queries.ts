import type { OrganizationId, WebhookId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Webhook } from '../../domain/registration/webhook.js';

/** A webhook with what people call its account. */
export interface ShownWebhook extends Webhook {
  /** Absent for an account without a name. */
  readonly accountName?: string;
}

/** Webhooks of all accounts of an organization, as people look at them. Each method is one statement. */
export abstract class WebhookQueries {
  /** Oldest first, without those that were deleted. */
  abstract list(organizationId: OrganizationId, page: PageRequest): Promise<Page<ShownWebhook>>;
  /** @throws not_found, also for another organization's and for one that was deleted */
  abstract find(organizationId: OrganizationId, id: WebhookId): Promise<ShownWebhook>;
}
