import type { PlantedBug } from './planted-bug.js';

const DOMAIN = 'contexts/payments/domain/requests';
const PERSISTENCE = 'contexts/payments/infrastructure/requests/persistence';

/** Payment requests: what counts, when they end, what they have received, and what is shown of them. */
export const bugsInPayments: readonly PlantedBug[] = [
  {
    name: 'more than was asked for completes a request',
    file: `${DOMAIN}/outcome/outcome-rule.ts`,
    from: "amount === selection.amount ? 'completed' : 'overpaid'",
    to: "amount >= selection.amount ? 'completed' : 'overpaid'",
    shows: 'always',
    breaks: 'A request that received more than it asked for is completed and not overpaid.',
  },
  {
    name: 'the grace is taken for milliseconds',
    file: `${DOMAIN}/outcome/deadline-and-grace-rule.ts`,
    from: 'inclusionGraceSeconds * 1000',
    to: 'inclusionGraceSeconds',
    shows: 'always',
    breaks:
      'A payment in a block within the inclusion grace becomes a late deposit, and the request expires.',
  },
  {
    name: 'a shortfall is accepted by one of its two bounds',
    file: `${DOMAIN}/outcome/tolerance-rule.ts`,
    from: '<= BigInt(tolerance.basisPoints) * amount &&',
    to: '<= BigInt(tolerance.basisPoints) * amount ||',
    shows: 'always',
    breaks: 'A request is fulfilled though it lacks more than its account tolerates.',
  },
  {
    name: 'late money is booked only in the turn that ends its request',
    file: `${DOMAIN}/payment-request.ts`,
    from: 'if (isEnded(this.progress.status)) this.deposit(chains, now);',
    to: 'if (ending !== null) this.deposit(chains, now);',
    shows: 'always',
    breaks: 'Final money that comes to an ended request never becomes a deposit.',
  },
  {
    name: 'money after the outcome counts as part of the payment',
    file: `${DOMAIN}/payment-request.ts`,
    from: 'const counted = !isEnded(status) && paysSelection(',
    to: "const counted = status !== 'pending' && paysSelection(",
    shows: 'always',
    breaks: 'A second payment before the deadline of a completed request becomes no deposit.',
  },
  {
    name: 'what was seen beside the outcome stays counted',
    file: `${DOMAIN}/payment-request.ts`,
    from: `    uncountRest(this.progress);
    this.progress.history.push({ status: 'confirmed', at });`,
    to: `    this.progress.history.push({ status: 'confirmed', at });`,
    shows: 'always',
    breaks: 'A payment seen before the outcome, in a later block or another asset, is never booked.',
  },
  {
    name: 'the outcome shows what was seen and not what decided it',
    file: `${DOMAIN}/payment-request.ts`,
    from: '    this.progress.receivedAmount = outcome.received;\n',
    to: '',
    shows: 'always',
    breaks: 'The received amount of an ended request has money that is a deposit too.',
  },
  {
    name: 'the asset may be changed once the window has closed',
    file: `${DOMAIN}/payment-request.ts`,
    from: 'requireAssetMayChange(status, now >= expiresAt, isPaymentSeen(selections, sums));',
    to: "requireAssetMayChange(status, status === 'pending' && now >= expiresAt, isPaymentSeen(selections, sums));",
    shows: 'always',
    breaks: 'A payer is given an address of another asset after the payment window.',
  },
  {
    name: 'a request that is being paid is ended with its window',
    file: `${DOMAIN}/payment-request.ts`,
    from: 'if (!isOneOf(UNSEEN_STATUSES, this.progress.status) || this.progress.expiresAt <= now) return;',
    to: 'if (this.progress.expiresAt <= now) return;',
    shows: 'race',
    breaks: 'The next sale of a till cuts the window of a request whose payment is seen at that moment.',
  },
  {
    name: 'the received amount stays when its block goes',
    file: `${DOMAIN}/payment-request.ts`,
    from: '    this.receive(arrived, now);\n',
    to: '    if (arrived.length > 0) this.receive(arrived, now);\n',
    shows: 'reorganisation',
    breaks: 'A request shows money as received whose transaction is in no block any more.',
  },
  {
    name: 'each of two reversals takes from the whole payment',
    file: `${DOMAIN}/booking/reversal-rule.ts`,
    from: '      remaining -= amount;\n',
    to: '',
    shows: 'reorganisation',
    breaks:
      'Of two transfers of a payment that disappear the second is told with what was left before the first.',
  },
  {
    name: 'another asset that comes late is not said to be late',
    file: `${DOMAIN}/booking/deposit-reason-rule.ts`,
    from: 'if (latest !== undefined && arrivalTime(transfer) > latest)',
    to: 'if (matching.length > 0 && latest !== undefined && arrivalTime(transfer) > latest)',
    shows: 'always',
    breaks: 'A deposit in an asset that nobody asked for, after the deadline, has the reason other_asset.',
  },
  {
    name: 'a step is dated by the clock though the one before it is later',
    file: `${DOMAIN}/outcome/progress.ts`,
    from: 'const at = notBeforeLastStep(progress, now);',
    to: 'const at = now;',
    shows: 'clock',
    breaks: 'The history of a request goes back in time after the clock of the database was set back.',
  },
  {
    name: 'a request is dated by the clock of its replica',
    file: 'contexts/payments/infrastructure/requests/http/payment-request.controller.ts',
    from: 'at: principal.at,',
    to: 'at: new Date(),',
    shows: 'clock',
    breaks:
      'A request is created in the past or the future, and its window is shorter or longer than promised.',
  },
  {
    name: 'a request is created for an account that is being deleted',
    file: `${PERSISTENCE}/add-payment-request.sql.ts`,
    from: 'THEN identity.public_hold_account($2, $3) ELSE false END AS current',
    to: 'THEN true ELSE false END AS current',
    shows: 'race',
    breaks: 'An account is deleted though it has an open payment request.',
  },
  {
    name: 'a deposit that disappeared can be refunded',
    file: 'contexts/settlement/infrastructure/refunds/persistence/postgres-received-sums.ts',
    from: 'sum(paid + deposited), 0) AS received FROM payments.public_received_sums\n',
    to: 'sum(amount), 0) AS received FROM payments.transfers\n',
    shows: 'reorganisation',
    breaks: 'A refund is paid with money that is in no block any more.',
  },
  {
    name: 'the block of a transfer is no confirmation of it',
    file: `${PERSISTENCE}/views/transfer-view-row.ts`,
    from: 'c.head_number - t.block_number + 1, 0)',
    to: 'c.head_number - t.block_number, 0)',
    shows: 'always',
    breaks: 'A transfer is shown with one confirmation less than its chain gives it.',
  },
  {
    name: 'a key of one account reads requests of another',
    file: `${PERSISTENCE}/views/payment-request-queries.ts`,
    from: 'AND ($4::uuid IS NULL OR r.account_id = $4)`;',
    to: 'AND ($4::uuid IS NULL OR r.account_id IS NOT NULL)`;',
    shows: 'always',
    breaks: 'An account key is answered 200 for a payment request of another account.',
  },
  {
    name: 'pages of payment requests are counted from nought',
    file: `${PERSISTENCE}/views/listed-payment-requests.ts`,
    from: '...ORDER.values(page)];',
    to: '...ORDER.values({ ...page, page: page.page + 1 })];',
    shows: 'always',
    breaks: 'The list of payment requests lacks the newest ones.',
  },
  {
    name: 'a payment by signature has failed that the watcher reads just then',
    file: 'contexts/payments/application/authorizations/advance-authorizations.ts',
    from: `    const isReadPast = await this.authorizations.isReadPast(authorization.network, blockNumber!);
    const own = await this.authorizations.transferIn(authorization, transactionHash!);
`,
    to: `    const own = await this.authorizations.transferIn(authorization, transactionHash!);
    const isReadPast = await this.authorizations.isReadPast(authorization.network, blockNumber!);
`,
    shows: 'race',
    breaks: 'A payer who repeats a signature that has paid is answered that it moved nothing.',
  },
  {
    name: 'a final transfer has the confirmations that the head makes of it',
    file: 'contexts/payments/infrastructure/requests/persistence/views/transfer-view-row.ts',
    from: '       WHEN t.final THEN t.required_confirmations\n',
    to: '',
    shows: 'lying node',
    breaks:
      'A final transfer is shown with fewer confirmations than it needs, while a shorter branch is read.',
  },
];
