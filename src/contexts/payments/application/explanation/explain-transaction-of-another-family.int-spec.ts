import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '#shared/kernel/ids.js';
import { WindowRateLimits } from '#shared/platform/http/callers/window-rate-limits.js';
import { ChainTypes } from '#contexts/networks/application/chain-types.js';
import { MemoryChain } from '#contexts/networks/testing/memory-chain.js';
import {
  MEMORY_ACCOUNT,
  MEMORY_COIN,
  MEMORY_CONFIGURATION,
  MEMORY_NETWORK,
  MemoryChainType,
} from '#contexts/networks/testing/memory-chain-type.js';
import { ExplanationQueries } from '../../infrastructure/explanation/persistence/explanation-queries.js';
import { SmallCatalogue } from '../../testing/requests/collecting-world.js';
import { newTenant, NOON, StoredPayments, type Tenant } from '../../testing/requests/stored-payments.js';
import { ExplainTransaction } from './explain-transaction.js';

let platform: TestPlatform;
let stored: StoredPayments;
const chain = new MemoryChain(MEMORY_COIN.token, NOON);

beforeAll(async () => {
  platform = await openTestDatabase();
  stored = new StoredPayments(platform.database);
  await stored.read(MEMORY_NETWORK, 20, 5);
});
afterAll(() => platform.close('any'));

/** Opens a request at the address that all tenants share, with this memo. */
async function openRequestWithMemo(tenant: Tenant, memo: string): Promise<string> {
  const { id } = await stored.request(tenant);
  await stored.address(tenant, id, MEMORY_NETWORK, MEMORY_COIN.uniqueAssetId, MEMORY_ACCOUNT, memo);
  return id;
}

function explainTransactionFor(tenant: Tenant, hash: string) {
  const chainTypes = new ChainTypes([MEMORY_CONFIGURATION], [new MemoryChainType(chain)]);
  return new ExplainTransaction(
    new ExplanationQueries(platform.database),
    new SmallCatalogue([MEMORY_CONFIGURATION], [MEMORY_COIN]),
    chainTypes,
    new WindowRateLimits(),
  ).explain({ ...tenant }, newId(), hash);
}

describe('The explanation of a transaction on an account-based chain', () => {
  it('names only the request that the memo belongs to, though other requests share the address', async () => {
    const tenant = newTenant();
    const [, second] = [await openRequestWithMemo(tenant, '41'), await openRequestWithMemo(tenant, '42')];
    const [sent] = chain.mine({ from: 'rPAYER', to: MEMORY_ACCOUNT, memo: '42', amount: 7n });

    const { unrecorded } = await explainTransactionFor(tenant, sent!.transactionHash);

    expect(unrecorded.map(({ paymentRequestId }) => paymentRequestId)).toEqual([second]);

    await openRequestWithMemo(newTenant(), '52');
    for (const memo of ['52', undefined]) {
      const [other] = chain.mine({ from: 'rPAYER', to: MEMORY_ACCOUNT, amount: 7n, ...(memo && { memo }) });
      const { code, unrecorded: none } = await explainTransactionFor(tenant, other!.transactionHash);
      expect({ code, none }).toEqual({ code: 'to_nobody_here', none: [] });
    }
  });
});
