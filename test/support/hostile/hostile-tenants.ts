import type { SubmitAuthorizationBody } from '#contexts/payments/infrastructure/authorizations/http/authorization.dto.js';

/** An organization with one account and what belongs to it. */
export interface Tenant {
  organizationId: string;
  accountId: string;
  posId: string;
  paymentRequestId: string;
  paymentToken: string;
  /** The session of a checkout that is open. */
  sessionId: string;
  /** All that it asks for, as a payer has signed it; it waits, since no gas key is held. */
  authorization: SubmitAuthorizationBody;
  paymentLink: OpenedLink;
  /** A payment link that nobody opens. */
  idleLinkId: string;
  credential: Credential;
  subscriptions: AgreedSubscriptions;
}

/** Accepted by the wallet of the examples, with long trials, so that nothing is charged. */
export interface AgreedSubscriptions {
  /** Stays active. */
  agreedId: string;
  /** May be revoked, again and again. */
  endedId: string;
}

/** A payment link that a payer has opened. */
export interface OpenedLink {
  id: string;
  code: string;
  /** `Cookie` of that payer. */
  cookie: string;
}

export interface Credential {
  id: string;
  organizationId: string;
  keyId: string;
  secret: string;
}
