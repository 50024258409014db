import { describe, expect, it } from '@jest/globals';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { CreatePointOfSale } from '#contexts/point-of-sale/application/create-point-of-sale.js';
import { PointsOfSaleRecords } from '#contexts/point-of-sale/infrastructure/persistence/points-of-sale-records.js';
import { SingleCommand } from '../testing/lone-command.js';
import { pointOfSaleCommands } from './point-of-sale-commands.js';

const OWNER = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';
const ACCOUNT = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90';

describe('The command "pos create"', () => {
  it('shows payers the name of the point of sale unless another is given', async () => {
    const create = new SingleCommand(pointOfSaleCommands, 'pos create', [
      [CreatePointOfSale, { create: async (point: object) => point }],
    ]);
    const values = { organization: OWNER, account: ACCOUNT, name: 'Till 7', 'payment-options': 'a,b' };

    expect(await create.run(values)).toMatchObject({
      name: 'Till 7',
      merchant_name: 'Till 7',
      type: 'online',
    });
    expect(await create.run({ ...values, 'merchant-name': 'Corner Coffee' })).toMatchObject({
      name: 'Till 7',
      merchant_name: 'Corner Coffee',
    });
  });
});

describe('The command "pos list"', () => {
  it('lists only the points of sale of the given account', async () => {
    const list = new SingleCommand(pointOfSaleCommands, 'pos list', [
      [
        AccountDirectory,
        { narrowScopeIfGiven: async (scope: object, accountId = null) => ({ ...scope, accountId }) },
      ],
      [
        PointsOfSaleRecords,
        {
          list: async ({ accountId }: { accountId: string | null }) => ({
            items: [{ id: 'p', accountId, merchant: {} }],
            total: 1,
          }),
        },
      ],
    ]);

    expect(await list.run({ organization: OWNER, account: ACCOUNT })).toMatchObject({
      data: [{ account_id: ACCOUNT }],
    });
    expect(await list.run({ organization: OWNER })).toMatchObject({ data: [{ account_id: null }] });
  });
});
