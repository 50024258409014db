import type { PlantedBug } from './planted-bug.js';

const PERSISTENCE = 'contexts/webhooks/infrastructure/delivery/persistence';
const EVENTS = 'contexts/webhooks/application/events';

/** Webhooks and the events that merchants read. */
export const bugsInWebhooks: readonly PlantedBug[] = [
  {
    name: 'nobody is told that a request is underpaid',
    file: `${EVENTS}/payment-request-bodies.ts`,
    from: "NOTIFIED_STATUSES = ['processing', 'completed', 'underpaid', 'overpaid'];",
    to: "NOTIFIED_STATUSES = ['processing', 'completed', 'overpaid'];",
    shows: 'always',
    breaks: 'A webhook hears nothing of a request that ends underpaid.',
  },
  {
    name: 'any answer that is no failure acknowledges a delivery',
    file: 'contexts/webhooks/domain/delivery/attempt.ts',
    from: 'httpStatus === 200) return',
    to: 'httpStatus !== undefined && httpStatus < 400) return',
    shows: 'always',
    breaks: 'A notification that was answered 204 or 302 is not sent again.',
  },
  {
    name: 'the first delay is left out',
    file: 'contexts/webhooks/domain/delivery/delivery-retry-schedule.ts',
    from: 'DELAYS_SECONDS[attempt - 1];',
    to: 'DELAYS_SECONDS[attempt];',
    shows: 'always',
    breaks: 'A notification is given up one try before the last.',
  },
  {
    name: 'a webhook that is active again gets what waited while it was not',
    file: `${PERSISTENCE}/postgres-deliveries.ts`,
    from: '`w.active AND d.queued_in > w.subscribed_since`',
    to: '`w.active AND d.queued_in IS NOT NULL`',
    shows: 'race',
    breaks: 'A webhook is sent notifications from before it was deactivated and activated again.',
  },
  {
    name: 'a webhook gets what happened before it was registered',
    file: `${PERSISTENCE}/postgres-deliveries.ts`,
    from: 'AND w.active AND w.subscribed_since < e.transaction_id',
    to: 'AND w.active',
    shows: 'race',
    breaks: 'A webhook is sent a status that was reached before its registration.',
  },
  {
    name: 'webhooks of all accounts hear of a payment',
    file: `${PERSISTENCE}/postgres-deliveries.ts`,
    from: 'ON w.account_id = e.account_id AND w.organization_id = e.organization_id',
    to: 'ON w.organization_id = e.organization_id',
    shows: 'always',
    breaks: 'The receiver of one account is told of payments of another.',
  },
  {
    name: 'a delivery is stored before the work that makes it',
    file: `${PERSISTENCE}/postgres-deliveries.ts`,
    from: '    await this.dueWork.schedule(WEBHOOK_DELIVERY, stored);',
    to: `    this.database.afterCommit(() => {
      this.database.run(() => this.dueWork.schedule(WEBHOOK_DELIVERY, stored)).catch(() => undefined);
    });`,
    shows: 'kill',
    breaks: 'A webhook hears nothing of a status that was reached before a crash.',
  },
  {
    name: 'the new secret signs alone while the old one is still valid',
    file: 'contexts/webhooks/application/delivery/sign-delivery.ts',
    from: "createHmac('sha256', previous ?? current)",
    to: "createHmac('sha256', current)",
    shows: 'always',
    breaks: 'A receiver that has the old secret refuses notifications within the overlap.',
  },
  {
    name: 'a delivery is dated by the clock of its process',
    file: 'contexts/webhooks/infrastructure/delivery/work/delivery-worker.ts',
    from: `    const { work, clockOffset } = item;
    try {
      const delivery = await this.states.refresh(item, item.claimedAt);
      const startedAt = new Date(performance.now() + clockOffset);`,
    to: `    const { work } = item;
    try {
      const delivery = await this.states.refresh(item, item.claimedAt);
      const startedAt = new Date();`,
    shows: 'clock',
    breaks: 'Receivers refuse notifications as too old, because a worker’s clock is wrong.',
  },
  {
    name: 'an adjustment adds what it takes away',
    file: `${EVENTS}/payment-request-bodies.ts`,
    from: 'formatAmount(BigInt(data.after) - BigInt(data.before), data.decimals)',
    to: 'formatAmount(BigInt(data.before) - BigInt(data.after), data.decimals)',
    shows: 'reorganisation',
    breaks: 'The deposits and adjustments of an account do not add up to its money.',
  },
  {
    name: 'an overpaid request is not fulfilled',
    file: 'contexts/webhooks/domain/events/merchant-events.ts',
    from: "return underpaymentAccepted || data.status === 'completed' || data.status === 'overpaid';",
    to: "return underpaymentAccepted || data.status === 'completed';",
    shows: 'always',
    breaks: 'The list of events says of an overpaid request that it is not fulfilled.',
  },
];
