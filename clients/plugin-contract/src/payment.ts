import type { Schemas } from 'payment-collection-client';

export type Payment = Schemas['PaymentRequestProgress'];
