import type { SubmitAuthorizationBody } from '#contexts/payments/infrastructure/authorizations/http/authorization.dto.js';

export interface Tenant {
  organizationId: string;
  accountId: string;
  posId: string;
  paymentRequestId: string;
  paymentToken: string;
  sessionId: string;
  /** All that it asks for, as a payer has signed it; it waits, since no gas key is held. */
  authorization: SubmitAuthorizationBody;
  paymentLink: OpenedLink;
  idleLinkId: string;
  credential: Credential;
  subscriptions: AgreedSubscriptions;
}

/** Accepted by the wallet of the examples, with long trials, so that nothing is charged. */
export interface AgreedSubscriptions {
  agreedId: string;
  endedId: string;
}

export interface OpenedLink {
  id: string;
  code: string;
  cookie: string;
}

export interface Credential {
  id: string;
  organizationId: string;
  keyId: string;
  secret: string;
}
