import { database, EVM, type PlantedBug, unit } from './planted-bug.js';

const POINT_OF_SALE = 'src/contexts/point-of-sale';
const SETTING_TERMS = `${POINT_OF_SALE}/application/set-settlement-terms.int-spec.ts`;
const PAYOUT_ADDRESSES = `${EVM}/forwarders/evm-payout-addresses`;

/** Terms by which nothing can be settled. */
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
];
