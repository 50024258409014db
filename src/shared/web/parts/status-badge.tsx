import type { VNode } from 'preact';
import { t, type Word } from '../dashboard/words/text.js';

/** `plain`: no activity. `busy`: in progress. `good`: done. `care`: needs attention. `bad`: failed. */
export type StatusTone = 'plain' | 'busy' | 'good' | 'care' | 'bad';

/** All statuses that the dashboard displays, each with its colour and text. The keys are values of the API. */
export const DASHBOARD_STATUSES = {
  pending: ['busy', 'Pending'],
  choosing: ['busy', 'Choosing how to pay'],
  created: ['plain', 'Created'],
  waiting: ['plain', 'Waiting for payment'],
  open: ['busy', 'Open'],
  processing: ['busy', 'Processing'],
  confirmed: ['good', 'Confirmed'],
  completed: ['good', 'Completed'],
  paid: ['good', 'Paid'],
  delivered: ['good', 'Delivered'],
  overpaid: ['care', 'Overpaid'],
  underpaid: ['care', 'Underpaid'],
  refunded: ['plain', 'Refunded'],
  partly_refunded: ['plain', 'Partly refunded'],
  unpaid: ['bad', 'Unpaid'],
  past_due: ['care', 'Past due'],
  expired: ['plain', 'Expired'],
  failed: ['bad', 'Failed'],
  error: ['bad', 'Error'],
  preview: ['plain', 'Preview'],
  planned: ['plain', 'Planned'],
  cut_short: ['plain', 'Ended early'],
  dropped: ['plain', 'Dropped'],
  revoked: ['plain', 'Revoked'],
  cancelled: ['plain', 'Cancelled'],
  active: ['good', 'Active'],
  inactive: ['plain', 'Inactive'],
  enabled: ['good', 'Enabled'],
  disabled: ['plain', 'Disabled'],
  healthy: ['good', 'Healthy'],
  failing: ['bad', 'Failing'],
  last_failed: ['care', 'Last delivery failed'],
  retrying: ['busy', 'Will be retried'],
  current: ['good', 'Up to date'],
  behind: ['care', 'Behind'],
  invited: ['busy', 'Invited'],
  closed: ['plain', 'Closed'],
  subscribed: ['good', 'Subscribed'],
  to_confirm: ['care', 'Not confirmed'],
  unsubscribed: ['plain', 'Unsubscribed'],
} as const satisfies Readonly<Record<string, readonly [StatusTone, Word]>>;

/** A status that `STATUSES` does not contain does not compile. */
export type DashboardStatus = keyof typeof DASHBOARD_STATUSES;

export function isDashboardStatus(text: string): text is DashboardStatus {
  return Object.hasOwn(DASHBOARD_STATUSES, text);
}

/** Returns the text of a status, for filters and sentences. */
export function statusLabel(status: DashboardStatus): Word {
  return DASHBOARD_STATUSES[status][1];
}

const PAYMENT_STATUSES: Partial<Record<DashboardStatus, DashboardStatus>> = {
  pending: 'choosing',
  created: 'waiting',
};

/** Displays the status of a payment request by what the payer does. */
export function PaymentBadge({ status }: { readonly status: DashboardStatus }): VNode {
  return <StatusBadge status={PAYMENT_STATUSES[status] ?? status} />;
}

/** Displays a status as a coloured text. The colour only repeats what the text says. */
export function StatusBadge({ status }: { readonly status: DashboardStatus }): VNode {
  const [tone, word] = DASHBOARD_STATUSES[status];
  return <span class={`state ${tone}`}>{t(word)}</span>;
}
