import { invalidField } from '#shared/kernel/domain-error.js';
import { isLoopbackHost } from '#shared/kernel/ip-range.js';
import { optionalText, parseHttpsUrl, parseOrigin, requireText } from '#shared/kernel/text.js';
import type { AccountId, OrganizationId, PointOfSaleId } from '#shared/kernel/ids.js';
import {
  CHECKOUT_METHODS,
  type CheckoutMethod,
  type Merchant,
  type TillConfig,
} from '../contract/points-of-sale.js';

export const MAX_NAME_LENGTH = 200;
export const MAX_MERCHANT_DESCRIPTION_LENGTH = 500;
export const MAX_TAX_ID_LENGTH = 64;
export const MAX_PAYMENT_OPTIONS = 50;
/** Keeps the content security policy header short. */
export const MAX_FRAME_ORIGINS = 20;

export const POINT_OF_SALE_TYPES = ['online', 'physical'] as const;
export type PointOfSaleType = (typeof POINT_OF_SALE_TYPES)[number];

export interface PointOfSaleDescription {
  readonly name: string;
  readonly merchant: Merchant;
  /** At least one, spelled as in the network catalogue. */
  readonly paymentOptions: readonly string[];
  readonly returnUrl: string | null;
  readonly frameOrigins: readonly string[];
  readonly checkoutFirst: CheckoutMethod;
  readonly openAmount: boolean;
  readonly till: TillConfig | null;
}

export interface PointOfSale extends PointOfSaleDescription {
  readonly id: PointOfSaleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly type: PointOfSaleType;
  /** Public and immutable; null for an online point of sale. */
  readonly code: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function pointOfSaleType(word: string): PointOfSaleType {
  const type = POINT_OF_SALE_TYPES.find((known) => known === word);
  if (type === undefined) throw invalidField('type', 'type', 'must be online or physical.');
  return type;
}

/** Default: `address`. @throws DomainError */
export function firstCheckoutMethodFrom(word: string = 'address'): CheckoutMethod {
  const way = CHECKOUT_METHODS.find((known) => known === word);
  if (way === undefined) throw invalidField('config.checkout_first', 'way', 'must be address or code.');
  return way;
}

/** @throws DomainError naming the field */
export function merchantFrom(input: Merchant): Merchant {
  const { image, mcc } = input;
  const description = optionalText(
    'config.merchant.description',
    input.description,
    MAX_MERCHANT_DESCRIPTION_LENGTH,
  );
  const taxId = optionalText('config.merchant.tax_id', input.taxId, MAX_TAX_ID_LENGTH);
  if (mcc !== undefined && !/^[0-9]{4}$/.test(mcc)) {
    throw invalidField('config.merchant.mcc', 'mcc', 'must be four digits, such as "5814".');
  }
  return {
    name: requireText('config.merchant.name', input.name, MAX_NAME_LENGTH),
    description,
    taxId,
    image: image === undefined ? undefined : requireSecureUrl('config.merchant.image', image),
    mcc,
  };
}

export interface MerchantFields extends Omit<Merchant, 'taxId'> {
  readonly tax_id?: string;
}

export function merchantFields({ name, description, taxId, image, mcc }: Merchant): MerchantFields {
  return { name, description, tax_id: taxId, image, mcc };
}

export function merchantFromFields({ tax_id: taxId, ...merchant }: MerchantFields): Merchant {
  return { ...merchant, taxId };
}

export function frameOriginsFrom(texts: readonly string[]): string[] {
  const field = 'config.frame_origins';
  return requireDistinct(
    field,
    MAX_FRAME_ORIGINS,
    texts.map((text) => requireSecureOrigin(field, text)),
  );
}

export function requireDistinct(field: string, most: number, values: readonly string[]): string[] {
  if (values.length > most) throw invalidField(field, 'max_items', `must have at most ${most} items.`);
  const twice = values.find((value, position) => values.indexOf(value) !== position);
  if (twice !== undefined) throw invalidField(field, 'unique', `must not contain ${twice} twice.`);
  return [...values];
}

/** Absolute, without user name or password. @throws DomainError */
export function requireSecureUrl(field: string, text: string): string {
  if (parseHttpsUrl(text) === undefined) {
    throw invalidField(field, 'https_url', 'must be an https:// URL without a user name or password.');
  }
  return text;
}

export function requireSecureOrigin(field: string, text: string): string {
  const origin = originOf(text);
  if (origin === undefined) {
    throw invalidField(
      field,
      'https_origin',
      'must be an origin without a path, such as https://shop.example.',
    );
  }
  return origin;
}

/** No wildcards, and no characters that end a directive of the policy. */
const PLAIN_HOST_PATTERN = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/;

export function isSecureOrigin(text: string): boolean {
  return originOf(text) !== undefined;
}

/** Browsers trust plain HTTP for loopback hosts (W3C Secure Contexts, section 3.1). */
function originOf(text: string): string | undefined {
  const origin = parseOrigin(text);
  if (origin === undefined) return undefined;
  const { protocol, hostname } = new URL(origin);
  const isSecure = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
  return isSecure && PLAIN_HOST_PATTERN.test(hostname) ? origin : undefined;
}

export class PrintedCodeUrls {
  constructor(private readonly checkoutHost: string) {}

  /** Browsers open it as a page, wallets as a payment. */
  forCode(code: string): string {
    return `${this.checkoutHost}/pos/${code}`;
  }
}
