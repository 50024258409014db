import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getAddress, toHex, type Address } from 'viem';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { Clock } from '#shared/kernel/clock.js';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { AuditLog } from '#contexts/identity/contract/audit-log.js';
import { EvmPayoutAddresses } from '#contexts/networks/infrastructure/evm/forwarders/evm-payout-addresses.js';
import {
  ForwarderDerivation,
  ForwarderDerivations,
} from '#contexts/networks/infrastructure/evm/forwarders/forwarder-derivation.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { SetSettlementTerms } from '#contexts/point-of-sale/application/set-settlement-terms.js';
import { SettlementTermsRecords } from '#contexts/point-of-sale/domain/settlement-terms.js';
import { KnownDepositAddresses } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { FixedCatalogue } from '#contexts/point-of-sale/testing/fixed-catalogue.js';
import { addressOf, deployFactory, saltOf, type Terms } from './support/forwarders.js';
import { startWorld, type World } from './support/world.js';

const TERMS = 60;
const NETWORK = 'polygon';
const seed = Number(process.env['SEED'] ?? Math.ceil(Math.random() * 1_000_000));

class Unaudited extends AuditLog {
  record = () => Promise.resolve();
  has = () => Promise.resolve(false);
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
  attempt = async <T>(work: () => Promise<T>) => ({ result: await work() });
}
class Noon extends Clock {
  now = () => Promise.resolve(new Date('2030-01-01T12:00:00Z'));
}
class NoAccounts extends AccountDirectory {
  belongsTo = () => Promise.resolve(false);
}
class Kept extends SettlementTermsRecords {
  add = () => Promise.resolve();
  current = () => Promise.resolve([]);
  history = () => Promise.resolve([]);
  settlementAddress = () => Promise.resolve(null);
  claimKeys = () => Promise.resolve(true);
}
class NoneShown extends KnownDepositAddresses {
  has = () => Promise.resolve(false);
}

/** Twenty bytes, each of them often zero or all ones, where a slip in packing would show. */
function anyAddress(random: SeededRandom): Address {
  const bytes = Array.from({ length: 20 }, () =>
    random.chance(0.2) ? (random.chance(0.5) ? 0 : 255) : random.whole(0, 255),
  );
  return getAddress(toHex(Uint8Array.from([random.whole(1, 255), ...bytes.slice(1)])));
}

function anyTerms(random: SeededRandom): { settlementAddress: string; feeRecipient?: string; share: number } {
  const share = random.chance(0.5) ? 0 : random.whole(1, random.chance(0.2) ? 10_000 : 255);
  const recipient = share > 0 || random.chance(0.3) ? { feeRecipient: anyAddress(random) } : {};
  return { settlementAddress: anyAddress(random), ...recipient, share };
}

describe('Settlement terms, as they are stored,', () => {
  it('give the address off chain that the factory gives to the very same terms', async () => {
    process.stdout.write(`Terms are drawn with SEED=${seed}.\n`);
    const random = new SeededRandom(seed);

    for (let count = 0; count < TERMS; count += 1) {
      const chainId = random.chance(0.5) ? random.whole(1, 70_000) : random.whole(1, 2 ** 40);
      const settings = settingsFor('http://127.0.0.1:9', { network: NETWORK, factory, chain_id: chainId });
      const { settlementAddress, feeRecipient, share } = anyTerms(random);
      const stored = await new SetSettlementTerms(
        new AtOnce(),
        new Noon(),
        new NoAccounts(),
        new FixedCatalogue(),
        new EvmPayoutAddresses(new ForwarderDerivations(settings)),
        { find: () => null },
        new Kept(),
        new NoneShown(),
        new Unaudited(),
      ).execute({
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
