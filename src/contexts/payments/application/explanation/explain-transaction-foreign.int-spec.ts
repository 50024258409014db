import { describe, expect, it } from '@jest/globals';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { FoundTransaction } from '#contexts/networks/contract/transaction-lookup.js';
import { LOOKUPS_PER_MINUTE } from './explain-transaction.js';
import { presentTransaction } from '../../infrastructure/explanation/http/transaction-explanation.dto.js';
import { NETWORK } from '../../testing/requests/collecting-world.js';
import {
  HASH,
  inBlock,
  withReadNetworks,
  type ExplainedWorld,
  SCAM,
  transfer,
} from '../../testing/explanation/explaining-transactions.js';
import { newTenant, randomHex } from '../../testing/requests/stored-payments.js';

let world: ExplainedWorld;
withReadNetworks((furnished) => {
  world = furnished;
});

describe('Explaining another tenant’s transaction', () => {
  /** Without what says which transaction it is. */
  const anonymous = async (hash: string, scope?: Scope) =>
    JSON.stringify(presentTransaction(await world.told(hash, scope))).replaceAll(hash, '');

  it.each<[string, (to: string) => FoundTransaction | undefined]>([
    ['recorded and known to a node', (to) => inBlock(12, transfer(to))],
    ['recorded, and unknown to the nodes', () => undefined],
    ['in a block that is still to be read', (to) => inBlock(21, transfer(to))],
    ['in a token that is not collected', (to) => inBlock(12, transfer(to, { token: SCAM }))],
  ])('says what is said of a stranger’s: %s', async (_, found) => {
    const [foreign, sibling] = [newTenant(), { ...newTenant(), organizationId: world.tenant.organizationId }];
    const [theirs, siblings] = [await world.stored.request(foreign), await world.stored.request(sibling)];
    const answered = async (to: string, hash: string, scope: Scope) => {
      const told = found(to);
      world.lookup.answers.clear();
      if (told !== undefined) world.lookup.answers.set(NETWORK, told);
      world.lookup.asked.length = 0;
      return [
        (await anonymous(hash, scope)).replaceAll(/behind_seconds":\d+/g, ''),
        world.lookup.asked.length,
      ];
    };
    const account: Scope = world.tenant;
    const organization: Scope = { ...account, accountId: null };

    const stranger = await answered(randomHex(20), randomHex(32), account);
    const ofSibling = await answered(siblings.address, await world.stored.transfer(siblings), account);
    const ofForeign = await answered(theirs.address, await world.stored.transfer(theirs), organization);

    expect([ofSibling, ofForeign]).toEqual([stranger, stranger]);
    expect(stranger[1]).toBe(2);
  });
});

describe('Asking nodes about transactions', () => {
  it('is limited for each credential, and only where they have to be asked', async () => {
    const hash = await world.stored.transfer(await world.stored.request(world.tenant));
    for (let i = 0; i < LOOKUPS_PER_MINUTE; i += 1) await world.told();

    await expect(world.told()).rejects.toThrow(RateLimited);

    expect((await world.told(hash)).code).toBe('received');
    expect((await world.told(HASH, undefined, newId())).code).toBe('not_ours');
    expect(world.lookup.asked).toHaveLength(2 * (LOOKUPS_PER_MINUTE + 1));
  });
});
