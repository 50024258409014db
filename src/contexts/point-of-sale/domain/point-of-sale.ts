import { invalidField } from '../../../shared/kernel/domain-error.js';
import type { AccountId, OrganizationId, PointOfSaleId } from '../../../shared/kernel/ids.js';
import type { Merchant } from '../contract/points-of-sale.js';
import { secureOrigin, secureUrl } from './secure-url.js';
import { optionalText, requiredText } from '../../../shared/kernel/text.js';

export const POINT_OF_SALE_TYPES = ['online', 'physical'] as const;
export type PointOfSaleType = (typeof POINT_OF_SALE_TYPES)[number];

/** A payment entry point of an account. */
export interface PointOfSale {
  readonly id: PointOfSaleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly name: string;
  readonly type: PointOfSaleType;
  readonly merchant: Merchant;
  /** Unique asset ids, as the catalogue spells them; at least one. */
  readonly paymentOptions: readonly string[];
  /** Where the hosted checkout sends the payer at the end. */
  readonly returnUrl: string | null;
  /** Sites that may show the hosted checkout in a frame. */
  readonly frameOrigins: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function pointOfSaleType(word: string): PointOfSaleType {
  const type = POINT_OF_SALE_TYPES.find((known) => known === word);
  if (type === undefined) throw invalidField('type', 'type', 'must be online or physical.');
  return type;
}

/** @throws DomainError naming the field, as `merchant.name` */
export function merchantFrom(input: Merchant): Merchant {
  const description = optionalText('merchant.description', input.description, 500);
  const taxId = optionalText('merchant.tax_id', input.taxId, 64);
  const { image, mcc } = input;
  if (mcc !== undefined && !/^[0-9]{4}$/.test(mcc)) {
    throw invalidField('merchant.mcc', 'mcc', 'must be a merchant category code of four digits.');
  }
  return {
    name: requiredText('merchant.name', input.name, 200),
    ...(description === undefined ? {} : { description }),
    ...(taxId === undefined ? {} : { taxId }),
    ...(image === undefined ? {} : { image: secureUrl('merchant.image', image) }),
    ...(mcc === undefined ? {} : { mcc }),
  };
}

export function frameOriginsFrom(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => secureOrigin('frame_origins', text)))];
}
