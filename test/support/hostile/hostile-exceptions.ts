import { HOSTILE_VALUES } from './hostile-values.js';

/** Values that look hostile and that a field takes nevertheless, or refuses without naming itself. */
export interface Exception {
  operation?: string;
  except?: readonly string[];
  fields: readonly string[];
  /** Names of values. Absent, where there is an error code: any. */
  values?: readonly string[];
  /** 200, or the error code that says as much as it may. */
  answer: 200 | string;
}

const names = (text: string) => text.trim().split(/,\s+/);

/** Below 2^256 in the smallest unit of an asset with 6 decimals, and of few digits. */
const LARGE_AMOUNTS = ['beyond a double', 'beyond a page number'];
const WORDS = names('constructor, toString, the word null, the word undefined, the word true');
const ALPHANUMERIC = [
  ...names('NaN, Infinity, small exponent, huge exponent, hexadecimal, leading zeros, two zeros'),
  ...['beyond a page number', ...WORDS],
];
const FOREIGN = names('foreign account, foreign point of sale, foreign payment request');
/** At most 64 characters. */
const SHORT_LINES = [
  ...names(`NaN, Infinity, negative infinity, small exponent, capital exponent, huge exponent, hexadecimal,
    trailing point, leading point, decimal comma, digit separator, two points, leading zeros, two zeros, zero,
    zero with fraction, negative zero, negative, plus, space before, ten decimals, nineteen decimals,
    less than any minimum, beyond a double, beyond a page number, Arabic digits, full-width digits, Devanagari digits,
    right-to-left text, zero-width space, byte order mark, combining marks, emoji`),
  ...WORDS,
  ...names(`a JSON object, an object as text, SQL quote, SQL comment, template, markup, path upwards, dots, wildcard,
    nil UUID, missing UUID, braced UUID, UUID without dashes, UUID and more, no UUID, foreign asset`),
  ...[...FOREIGN, 'foreign key id'],
];
/** All but what is too long for the headers. */
const ANY_HEADER = [
  ...HOSTILE_VALUES.map(({ name }) => name).filter((name) => name !== '100 kB'),
  ...[...FOREIGN, 'foreign key id'],
];
export const LINES = [...SHORT_LINES, 'uint256 and one', 'beyond numeric(78, 0)'];
const HTTPS_URLS = [
  ...['https://10.0.0.1/', 'https://[::ffff:10.0.0.1]/', 'https://[fe80::1]/', 'https://0x0a000001/'],
  'https://metadata.google.internal/',
];
const BOOLEANS = ['true', 'false'];
const SMALL_WHOLE = names('number 0, number 1, number 1.0, number -0, number 1e-400');
const SHORT_NUMBERS = names('number 1, number 1.0, number 1.5, number 2147483648');
const CHECKOUT = 'POST /v1/pos/{posID}/payment-request-checkout';
const PAYMENT_LINK = 'POST /v1/pos/{posID}/payment-link';
const REFUND = 'POST /v1/refunds/payment-request/{paymentRequestID}';
const AUTHORIZATION = 'POST /public/checkout/{sessionId}/authorization';
const OF_ACCOUNT = 'GET PUT DELETE'.split(' ').map((method) => `${method} /v1/account/{accountID}`);

const taken = (fields: string, values: readonly string[]): Exception => ({
  ...{ fields: names(fields), values, answer: 200 },
});
const refused = (answer: string, fields: string, values?: readonly string[]): Exception => ({
  ...{ fields: names(fields), answer, ...(values && { values }) },
});
const by = (operation: string, exception: Exception): Exception => ({ operation, ...exception });

