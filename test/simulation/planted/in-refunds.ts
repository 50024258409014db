import type { PlantedBug } from './planted-bug.js';

const APPLICATION = 'contexts/settlement/application/refunds';
const DOMAIN = 'contexts/settlement/domain/refunds';
const PERSISTENCE = 'contexts/settlement/infrastructure/refunds/persistence';

/** Refunds, and the floats that they are paid from. */
export const bugsInRefunds: readonly PlantedBug[] = [
  {
    name: 'an overpaid request is refunded as a whole',
    file: `${DOMAIN}/refund-amount-rule.ts`,
    from: 'if (left > asked) return left - asked;',
    to: 'if (left > asked) return left;',
    shows: 'always',
    breaks: 'A refund without an amount pays back the price too, and not the excess alone.',
  },
  {
    name: 'a refund is cancelled whose transfer was sent',
    file: `${APPLICATION}/cancel-refund.ts`,
    from: 'this.payouts.end({ ...payout, sent: false }, ended);',
    to: 'this.payouts.end(payout, ended);',
    shows: 'always',
    breaks: 'A refund has failed, and the payer receives it all the same.',
  },
  {
    name: 'a refund is sent though it was cancelled at that moment',
    file: `${APPLICATION}/floats/advance-float-payouts.ts`,
    from: 'if (!(await this.payouts.send(id, call))) throw new NotToBeSent();',
    to: 'await this.payouts.send(id, call);',
    shows: 'race',
    breaks: 'A refund has failed, and the payer receives it all the same.',
  },
  {
    name: 'a refund fails because its transfer could not be stored',
    file: `${APPLICATION}/floats/advance-float-payouts.ts`,
    from: `      if (error instanceof OrderRevoked) return this.fail(payout, error.message, null);
      throw error;
    }
    return this.follow(`,
    to: `      if (error instanceof OrderRevoked) return this.fail(payout, error.message, null);
      return this.fail(payout, sentenceOf(error), null);
    }
    return this.follow(`,
    shows: 'lost connection',
    breaks: 'An approved refund fails though its float has the money and its recipient takes it.',
  },
  {
    name: 'two refunds are approved with one holding of their float',
    file: `${APPLICATION}/refund-approval.ts`,
    from: 'const holdings = await this.floats.lockPresent(float.id);',
    to: 'const holdings = await this.floats.holdings(float.id);',
    shows: 'race',
    breaks: 'Refunds are approved for more than their float holds.',
  },
  {
    name: 'what is promised to other refunds is free',
    file: `${DOMAIN}/refund-float.ts`,
    from: `export function availableIn({ toppedUp, refunded, withdrawn, gas, missing, reserved }: FloatHolding): bigint {
  const free = toppedUp - refunded - withdrawn - gas - missing - reserved;`,
    to: `export function availableIn({ toppedUp, refunded, withdrawn, gas, missing }: FloatHolding): bigint {
  const free = toppedUp - refunded - withdrawn - gas - missing;`,
    shows: 'always',
    breaks: 'A refund is approved while the float’s money is promised to others that are under way.',
  },
  {
    name: 'a cancelled refund goes on taking from what may be refunded',
    file: `${PERSISTENCE}/postgres-refunds.ts`,
    from: "if (state.status === 'failed') {",
    to: "if (state.status === 'failed' && state.approvedAt !== undefined) {",
    shows: 'always',
    breaks: 'What a cancelled refund asked for can never be refunded.',
  },
  {
    name: 'refunds that failed count against the limit of a day',
    file: `${PERSISTENCE}/postgres-refunds.ts`,
    from: "AND approved_at > $3 AND status <> 'failed'`",
    to: 'AND approved_at > $3`',
    shows: 'always',
    breaks: 'A refund is refused above a limit that was not reached.',
  },
  {
    name: 'gas that was reserved and not used stays reserved',
    file: `${PERSISTENCE}/postgres-float-payouts.ts`,
    from: '[payout.floatId, payout.gasReserved.toString(), ended.gas.toString()],',
    to: '[payout.floatId, ended.gas.toString(), ended.gas.toString()],',
    shows: 'always',
    breaks: 'A float has less and less that is free, until refunds are refused.',
  },
  {
    name: 'gas of a transfer that was reverted has not left its float',
    file: `${PERSISTENCE}/postgres-refund-floats.ts`,
    from: 'AND block_number <= $2 AND gas IS NOT NULL) part',
    to: "AND block_number <= $2 AND status = 'completed') part",
    shows: 'always',
    breaks: 'After a refund that was reverted its float is said to miss what it paid for gas.',
  },
  {
    name: 'a top-up counts before it is final',
    file: `${APPLICATION}/floats/look-at-floats.ts`,
    from: `    const { finalNumber } = await this.reader.head(network);
    return finalNumber === null ? null : this.reader.block(network, finalNumber);`,
    to: `    const { head } = await this.reader.head(network);
    return this.reader.block(network, head.number);`,
    shows: 'reorganisation',
    breaks: 'A float is topped up by a transfer that is in no block any more.',
  },
  {
    name: 'a key of one account lists refunds of another',
    file: `${PERSISTENCE}/listed-refunds.ts`,
    from: 'WHERE organization_id = $1 AND ($2::uuid IS NULL OR account_id = $2)',
    to: 'WHERE organization_id = $1 AND ($2::uuid IS NULL OR account_id IS NOT NULL)',
    shows: 'always',
    breaks: 'An account key is answered refunds of other accounts of its organization.',
  },
];
