import type { PlantedBug } from './planted-bug.js';

const DOMAIN = 'contexts/subscriptions/domain';
const PERSISTENCE = 'contexts/subscriptions/infrastructure/persistence';

/** Subscriptions and their charges. */
export const bugsInSubscriptions: readonly PlantedBug[] = [
  {
    name: 'a month has thirty days',
    file: `${DOMAIN}/billing-interval.ts`,
    from: "case 'P1M':\n      return monthsAfter(first, number);",
    to: "case 'P1M':\n      return daysAfter(first, 30 * number);",
    shows: 'always',
    breaks: 'A monthly charge is due on another day of the month.',
  },
  {
    name: 'a charge is tried once more when the next one is due',
    file: `${DOMAIN}/charge-retry-schedule.ts`,
    from: 'filter((at) => at < nextDueAt)',
    to: 'filter((at) => at <= nextDueAt)',
    shows: 'always',
    breaks: 'A daily charge that was tried and not paid counts as one that has a try left.',
  },
  {
    name: 'a request that was cut short counts as a try',
    file: `${DOMAIN}/charge.ts`,
    from: "outcome === 'failed' || windowCut;",
    to: "outcome === 'failed' && windowCut;",
    shows: 'always',
    breaks: 'A subscription is past due because the merchant ended the request of its charge.',
  },
  {
    name: 'a charge is given up while its request is open',
    file: `${DOMAIN}/charge.ts`,
    from: 'if (this.isOpen && this.requestInFlight === undefined) this.state',
    to: 'if (this.isOpen) this.state',
    shows: 'always',
    breaks: 'A subscription ends unpaid while the payer can still pay its last request.',
  },
  {
    name: 'one try that was missed is taken for all of them',
    file: `${DOMAIN}/charge.ts`,
    from: 'this.state.countedTries === this.tries.length;',
    to: 'this.state.countedTries > 0 && this.tries.length > 0;',
    shows: 'always',
    breaks: 'A subscription is revoked before the tries of its third charge are over.',
  },
  {
    name: 'an offer that has ended is accepted',
    file: `${DOMAIN}/subscription.ts`,
    from: "if (this.state.status !== 'pending' || now >= this.state.offeredUntil)\n      throw",
    to: "if (this.state.status !== 'pending')\n      throw",
    shows: 'race',
    breaks: 'A subscription is active that was accepted after the end of its offer.',
  },
  {
    name: 'a revoked subscription opens the request that it had planned',
    file: `${DOMAIN}/subscription.ts`,
    from: '    for (const charge of this.charges) charge.close();\n    this.state = { ...this.state, revokedBy: by };',
    to: '    this.state = { ...this.state, revokedBy: by };',
    shows: 'always',
    breaks: 'A charge of a revoked subscription is open, and its payer may be asked to pay it.',
  },
  {
    name: 'a payment does not end that a subscription is past due',
    file: `${DOMAIN}/subscription.ts`,
    from: "    if (!pastDue && this.state.status === 'past_due') this.become('active', now);\n",
    to: '',
    shows: 'always',
    breaks: 'A subscription stays past due though its last charge is paid.',
  },
  {
    name: 'two wallets accept one subscription',
    file: `${PERSISTENCE}/postgres-subscriptions.ts`,
    from: 'AND ($4::uuid IS NULL OR s.point_of_sale_id = $4) FOR UPDATE OF s`,',
    to: 'AND ($4::uuid IS NULL OR s.point_of_sale_id = $4)`,',
    shows: 'race',
    breaks: 'Two wallets are told that they have accepted a subscription, and one of them is forgotten.',
  },
  {
    name: 'a charge is planned before the work that opens its request',
    file: `${PERSISTENCE}/postgres-subscriptions.ts`,
    from: `    await this.dueWork.schedule(
      CHARGE_REQUEST_WORK,
      planned.map(({ id, organizationId, plannedAt }) => ({
        key: id,
        lane: organizationId,
        dueAt: plannedAt,
      })),
    );`,
    to: `    const works = planned.map(({ id, organizationId, plannedAt }) => ({
      key: id,
      lane: organizationId,
      dueAt: plannedAt,
    }));
    this.database.afterCommit(() => {
      this.database.run(() => this.dueWork.schedule(CHARGE_REQUEST_WORK, works)).catch(() => undefined);
    });`,
    shows: 'kill',
    breaks: 'A charge is due whose payment request is never opened.',
  },
  {
    name: 'a charge whose request could not be opened is done',
    file: 'contexts/subscriptions/infrastructure/work/due-charge-requests.ts',
    from: 'reason: String(error) });\n      return null;',
    to: 'reason: String(error) });\n      return { work, again: null };',
    shows: 'lost connection',
    breaks: 'A charge is due whose payment request is never opened.',
  },
];
