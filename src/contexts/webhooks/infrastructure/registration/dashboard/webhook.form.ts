import { DashboardPageQuery } from '#shared/platform/http/dashboard/dashboard-page.query.js';
import { Typed } from '#shared/platform/http/dashboard/typed-field.js';

export class WebhooksPageQuery extends DashboardPageQuery {
  /** Names the action that was done, for the notice. */
  @Typed() done?: string;
}

export class RegisterWebhookForm {
  @Typed() account_id?: string;
  @Typed() url?: string;
  @Typed() event_type?: string;
  @Typed() description?: string;
}

export class WebhookUrlForm {
  @Typed() url?: string;
}

export class RotateSecretForm {
  @Typed() overlap_seconds?: string;
}

export class DeleteWebhookForm {
  /** `on` once it is ticked. */
  @Typed() confirm?: string;
}
