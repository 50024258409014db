/** Invariants that a test cannot keep which has one context alone, and makes up what another would have stored. */

/** Deposit addresses under settlement terms that were never set. */
export const MADE_UP_TERMS = ['addresses-are-of-their-terms'];

/** Events of payment requests, transfers, refunds and floats that were never made. */
export const MADE_UP_EVENTS = [
  'acceptances-match-events',
  'events-have-their-request',
  'one-step-for-each-event',
  'confirmations-tell-their-request',
  'booked-transfers-match-events',
  'one-event-for-each-deposit',
  'one-event-for-each-reversal',
  'refund-events-tell-their-refund',
  'top-up-events-tell-their-top-up',
  'orders-of-floats-never-change',
  'withdrawal-events-tell-their-withdrawal',
];

/** Events of settlements that were never recorded. */
export const MADE_UP_SETTLEMENTS = ['settlement-events-follow-edges'];

/** Events of subscriptions that were never offered. */
export const MADE_UP_SUBSCRIPTIONS = ['subscription-events-tell-their-history'];

/** Sendings that no batch, payout or payer ordered. */
export const MADE_UP_SENDINGS = [
  'authorizations-are-sent-as-stored',
  'floats-send-what-was-ordered',
  'settlements-are-sent-as-chosen',
];

/** Batches and payouts that were sent by no sender, of requests and terms that there never were. */
export const MADE_UP_SENDER = [
  ...MADE_UP_SENDINGS,
  'float-payouts-end-as-mined',
  'withdrawals-go-to-settlement-addresses',
  'refunded-sums-were-received',
];

export const MOVED_CLOCK = ['clock-is-not-moved'];
