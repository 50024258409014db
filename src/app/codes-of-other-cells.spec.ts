import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { NotificationRules } from '#contexts/notifications/infrastructure/persistence/notification-rules.js';
import { newSessionId } from '#contexts/payments/application/checkout/checkout-session.js';
import { LINK_CODE_PATTERN } from '#contexts/payments/domain/links/payment-link.js';
import { PostgresCheckoutQueries } from '#contexts/payments/infrastructure/checkout/persistence/postgres-checkout-queries.js';
import { PaymentLinks } from '#contexts/payments/infrastructure/links/persistence/payment-links.js';
import {
  claimCodeDigest,
  newClaimCode,
  FindRefundByClaimCode,
} from '#contexts/settlement/application/refunds/refund-claim.js';
import { normalizePageCode, newPageCode } from '#contexts/subscriptions/application/payer-page.js';
import { PostgresSubscriptions } from '#contexts/subscriptions/infrastructure/persistence/postgres-subscriptions.js';
import { SubscriptionQueries } from '#contexts/subscriptions/infrastructure/persistence/subscription-queries.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';

const OTHER_CELL = new DeploymentCell('b');
/** Stands in for a database or another dependency; any call of it fails. */
const UNUSED_DEPENDENCY = {} as never;
const outcome = (asked: Promise<unknown>) =>
  asked.then(
    (found) => found ?? 'unknown',
    (error: { code?: string }) => error.code,
  );
const CODE_LOOK_UPS = (cell: DeploymentCell) => {
  const code = newPageCode(OTHER_CELL);
  return Promise.all([
    outcome(new PostgresCheckoutQueries(UNUSED_DEPENDENCY, cell).find(newSessionId(OTHER_CELL))),
    outcome(new PaymentLinks(UNUSED_DEPENDENCY, cell).findActive(code)),
    outcome(new FindRefundByClaimCode(UNUSED_DEPENDENCY, cell).find(newClaimCode(OTHER_CELL))),
    outcome(
      new SubscriptionQueries(
        UNUSED_DEPENDENCY,
        UNUSED_DEPENDENCY,
        UNUSED_DEPENDENCY,
        UNUSED_DEPENDENCY,
        cell,
      ).findByPageCode(code),
    ),
    outcome(
      new PostgresSubscriptions(UNUSED_DEPENDENCY, UNUSED_DEPENDENCY, UNUSED_DEPENDENCY, cell).lockByPageCode(
        code,
      ),
    ),
    outcome(
      new NotificationRules(UNUSED_DEPENDENCY, cell).findRecipientByToken(
        OTHER_CELL.addCellMark('A'.repeat(43)),
      ),
    ),
  ]);
};

describe('A code issued by another cell', () => {
  it('rejects each kind of code without querying the database', async () => {
    expect(await CODE_LOOK_UPS(new DeploymentCell('a', 'bc'))).toEqual([
      ...['unknown', 'not_found', 'not_found', 'not_found', 'unknown', 'not_found'],
    ]);
  });

  it('queries the database if that cell is not listed, because the organization may have moved', async () => {
    const failed = Array.from({ length: 6 }, () => undefined);

    expect(await CODE_LOOK_UPS(new DeploymentCell('a', 'c'))).toEqual(failed);
  });
});

describe('A code without a cell mark', () => {
  it('accepts each kind unchanged', () => {
    for (const code of ['b'.repeat(22), newPageCode(OTHER_CELL)]) {
      expect([normalizePageCode(code), LINK_CODE_PATTERN.test(code)]).toEqual([code, true]);
      expect(claimCodeDigest(code)).toEqual(createHash('sha256').update(code).digest());
    }
    expect(new DeploymentCell('a', 'b').isCodeOfOtherCell('b'.repeat(22))).toBe(false);
  });
});
