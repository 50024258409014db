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
export type LedgerTransactionId = Id<'Transaction'>;
export type SubscriptionId = Id<'Subscription'>;
export type WalletId = Id<'Wallet'>;
export type WebhookId = Id<'Webhook'>;
export type DeliveryId = Id<'Delivery'>;
export type CollaboratorId = Id<'Collaborator'>;
export type InvitationId = Id<'Invitation'>;
export type DashboardSessionId = Id<'Session'>;

export const MAX_REFERENCE_ID_LENGTH = 128;

/** One call for random bytes per id would make an id five times as slow. */
const IDS_PER_RANDOM_BATCH = 256;
const randomBatch = new Uint8Array(IDS_PER_RANDOM_BATCH * 16);
let usedRandomBytes = randomBatch.length;

function takeSixteenRandomBytes(): Uint8Array {
  if (usedRandomBytes === randomBatch.length) {
    crypto.getRandomValues(randomBatch);
    usedRandomBytes = 0;
  }
  usedRandomBytes += 16;
  return randomBatch.subarray(usedRandomBytes - 16, usedRandomBytes);
}

const lastId = { milliseconds: 0, sequence: 0 };

/** UUIDv7 (RFC 9562). Ids of this process sort by creation time, even within a millisecond. */
export function newId<T extends string>(): T {
  const random = takeSixteenRandomBytes();
  const now = Date.now();
  if (now > lastId.milliseconds) {
    lastId.milliseconds = now;
    // 31 random bits, so that the sequence still fits 32 bits after all increments within a millisecond.
    lastId.sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
  } else {
    lastId.sequence += 1;
  }
  return v7({ msecs: lastId.milliseconds, seq: lastId.sequence, random }) as T;
}

/** Any version, with hyphens, in lower or upper case. */
export function isUuid(text: string): boolean {
  return validate(text) && version(text) > 0;
}
