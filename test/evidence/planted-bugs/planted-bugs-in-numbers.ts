import { APPLICATION, database, INFRASTRUCTURE, NETWORKS, type PlantedBug, unit } from './planted-bug.js';

const NUMBERED = `${APPLICATION}/requests/numbered-addresses.int-spec.ts`;
const NUMBERS = `${INFRASTRUCTURE}/requests/persistence/postgres-address-numbers.ts`;
const OPENING = `${APPLICATION}/requests/open-payment-request.ts`;
const POINT_OF_SALE = 'src/contexts/point-of-sale';
const DESCRIPTORS = `${NETWORKS}/bitcoin/addresses/descriptor-addresses.ts`;
const WALLETS = `${NETWORKS}/bitcoin/addresses/descriptor-wallets.spec.ts`;

/** Addresses of a merchant's wallet that two payers see, that the wallet never looks at, or that are somebody else's. */
export const bugsInNumbers: readonly PlantedBug[] = [
  {
    name: 'the first address of a wallet is left out',
    file: NUMBERS,
    find: 'next_number - 1 AS number',
    replace: 'next_number AS number',
    caughtBy: database(NUMBERED, 'is the next one of the wallet, whatever terms and points of sale name it'),
  },
  {
    name: 'two ways to write a descriptor are two wallets, of which both show the same addresses',
    file: DESCRIPTORS,
    find: 'return this.wallet(network, settlementAddress).addressAt(0);',
    replace: 'return settlementAddress;',
    caughtBy: unit(WALLETS, 'is one sequence however it is written, and another for other kinds of address'),
  },
  {
    name: 'an address is derived again by terms that a stranger has stored in the database',
    file: DESCRIPTORS,
    find: 'if (descriptor !== settlementAddress || number === undefined) return null;',
    replace: 'if (number === undefined) return null;',
    caughtBy: unit(
      WALLETS,
      'are its children, which are the merchant’s at once, and derived again by nothing else than it',
    ),
  },
  {
    name: 'payers of one organization pay the wallet of another',
    file: NUMBERS,
    find: 'WHERE n.organization_id = excluded.organization_id',
    replace: 'WHERE n.organization_id IS NOT NULL',
    caughtBy: database(NUMBERED, 'is shown to payers of one organization alone'),
  },
  {
    name: 'a creation that fails leaves a number out',
    file: OPENING,
    find: 'if (outcome.refusal !== null) throw new Undone(outcome);',
    replace: '',
    caughtBy: database(
      NUMBERED,
      'goes back where nothing is stored: a changed shop, an order that no token carries, a network that is away, a taken key',
    ),
  },
  {
    name: 'a wallet that is the terms of one organization is taken as those of another',
    file: `${POINT_OF_SALE}/application/set-settlement-terms.ts`,
    find: 'await this.requireOwnWallet(field, record);',
    replace: '',
    caughtBy: database(
      `${POINT_OF_SALE}/application/set-settlement-terms.int-spec.ts`,
      'are of one organization for good, also when two name the wallet at once',
    ),
  },
  {
    name: 'a gap in the numbers is not reported',
    file: `${INFRASTRUCTURE}/requests/persistence/invariants/numbered-addresses-invariants.ts`,
    find: 'n.next_number::bigint, n.next_number)',
    replace: 'n.next_number::bigint, max(a.number) + 1)',
    caughtBy: database(NUMBERED, 'report %s'),
  },
];