export const EXCEPTIONS: readonly Exception[] = [
  // Without the id it is the path of the list.
  by('GET /v1/pos/{posID}/payment-request/{paymentRequestID}', taken('paymentRequestID', ['empty text'])),
  // The merchant's own words: any line of text with something visible in it.
  taken('reference_id, description, order.description, order.items[0].description, reason', LINES),
  taken('name, device_name, config.merchant.name, config.merchant.description', LINES),
  // Any line of text is taken; each of these is another account's (hostile-supplies.ts).
  refused('state_conflict', 'external_id', LINES),
  taken('order.merchant.name, order.merchant.description', LINES),
  // Every country has its own form of tax id; here at most 64 characters.
  taken('order.merchant.tax_id, config.merchant.tax_id', SHORT_LINES),
  // The payer's wallet or browser uses these URLs; this service never fetches them.
  taken('order.merchant.image, config.merchant.image', HTTPS_URLS),
  taken('return_url, config.return_url', HTTPS_URLS),
  taken('config.frame_origins[0]', HTTPS_URLS),
  // A symbol is any 2 to 12 letters and digits; the order's coin is shown and never looked up.
  taken('order.coin_code, order.items[0].coin_code', ALPHANUMERIC),
  // Large, but amounts are strings and exact, and the asset can hold them.
  { except: [REFUND], ...taken('amount', LARGE_AMOUNTS) },
  // A JSON number of at most 15 digits is also accepted.
  ...[CHECKOUT, PAYMENT_LINK].map((operation) => by(operation, taken('amount', SHORT_NUMBERS))),
  // Decimal strings that are shown and never computed with; the digits of their coin are not known here.
  taken('order.total, order.items[0].amount, order.items[0].unit_price', [
    ...LARGE_AMOUNTS,
    ...names('ten decimals, nineteen decimals, less than any minimum, uint256 and one'),
    'beyond numeric(78, 0)',
  ]),
  // Every field of it can be derived.
  taken('order, order.merchant', ['empty object']),
  // Gifts and free shipping cost nothing.
  taken('order.items[0].amount, order.items[0].unit_price', ['zero', 'zero with fraction']),
  // JSON has one kind of number: 1.0 is 1.
  taken('order.items[0].quantity', ['number 1', 'number 1.0']),
  // Another tenant's request is filtered by like a missing one.
  by('GET /v1/events', taken('payment_request_id', ['missing UUID', ...FOREIGN])),
  by('GET /v1/refunds', taken('payment_request_id', ['missing UUID', ...FOREIGN])),
  // Its end has a default.
  by(REFUND, taken('claim', ['empty object'])),
  // May be left out, but then an address is required in its place.
  by(REFUND, refused('validation_failed', 'claim', ['null'])),
  // May be left out, but then the other id is required in its place.
  refused('validation_failed', 'wallet_external_id', ['null']),
  // Any line of text names a wallet, but another one has accepted.
  refused('state_conflict', 'wallet_external_id', LINES),
  // No answer reveals which of the two is wrong, or what a code looks like.
  by('POST /v1/auth/token', refused('credentials_invalid', 'api_key, api_secret')),
  by('POST /public/till/pairing', refused('pairing_code_invalid', 'code')),
  by('POST /public/till/pairing/subject', refused('pairing_code_invalid', 'code')),
  // May be left out, but not by an organization's key.
  by('POST /v1/pos', refused('validation_failed', 'account_id', ['null'])),
  // What is no account answers like another organization's.
  {
    except: [...OF_ACCOUNT, 'GET /v1/account/{accountID}/settlement-addresses', 'PUT /v1/pos/{posID}'],
    ...refused('account_not_allowed', 'accountID, account_id'),
  },
  // A hash has one form, and every hash of that form has an answer: none is missing.
  by('GET /v1/explain/{transactionHash}', refused('validation_failed', 'transactionHash')),
  // One of the two is the value of the example.
  by('POST /public/payment-links/{code}/checkout', taken('new', BOOLEANS)),
  taken('config.open_amount', BOOLEANS),
  // The till offers none.
  taken('config.till.tip_percentages, config.till.products', ['empty list']),
  taken('config.till.tip_percentages[0]', ['number 1', 'number 1.0']),
  taken('config.till.products[0].name', LINES),
  taken('config.till.products[0].amount', LARGE_AMOUNTS),
  // It is compared with the session that is open, and with nothing else.
  by('POST /public/pos/{code}', taken('replaces', SHORT_LINES)),
  by('POST /v1/account/{accountID}/webhook/{webhookID}/replay', taken('dry_run', BOOLEANS)),
  // Whole numbers; what is nearer to 0 than a double can be is 0.
  taken('underpayment_tolerance.basis_points', SMALL_WHOLE),
  // May be left out, but not beside basis points above 0.
  refused('validation_failed', 'underpayment_tolerance.at_most', ['null']),
  // Any amount above zero with at most 18 fraction digits.
  taken('underpayment_tolerance.at_most', ['ten decimals', 'less than any minimum', ...LARGE_AMOUNTS]),
  // It is the value of the example.
  by(AUTHORIZATION, taken('authorization.valid_after', ['zero'])),
  // The nonce of the example was posted before, with another message.
  by(
    AUTHORIZATION,
    refused('state_conflict', 'authorization.value, authorization.valid_after, authorization.valid_before'),
  ),
  // The message was posted before: it is answered alike, whatever the form of its signature is.
  by(AUTHORIZATION, taken('signature', ['hexadecimal'])),
  taken('overlap_seconds', SMALL_WHOLE),
  // What is no tag of the answer matches none (RFC 9110 section 13.1.2), and the answer is sent.
  taken('If-None-Match', ANY_HEADER),
];
