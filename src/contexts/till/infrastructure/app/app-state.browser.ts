// The state that several modules of the app read and change.
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

/** A payment request in any form that the API returns. */
export type Payment = Partial<Progress> &
  Pick<Progress, 'id' | 'status' | 'fulfilled' | 'amount' | 'expires_at'>;

export interface Sale {
  /** Idempotency key under which the checkout is created. */
  readonly key: string;
  /** Phone time in milliseconds. 0 prevents the creation of the checkout. */
  madeAt: number;
  readonly body: CheckoutBody;
  /** Absent until the service has responded. */
  request?: Payment;
  isCancelling?: boolean;
  isCancelled?: boolean;
  /** The signal that was last played for the sale. */
  rung?: SignalName;
}

export type SentSale = Sale & { request: Payment };

export interface StoredSales {
  sale?: Sale;
  /** Sales whose payment was detected but not final when the cashier continued. */
  left: SentSale[];
  /** References of sales that were cancelled before the service responded. */
  abandoned: string[];
}

interface AppState extends StoredSales {
  pairing?: Pairing;
  readonly shop: Shop;
  /** The payment that the cashier opened from the list. */
  viewed?: Pick<SentSale, 'request'>;
  /** Reason why there is no sale. */
  problem?: string;
  /** Reason why the service asks to try again. */
  trouble?: string;
}

export const app: AppState = { shop: { name: '', tips: [], products: [] }, left: [], abandoned: [] };
