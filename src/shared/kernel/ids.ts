import { v7, validate, version } from 'uuid';

declare const brand: unique symbol;
type Id<Of extends string> = string & { readonly [brand]: Of };

export type OrganizationId = Id<'Organization'>;
export type AccountId = Id<'Account'>;
export type CredentialId = Id<'Credential'>;
export type PointOfSaleId = Id<'PointOfSale'>;
export type SettlementTermsId = Id<'SettlementTerms'>;
export type PaymentRequestId = Id<'PaymentRequest'>;
export type PaymentLinkId = Id<'PaymentLink'>;
export type TransactionId = Id<'Transaction'>;
export type WebhookId = Id<'Webhook'>;
export type DeliveryId = Id<'Delivery'>;

/** A fresh UUIDv7 (RFC 9562): unique without coordination and ordered by time of birth, which keeps indexes dense. */
export function newId<T extends string>(): T {
  return v7() as T;
}

/** True for a UUID of any version in its canonical, lower or upper case, hyphenated form. */
export function isUuid(text: string): boolean {
  return validate(text) && version(text) > 0;
}
