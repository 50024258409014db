import type { PlantedBug } from './planted-bug.js';

const APPLICATION = 'contexts/payments/application';
const DOMAIN = 'contexts/payments/domain';
const INFRASTRUCTURE = 'contexts/payments/infrastructure';
const POINT_OF_SALE = 'contexts/point-of-sale/infrastructure/persistence';

/** Checkouts, payment links, tills and points of sale. */
export const bugsInCheckouts: readonly PlantedBug[] = [
  {
    name: 'a chosen asset is judged by the clock of its replica',
    file: `${APPLICATION}/checkout/select-asset.ts`,
    from: `      const now = await this.clock.now();
      // Before rates`,
    to: `      const now = new Date();
      // Before rates`,
    shows: 'clock',
    breaks: 'A payer may choose an asset after the window, or may not within it.',
  },
  {
    name: 'an asset that takes no signatures is selected before it is refused',
    file: `${APPLICATION}/authorizations/offer-by-x402.ts`,
    from: '    await this.requireSponsored(session, chosen);\n',
    to: '',
    shows: 'always',
    breaks: 'A refused request for what to pay changes the asset that a payer has chosen.',
  },
  {
    name: 'two sales of one till are open at once',
    file: `${INFRASTRUCTURE}/requests/persistence/postgres-payment-requests.ts`,
    from: 'if (!gate!.free) return null;',
    to: 'if (gate === undefined) return null;',
    shows: 'race',
    breaks: 'A physical point of sale has two open payment requests.',
  },
  {
    name: 'the code of a till shows the session of a payer',
    file: `${INFRASTRUCTURE}/till-codes/persistence/postgres-till-requests.ts`,
    from: ' AND c.amount_by_payer IS NOT TRUE\n  ORDER',
    to: '\n  ORDER',
    shows: 'always',
    breaks: 'Whoever reads the code of a till is shown what another payer has typed.',
  },
  {
    name: 'a payer who opens a link twice at once has two sessions',
    file: `${INFRASTRUCTURE}/links/persistence/postgres-payment-link-sessions.ts`,
    from: 'WHERE s.payment_request_id = $4::uuid\n',
    to: 'WHERE s.payment_request_id = $4::uuid OR $4::uuid IS NULL\n',
    shows: 'race',
    breaks: 'One cookie is answered two checkouts of one payment link, of which both can be paid.',
  },
  {
    name: 'a new session is opened beside one that is being paid',
    file: `${DOMAIN}/links/payment-link-sessions.ts`,
    from: "case 'processing':\n      return true;",
    to: "case 'processing':\n      return !forceNew;",
    shows: 'always',
    breaks: 'A payer whose payment is under way is asked to pay a second time.',
  },
  {
    name: 'a link that is switched off opens sessions',
    file: `${INFRASTRUCTURE}/links/persistence/postgres-payment-links.ts`,
    from: 'WHERE code = $1 AND active`,',
    to: 'WHERE code = $1`,',
    shows: 'always',
    breaks: 'A deactivated payment link is answered and opens payment requests.',
  },
  {
    name: 'terms of the organization come before those of the account',
    file: `${POINT_OF_SALE}/postgres-points-of-sale.ts`,
    from: 'ORDER BY network, account_id NULLS LAST, number DESC',
    to: 'ORDER BY network, account_id NULLS FIRST, number DESC',
    shows: 'always',
    breaks: 'Money of an account with terms of its own is settled to the address of its organization.',
  },
  {
    name: 'replicas do not hear of new terms',
    file: `${POINT_OF_SALE}/postgres-settlement-terms-records.ts`,
    from: 'SET version = terms_versions.version + 1',
    to: 'SET version = terms_versions.version',
    shows: 'always',
    breaks: 'A request created after new settlement terms is settled by the ones before.',
  },
  {
    name: 'a point of sale that is remembered serves every account',
    file: `${POINT_OF_SALE}/postgres-points-of-sale.ts`,
    from: `function holds({ organizationId, accountId }: Scope, point: CollectingPoint): boolean {
  return point.organizationId === organizationId && (accountId === null || point.accountId === accountId);`,
    to: `function holds({ organizationId }: Scope, point: CollectingPoint): boolean {
  return point.organizationId === organizationId;`,
    shows: 'always',
    breaks: 'An account key creates payment requests at a point of sale of another account.',
  },
];
