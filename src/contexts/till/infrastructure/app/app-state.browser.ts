// State that several modules of the till app share.
import type { components } from '../../../../../openapi/openapi.js';

type Schemas = components['schemas'];
type Progress = Schemas['PaymentRequestProgress'];

export type Product = Schemas['TillProduct'];
export type CheckoutBody = Schemas['CreateCheckoutBody'] & { reference_id: string };
export type Pairing = Schemas['PairedDevice'] & { device_name: string };

export type PaymentSignalName = 'paid' | 'seen' | 'bad';

/** Stored on the phone, so that the till opens without a network. */
export interface Shop {
  name: string;
  coin?: string;
  tips: number[];
  products: Product[];
}

export type Payment = Partial<Progress> &
  Pick<Progress, 'id' | 'status' | 'fulfilled' | 'amount' | 'expires_at'>;

export interface Sale {
  readonly key: string;
  /** Phone time in milliseconds. 0 prevents the creation of the checkout. */
  madeAt: number;
  readonly body: CheckoutBody;
  request?: Payment;
  isCancelling?: boolean;
  isCancelled?: boolean;
  rung?: PaymentSignalName;
}

export type SentSale = Sale & { request: Payment };

export interface StoredSales {
  sale?: Sale;
  /** Left by the cashier before the detected payment was final. */
  left: SentSale[];
  abandoned: string[];
}

interface AppState extends StoredSales {
  pairing?: Pairing;
  readonly shop: Shop;
  viewed?: Pick<SentSale, 'request'>;
  problem?: string;
  trouble?: string;
}

export const appState: AppState = { shop: { name: '', tips: [], products: [] }, left: [], abandoned: [] };
