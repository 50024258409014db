import { APPLICATION, database, EVM, INFRASTRUCTURE, type PlantedBug, unit } from './planted-bug.js';

const POINT_OF_SALE = 'src/contexts/point-of-sale';
const SETTING_TERMS = `${POINT_OF_SALE}/application/set-settlement-terms.int-spec.ts`;
const PAYOUT_ADDRESSES = `${EVM}/forwarders/evm-payout-addresses`;

const PRUNING = `${APPLICATION}/links/prune-link-sessions.int-spec.ts`;
const LIMITING = `${APPLICATION}/links/limit-link-openings.int-spec.ts`;

/** Terms by which nothing can be settled; sessions without bound, and money to those that were pruned. */
export const bugsInLinks: readonly PlantedBug[] = [
  {
    name: 'terms without a fee name a recipient, by which the factory refuses to settle',
    file: `${POINT_OF_SALE}/application/set-settlement-terms.ts`,
    find: 'feeRecipient: feeBasisPoints === 0 ? this.addresses.nobody(network) : namedRecipient!,',
    replace: 'feeRecipient: namedRecipient ?? settlementAddress,',
    caughtBy: database(
      SETTING_TERMS,
      'stores the zero address as the recipient where there is no fee, whoever was named',
    ),
  },
  {
    name: 'a deposit address is taken as a settlement address',
    file: `${POINT_OF_SALE}/application/set-settlement-terms.ts`,
    find: 'if (await this.depositAddresses.has(canonicalAddress(address))) {',
    replace: 'if (await this.depositAddresses.has(address.toUpperCase())) {',
    caughtBy: database(SETTING_TERMS, 'refuses in both places what could not pay out what it is paid'),
  },
  {
    name: 'money is settled to a precompiled contract',
    file: `${PAYOUT_ADDRESSES}.ts`,
    find: 'const LAST_RESERVED = 0xffffn;',
    replace: 'const LAST_RESERVED = 0xffn;',
    caughtBy: unit(`${PAYOUT_ADDRESSES}.spec.ts`, 'is never %s'),
  },
  {
    name: 'money to the address of a pruned request is nobody’s',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-recorded-transfers.ts`,
    find: `SELECT address, tag, payment_request_id FROM payments.pruned_addresses
       WHERE network = $1`,
    replace: `SELECT address, tag, payment_request_id FROM payments.pruned_addresses
       WHERE false AND network = $1`,
    caughtBy: database(
      PRUNING,
      'makes it again, whole, when money comes to one of its addresses, which is a deposit by its terms',
    ),
  },
  {
    name: 'money that a turn has seen before its request was pruned is forgotten',
    file: `${INFRASTRUCTURE}/requests/persistence/postgres-payment-requests.ts`,
    find: 'await revive(this.database, ids);',
    replace: '',
    caughtBy: database(PRUNING, 'loses nothing that a turn has seen before and stores after'),
  },
  {
    name: 'native coin inside contract calls to a pruned address is never looked for',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-native-balances.ts`,
    find: "WHERE d.network = c.network AND d.address > COALESCE(c.balances_swept_to, '')",
    replace: 'WHERE false',
    caughtBy: database(PRUNING, 'leaves its addresses to the search for internal transfers'),
  },
  {
    name: 'sessions that a link opens are not counted',
    file: `${APPLICATION}/links/open-payment-link.ts`,
    find: 'await this.limit.note(opening, request);',
    replace: '',
    caughtBy: database(
      LIMITING,
      'is refused to an address beyond its number, to the one, by two replicas that are asked at once',
    ),
  },
  {
    name: 'payers who have paid count as those who have not',
    file: `${INFRASTRUCTURE}/links/persistence/postgres-payment-link-sessions.ts`,
    find: `AND (r.status = 'created' OR r.status = 'expired' AND`,
    replace: `AND (r.status <> 'expired' OR`,
    caughtBy: database(
      LIMITING,
      'does not count those that are paid, nor keep a payer from a session of their own',
    ),
  },
];
