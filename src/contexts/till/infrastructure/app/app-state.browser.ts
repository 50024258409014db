// State that several modules of the till app read and change.
import type { components } from '../../../../../openapi/openapi.js';

type Schemas = components['schemas'];
type Progress = Schemas['PaymentRequestProgress'];

export type Product = Schemas['TillProduct'];
export type CheckoutBody = Schemas['CreateCheckoutBody'] & { reference_id: string };
export type Pairing = Schemas['PairedDevice'] & { device_name: string };

export type SignalName = 'paid' | 'seen' | 'bad';

/** Settings of the point of sale. The phone stores them, so that the till opens without a network. */
export interface Shop {
  name: string;
  coin?: string;
  tips: number[];
  products: Product[];
}

/** The fields of a payment request that every API response contains, and optional others. */
export type Payment = Partial<Progress> &
  Pick<Progress, 'id' | 'status' | 'fulfilled' | 'amount' | 'expires_at'>;

export interface Sale {
  /** Idempotency key of the request that creates the checkout. */
  readonly key: string;
  /** Phone time in milliseconds at which the sale began. 0 prevents the creation of the checkout. */
  madeAt: number;
  readonly body: CheckoutBody;
  /** Payment request of the sale; absent until the service has responded. */
  request?: Payment;
  isCancelling?: boolean;
  isCancelled?: boolean;
  /** The signal that was played last for the sale. */
  rung?: SignalName;
}

export type SentSale = Sale & { request: Payment };

export interface StoredSales {
  sale?: Sale;
  /** Sales that the cashier left before their detected payment was final. */
  left: SentSale[];
  /** References of sales that were cancelled before the service responded. */
  abandoned: string[];
}

interface AppState extends StoredSales {
  pairing?: Pairing;
  readonly shop: Shop;
  /** The payment that the cashier opened from the list of today's payments. */
  viewed?: Pick<SentSale, 'request'>;
  /** Error that ended the sale or prevented it, displayed to the cashier. */
  problem?: string;
  /** Message of a temporary error: the till keeps trying. */
  trouble?: string;
}

export const app: AppState = { shop: { name: '', tips: [], products: [] }, left: [], abandoned: [] };
