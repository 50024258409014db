/** Kind of the due work by which planned payment requests are opened; the key is the payment request's id. */
export const CHARGE_REQUEST_WORK = 'charge_request';
