/** An organization with one account and what belongs to it. */
export interface Tenant {
  organizationId: string;
  accountId: string;
  posId: string;
  paymentRequestId: string;
  paymentToken: string;
  /** Of a checkout that is open. */
  sessionId: string;
  paymentLink: OpenedLink;
  /** Of a payment link that nobody opens. */
  idleLinkId: string;
  credential: Credential;
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
