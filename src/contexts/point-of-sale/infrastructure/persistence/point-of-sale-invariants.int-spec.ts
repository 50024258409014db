import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADDRESS, PointOfSaleParts } from '../../testing/point-of-sale-parts.js';
import { tenant } from '../../testing/tenants.js';
import { pointOfSaleInvariants } from './point-of-sale-invariants.js';

let parts: PointOfSaleParts;
beforeAll(async () => void (parts = await PointOfSaleParts.open()));
afterAll(() => parts.close());

describe('The invariants of points of sale', () => {
  it('hold, and each notices its breach', async () => {
    const { database } = parts.platform;
    const breaches = async () => {
      const counts: number[] = [];
      for (const { breaches: sql } of pointOfSaleInvariants) counts.push((await database.query(sql)).length);
      return counts;
    };
    const owner = await tenant(database);
    const stranger = await tenant(database);
    await parts.create(owner);
    await parts.create(owner);
    await parts.setTerms(owner);
    expect(await breaches()).toEqual([0, 0, 0]);

    await expect(
      database.run(async () => {
        await database.write(
          'UPDATE point_of_sale.points_of_sale SET account_id = $1 WHERE organization_id = $2',
          [stranger.accountIds[0], owner.organizationId],
        );
        await database.write(
          `INSERT INTO point_of_sale.settlement_terms (id, organization_id, account_id, network, settlement_address,
             fee_recipient, fee_basis_points, set_by, created_at)
           VALUES (gen_random_uuid(), $1, $2, 'polygon', $3, $3, 1, 'test', now())`,
          [owner.organizationId, stranger.accountIds[0], ADDRESS],
        );
        expect(await breaches()).toEqual([2, 1, 1]);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
  });
});
