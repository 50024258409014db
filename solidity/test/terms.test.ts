import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getAddress, type Address } from 'viem';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { AuditLog } from '#contexts/identity/contract/audit-log.js';
import { EvmPayoutAddressRules } from '#chains/evm/forwarders/evm-payout-address-rules.js';
import { ForwarderDerivation } from '#chains/forwarders/forwarder-derivation.js';
import { ForwarderDerivations } from '#chains/evm/forwarders/forwarder-derivations.js';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { SetSettlementTerms } from '#contexts/point-of-sale/application/set-settlement-terms.js';
import type { SettlementTermsRecords } from '#contexts/point-of-sale/infrastructure/persistence/settlement-terms-records.js';
import { KnownDepositAddresses } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { FixedCatalogue } from '#contexts/point-of-sale/testing/fixed-catalogue.js';
import { addressOf, deployFactory, saltOf, type Terms } from './support/forwarders.js';
import { startWorld, type World } from './support/world.js';

const NETWORK = 'polygon';

class Unaudited extends AuditLog {
  record = () => Promise.resolve();
  hasEntry = () => Promise.resolve(false);
}

let world: World;
let factory: Address;

beforeAll(async () => {
  world = await startWorld();
  factory = await deployFactory(world);
});
afterAll(() => world.stop());

class AtOnce extends UnitOfWork {
  run = <T>(work: () => Promise<T>) => work();
  rollBackAtEnd = () => undefined;
  attempt = async <T>(work: () => Promise<T>) => ({ result: await work() });
}
class FixedClock extends Clock {
  now = () => Promise.resolve(new Date('2030-01-01T12:00:00Z'));
}
class NoAccounts extends AccountDirectory {
  belongsTo = () => Promise.resolve(false);
}
const RECORDS = { add: () => Promise.resolve() } as unknown as SettlementTermsRecords;
class NoneShown extends KnownDepositAddresses {
  isDepositAddress = () => Promise.resolve(false);
}

/** Addresses with zeros and ones at the ends, where a slip in packing would show. */
const [ZEROS, ONES, MIXED] = ['01'.padEnd(40, '0'), 'f'.repeat(40), '00ff'.repeat(10)].map((hex) =>
  getAddress(`0x${hex}`),
) as [Address, Address, Address];
const CHAINS = [1, 255, 256, 31_337, 2 ** 40];
const TERMS: readonly { settlementAddress: string; feeRecipient?: string; share: number }[] = [
  { settlementAddress: ZEROS, share: 0 },
  { settlementAddress: ONES, feeRecipient: MIXED, share: 0 },
  { settlementAddress: MIXED, feeRecipient: ZEROS, share: 1 },
  { settlementAddress: ZEROS, feeRecipient: ONES, share: 256 },
  { settlementAddress: ONES, feeRecipient: ZEROS, share: 10_000 },
];

describe('The deposit address of stored terms', () => {
  it.each(CHAINS)('equals the address that the factory derives: chain %d', async (chainId) => {
    for (const { settlementAddress, feeRecipient, share } of TERMS) {
      const settings = settingsFor('http://127.0.0.1:9', { network: NETWORK, factory, chain_id: chainId });
      const stored = await new SetSettlementTerms(
        new AtOnce(),
        new FixedClock(),
        new NoAccounts(),
        new FixedCatalogue(),
        new SameChain({
          payoutAddresses: new EvmPayoutAddressRules(NETWORK, new ForwarderDerivations(settings)),
        }),
        RECORDS,
        new NoneShown(),
        new Unaudited(),
      ).set({
        ...{ organizationId: newId<OrganizationId>(), network: NETWORK, actor: 'test' },
        ...{ settlementAddress, feeRecipient, feeBasisPoints: share },
      });
      const derivation = new ForwarderDerivation(factory, chainId);
      const requestId = newId();
      // As releases before wrote rows without a fee: their addresses were shown, and must be found again.
      const asBefore = share > 0 ? stored : { ...stored, feeRecipient: settlementAddress };

      const terms: Terms = {
        settlement: stored.settlementAddress as Address,
        feeRecipient: stored.feeRecipient as Address,
        feeBasisPoints: stored.feeBasisPoints,
        homeChainId: BigInt(chainId),
      };
      const onChain = await addressOf(world, factory, terms, saltOf(requestId));

      expect(
        [stored, asBefore].map((each) => derivation.addressOf(derivation.initCodeHash(each), requestId)),
      ).toEqual([onChain, onChain]);
    }
  });
});
