import { APPLICATION, database, DOMAIN, INFRASTRUCTURE, type PlantedBug } from './planted-bug.js';

const PLATFORM = 'src/shared/platform';
const TAMPERING = database('src/app/verify-tampering.int-spec.ts', 'shows: %s');

/** Books that are tampered with and do not show it. */
export const bugsInVerify: readonly PlantedBug[] = [
  {
    name: 'a seal is not over the owner of an event',
    file: `${PLATFORM}/seals/seals.ts`,
    find: 'e.organization_id, e.account_id, extract(epoch',
    replace: 'e.organization_id, extract(epoch',
    caughtBy: TAMPERING,
  },
  {
    name: 'a seal is not over the one before it',
    file: `${PLATFORM}/seals/seals.ts`,
    find: 'return `sha256(${previous} || convert_to(',
    replace: "return `sha256(COALESCE(NULL::bytea, '') || convert_to(",
    caughtBy: database(
      `${PLATFORM}/seals/seals.int-spec.ts`,
      'are digests that anybody can compute from the log and the seal before',
    ),
  },
  {
    name: 'events are sealed before which others may still come',
    file: `${PLATFORM}/seals/seals.ts`,
    find: 'AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())',
    replace: '',
    caughtBy: database(
      `${PLATFORM}/seals/seals.int-spec.ts`,
      'leave out what a transaction that still runs may come before',
    ),
  },
  {
    name: 'the hash that the ledger names is not compared',
    file: 'src/contexts/ledger/infrastructure/persistence/transaction-events-invariants.ts',
    find: `e.data ->> 'transactionHash', e.data ->> 'referenceId'`,
    replace: `t.transaction_hash, e.data ->> 'referenceId'`,
    caughtBy: TAMPERING,
  },
  {
    name: 'a request is created without telling what it asks for',
    file: `${DOMAIN}/requests/payment-request-event-bodies.ts`,
    find: 'const asked = selected === null ? {} : { asked: askedAsset(selected) };',
    replace: 'const asked = selected === null ? {} : {};',
    caughtBy: TAMPERING,
  },
  {
    name: 'a deposit address may pay whom it likes',
    file: `${INFRASTRUCTURE}/requests/persistence/invariants/transfer-events-invariants.ts`,
    find: 'a.network, a.settlement_address, a.fee_recipient',
    replace: 't.network, t.settlement_address, a.fee_recipient',
    caughtBy: TAMPERING,
  },
  {
    name: 'an address that holds less than the books say is passed over',
    file: `${APPLICATION}/watching/audit/audit-chain.ts`,
    find: 'if (found < amount)',
    replace: 'if (found < 0n)',
    caughtBy: database(
      'src/app/operator/audit/verify-chain.int-spec.ts',
      'shows: a payment put in with all that the service would have stored, posted and delivered',
    ),
  },
  {
    name: 'a worker that was replaced stores its step of an audit',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-chain-audits.ts`,
    find: 'await this.leases.protect(chainAuditLease(network), epoch);',
    replace: 'await this.leases.protect(chainAuditLease(network), epoch).catch(() => undefined);',
    caughtBy: database(
      'src/app/audit-chain-daily.int-spec.ts',
      'is made by one of two workers at a time; one that wakes up late changes nothing',
    ),
  },
  {
    name: 'addresses of pruned requests are not audited',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-audited-payments.ts`,
    find: '(SELECT DISTINCT address FROM payments.pruned_addresses WHERE network',
    replace: '(SELECT DISTINCT address FROM payments.deposit_addresses WHERE network',
    caughtBy: database(
      'src/app/operator/audit/verify-chain.int-spec.ts',
      'shows: other terms, another factory, and money that nobody recorded',
    ),
  },
  {
    name: 'an address is compared with itself instead of being derived',
    file: `${APPLICATION}/watching/audit/audit-chain.ts`,
    find: 'if (derived !== null && recipientKey(derived) === recipientKey(stored)) return;',
    replace: 'if (derived !== null) return;',
    caughtBy: database('src/app/operator/audit/verify-chain.int-spec.ts', 'shows: %s'),
  },
  {
    name: 'a payment token is taken for good whatever it asks for',
    file: `${INFRASTRUCTURE}/requests/naspip-payment-tokens.ts`,
    find: 'if (isAsked(payload, asked)) return null;',
    replace: 'if (payload) return null;',
    caughtBy: database('src/app/operator/audit/verify-chain.int-spec.ts', 'shows: %s'),
  },
  {
    name: 'new settlement terms are not audited',
    file: 'src/contexts/point-of-sale/application/set-settlement-terms.ts',
    find: 'await this.audit(record);',
    replace: '',
    caughtBy: database('src/app/verify-tampering.int-spec.ts', 'have no breach'),
  },
];
