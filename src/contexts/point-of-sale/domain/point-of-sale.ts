import { invalidField } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Merchant } from '../contract/points-of-sale.js';
import { secureOrigin, secureUrl } from './secure-url.js';
import { optionalText, requiredText } from '#shared/kernel/text.js';

export const POINT_OF_SALE_TYPES = ['online', 'physical'] as const;
export type PointOfSaleType = (typeof POINT_OF_SALE_TYPES)[number];

/** All that can change of a point of sale. */
export interface PointOfSaleDescription {
  readonly name: string;
  readonly merchant: Merchant;
  /** Unique asset ids, as the catalogue spells them; at least one. */
  readonly paymentOptions: readonly string[];
  /** Where the hosted checkout sends the payer at the end. */
  readonly returnUrl: string | null;
  /** Sites that may show the hosted checkout in a frame. */
  readonly frameOrigins: readonly string[];
}

/** A payment entry point of an account. */
export interface PointOfSale extends PointOfSaleDescription {
  readonly id: PointOfSaleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly type: PointOfSaleType;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function pointOfSaleType(word: string): PointOfSaleType {
  const type = POINT_OF_SALE_TYPES.find((known) => known === word);
  if (type === undefined) throw invalidField('type', 'type', 'must be online or physical.');
  return type;
}

/** @throws DomainError naming the field, as `config.merchant.name` */
export function merchantFrom(input: Merchant): Merchant {
  const description = optionalText('config.merchant.description', input.description, 500);
  const taxId = optionalText('config.merchant.tax_id', input.taxId, 64);
  const { image, mcc } = input;
  if (mcc !== undefined && !/^[0-9]{4}$/.test(mcc)) {
    throw invalidField('config.merchant.mcc', 'mcc', 'must be a merchant category code of four digits.');
  }
  return {
    name: requiredText('config.merchant.name', input.name, 200),
    ...(description === undefined ? {} : { description }),
    ...(taxId === undefined ? {} : { taxId }),
    ...(image === undefined ? {} : { image: secureUrl('config.merchant.image', image) }),
    ...(mcc === undefined ? {} : { mcc }),
  };
}

/** More than one site, and a list that a content security policy can carry. */
export const MOST_FRAME_ORIGINS = 20;

export function frameOriginsFrom(texts: readonly string[]): string[] {
  const field = 'config.frame_origins';
  return eachOnce(
    field,
    MOST_FRAME_ORIGINS,
    texts.map((text) => secureOrigin(field, text)),
  );
}

/** @throws DomainError for too many, or for one that is there twice */
export function eachOnce(field: string, most: number, values: readonly string[]): string[] {
  if (values.length > most) throw invalidField(field, 'max_items', `must name at most ${most}.`);
  const twice = values.find((value, position) => values.indexOf(value) !== position);
  if (twice !== undefined) throw invalidField(field, 'unique', `must name ${twice} once.`);
  return [...values];
}
