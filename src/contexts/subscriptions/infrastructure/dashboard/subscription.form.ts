import { DashboardPageQuery } from '#shared/platform/http/dashboard/dashboard-page.query.js';
import { judged } from '#shared/platform/http/dashboard/judged.js';
import { Typed } from '#shared/platform/http/dashboard/typed-field.js';
import { OneOf } from '#shared/platform/http/validation/field-rules.js';
import type { BillingInterval } from '../../domain/billing-interval.js';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription-state.js';
import { CreateSubscriptionBody, toAskedSubscription } from '../http/subscription.dto.js';
import type { SubscriptionStatus } from '../../contract/subscription-events.js';

export class SubscriptionListQuery extends DashboardPageQuery {
  /** Empty: all. */
  @OneOf(['', ...SUBSCRIPTION_STATUSES], { optional: true })
  status?: '' | SubscriptionStatus;
}

/** `page` is a page of its charges. */
export class SubscriptionViewQuery extends DashboardPageQuery {
  @Typed() done?: string;
}

export class NewSubscriptionForm {
  @Typed() point_of_sale_id?: string;
  @Typed() amount?: string;
  @Typed() unique_asset_id?: string;
  @Typed() interval?: string;
  @Typed() reference_id?: string;
  @Typed() trial_until?: string;
  @Typed() ends_at?: string;
}

export class RevokeForm {
  /** The word `revoke`. */
  @Typed() confirmation?: string;
}

/** Judges the form by the rules of the API's own body. @throws validation_failed naming the fields */
export async function askedIn(form: NewSubscriptionForm) {
  const referenceId = filled(form.reference_id);
  const [trialUntil, endsAt] = [beginningOf(form.trial_until), beginningOf(form.ends_at)];
  const body = await judged(CreateSubscriptionBody, {
    amount: filled(form.amount) ?? '',
    unique_asset_id: filled(form.unique_asset_id) ?? '',
    interval: (form.interval ?? '') as BillingInterval,
    ...(referenceId && { reference_id: referenceId }),
    ...(trialUntil && { trial_until: trialUntil }),
    ...(endsAt && { ends_at: endsAt }),
  });
  return toAskedSubscription(body);
}

/** A browser's day, in UTC. */
function beginningOf(day: string | undefined): string | undefined {
  const text = filled(day);
  return text === undefined ? undefined : `${text}T00:00:00Z`;
}

function filled(text = ''): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
