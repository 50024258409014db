import { CHECKOUT_EXAMPLE } from '../../checkout/http/checkout-examples.js';
import type { PaymentLinkDto, PaymentLinkSessionDto } from './payment-link.dto.js';

const { amount, coin_code, payment_options, merchant, order, return_url } = CHECKOUT_EXAMPLE;

export const LINK_EXAMPLE: PaymentLinkDto = {
  id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90',
  code: 'Zr0t8pJ5cVd2mQw7LxK1Ag',
  url: 'https://pay.example/link/Zr0t8pJ5cVd2mQw7LxK1Ag',
  ...{ amount, coin_code, payment_options, order, return_url },
  active: true,
  created_at: '2026-01-31T12:00:00.000Z',
};

/** What a payer sees who has not opened the link yet. */
export const OFFERED_EXAMPLE: PaymentLinkSessionDto = { amount, coin_code, payment_options, merchant, order };
