import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/kernel/clock.js';
import { invalidField, notFound } from '../../../shared/kernel/domain-error.js';
import { newId, type AccountId } from '../../../shared/kernel/ids.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import { UnitOfWork } from '../../../shared/kernel/unit-of-work.js';
import { AccountDirectory } from '../../identity/contract/account-directory.js';
import { NetworkCatalogue } from '../../networks/contract/network-catalogue.js';
import type { Merchant } from '../contract/points-of-sale.js';
import {
  frameOriginsFrom,
  merchantFrom,
  pointOfSaleType,
  type PointOfSale,
} from '../domain/point-of-sale.js';
import { secureUrl } from '../domain/secure-url.js';
import { requiredText } from '../../../shared/kernel/text.js';
import { PointsOfSaleRecords } from './points-of-sale-records.js';

export interface NewPointOfSale {
  scope: Scope;
  accountId: AccountId;
  name: string;
  type: string;
  merchant: Merchant;
  /** Unique asset ids, in any case. */
  paymentOptions: readonly string[];
  returnUrl?: string;
  frameOrigins?: readonly string[];
}

@Injectable()
export class CreatePointOfSale {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly accounts: AccountDirectory,
    private readonly catalogue: NetworkCatalogue,
    private readonly records: PointsOfSaleRecords,
  ) {}

  /** @throws validation_failed; not_found for an account that the scope does not hold */
  async execute(input: NewPointOfSale): Promise<PointOfSale> {
    const { scope, accountId, returnUrl } = input;
    const description = {
      name: requiredText('name', input.name, 200),
      type: pointOfSaleType(input.type),
      merchant: merchantFrom(input.merchant),
      paymentOptions: this.optionsFrom(input.paymentOptions),
      returnUrl: returnUrl === undefined ? null : secureUrl('return_url', returnUrl),
      frameOrigins: frameOriginsFrom(input.frameOrigins ?? []),
    };
    const isOwn = scope.accountId === null || scope.accountId === accountId;
    if (!isOwn || !(await this.accounts.belongsTo(accountId, scope.organizationId)))
      throw notFound('account');
    return this.unitOfWork.run(async () => {
      const at = await this.clock.now();
      const pointOfSale: PointOfSale = {
        id: newId(),
        organizationId: scope.organizationId,
        accountId,
        ...description,
        createdAt: at,
        updatedAt: at,
      };
      await this.records.add(pointOfSale);
      return pointOfSale;
    });
  }

  private optionsFrom(ids: readonly string[]): string[] {
    const options = ids.map((id) => {
      const asset = this.catalogue.asset(id);
      if (asset === undefined) {
        const known = this.catalogue.assets().map(({ uniqueAssetId }) => uniqueAssetId);
        throw invalidField(
          'payment_options',
          'asset',
          `${id} is not an asset of this service: ${known.join(', ')}.`,
        );
      }
      return asset.uniqueAssetId;
    });
    if (options.length === 0)
      throw invalidField('payment_options', 'required', 'must name at least one asset.');
    return [...new Set(options)];
  }
}
