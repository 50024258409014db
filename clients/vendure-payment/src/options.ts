/** Options of `PaymentCollectionPlugin.init`. */
export interface PaymentCollectionOptions {
  /** URL of the service, such as `https://payments.example`. http is allowed only for a loopback host. */
  readonly baseUrl: string;
  /** Key id of a credential with the roles `read` and `write`. */
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Id of the online point of sale in which checkouts are created. Use it only for this shop. */
  readonly pointOfSaleId: string;
  /** Webhook secret, as returned when the webhook was created. Pass all valid secrets during a rotation. */
  readonly webhookSecret: string | readonly string[];
  /** https URL that the hosted page opens after the payment. Default: the return URL of the point of sale. */
  readonly returnUrl?: string;
  /** URL of the service's dashboard. If set, notes and payments link to it. */
  readonly dashboardUrl?: string;
}

const REQUIRED = ['baseUrl', 'apiKey', 'apiSecret', 'pointOfSaleId', 'webhookSecret'] as const;

/** @throws Error that names the missing options and contains no values */
export function checkOptions(options: Partial<PaymentCollectionOptions>): PaymentCollectionOptions {
  const missing = REQUIRED.filter((name) => !options[name]?.length);
  if (missing.length === 0) return options as PaymentCollectionOptions;
  throw new Error(
    `The options of payment-collection-vendure are invalid: ${missing.join(', ')} is required.`,
  );
}
