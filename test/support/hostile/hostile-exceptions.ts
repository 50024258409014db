import { HOSTILE_VALUES } from './hostile-values.js';

/** Values that look hostile and that a field takes nevertheless, or refuses without naming itself, and why that is right. */
export interface Exception {
  /** Every operation that has the fields, unless one is named. */
  operation?: string;
  /** But not these. */
  except?: readonly string[];
  fields: readonly string[];
  /** Names of values. Absent, where there is an error code: any. */
  values?: readonly string[];
  /** 200, or the error code that says as much as it may. */
  answer: 200 | string;
  reason: string;
}

/** Below 2^256 in the smallest unit of an asset with 6 decimals, and of few digits. */
const LARGE_AMOUNTS = ['beyond a double', 'beyond a page number'];
const ALPHANUMERIC = [
  ...['NaN', 'Infinity', 'small exponent', 'huge exponent', 'hexadecimal', 'leading zeros', 'two zeros'],
  ...[
    'beyond a page number',
    'constructor',
    'toString',
    'the word null',
    'the word undefined',
    'the word true',
  ],
];
/** At most 64 characters. */
const SHORT_LINES = [
  ...[
    'NaN',
    'Infinity',
    'negative infinity',
    'small exponent',
    'capital exponent',
    'huge exponent',
    'hexadecimal',
  ],
  ...[
    'trailing point',
    'leading point',
    'decimal comma',
    'digit separator',
    'two points',
    'leading zeros',
    'two zeros',
  ],
  ...['zero', 'zero with fraction', 'negative zero', 'negative', 'plus', 'space before', 'ten decimals'],
  ...[
    'nineteen decimals',
    'less than any minimum',
    'beyond a double',
    'beyond a page number',
    'Arabic digits',
  ],
  ...['full-width digits', 'Devanagari digits', 'right-to-left text', 'zero-width space', 'byte order mark'],
  ...[
    'combining marks',
    'emoji',
    'constructor',
    'toString',
    'the word null',
    'the word undefined',
    'the word true',
  ],
  ...[
    'a JSON object',
    'an object as text',
    'SQL quote',
    'SQL comment',
    'template',
    'markup',
    'path upwards',
    'dots',
  ],
  ...[
    'wildcard',
    'nil UUID',
    'missing UUID',
    'braced UUID',
    'UUID without dashes',
    'UUID and more',
    'no UUID',
  ],
  ...[
    'foreign asset',
    'foreign account',
    'foreign point of sale',
    'foreign payment request',
    'foreign key id',
  ],
];
/** All but what is too long for the headers. */
const ANY_HEADER = [
  ...HOSTILE_VALUES.map(({ name }) => name).filter((name) => name !== '100 kB'),
  ...['foreign account', 'foreign point of sale', 'foreign payment request', 'foreign key id'],
];
export const LINES = [...SHORT_LINES, 'uint256 and one', 'beyond numeric(78, 0)'];

export const EXCEPTIONS: readonly Exception[] = [
  {
    operation: 'GET /v1/pos/{posID}/payment-request/{paymentRequestID}',
    fields: ['paymentRequestID'],
    values: ['empty text'],
    answer: 200,
    reason: 'Without the id it is the path of the list.',
  },
  {
    fields: ['reference_id', 'description', 'order.description', 'order.items[0].description', 'reason'],
    values: LINES,
    answer: 200,
    reason:
      'The merchant’s own words: any line of text with something visible in it, stored and shown as it is.',
  },
  {
    fields: ['name', 'device_name', 'config.merchant.name', 'config.merchant.description'],
    values: LINES,
    answer: 200,
    reason: 'Names are the merchant’s own words.',
  },
  {
    fields: ['external_id'],
    values: LINES,
    answer: 'state_conflict',
    reason: 'Any line of text is taken; each of these is another account’s (hostile-accounts.ts).',
  },
  {
    fields: ['order.merchant.name', 'order.merchant.description'],
    values: LINES,
    answer: 200,
    reason: 'The merchant’s own words.',
  },
  {
    fields: ['order.merchant.tax_id', 'config.merchant.tax_id'],
    values: SHORT_LINES,
    answer: 200,
    reason: 'Every country has its own form of tax id; here at most 64 characters.',
  },
  {
    fields: ['order.merchant.image', 'config.merchant.image'],
    values: [
      ...['https://10.0.0.1/', 'https://[::ffff:10.0.0.1]/', 'https://[fe80::1]/', 'https://0x0a000001/'],
      'https://metadata.google.internal/',
    ],
    answer: 200,
    reason: 'Handed on to the payer’s wallet; this service never fetches it.',
  },
  {
    fields: ['return_url', 'config.return_url'],
    values: [
      ...['https://10.0.0.1/', 'https://[::ffff:10.0.0.1]/', 'https://[fe80::1]/', 'https://0x0a000001/'],
      'https://metadata.google.internal/',
    ],
    answer: 200,
    reason: 'The payer’s browser is sent there; this service never fetches it.',
  },
  {
    fields: ['config.frame_origins[0]'],
    values: [
      ...['https://10.0.0.1/', 'https://[::ffff:10.0.0.1]/', 'https://[fe80::1]/', 'https://0x0a000001/'],
      'https://metadata.google.internal/',
    ],
    answer: 200,
    reason: 'The payer’s browser learns who may frame the page; this service never fetches it.',
  },
  {
    fields: ['order.coin_code', 'order.items[0].coin_code'],
    values: ALPHANUMERIC,
    answer: 200,
    reason: 'A symbol is any 2 to 12 letters and digits; the order’s coin is shown and never looked up.',
  },
  {
    except: ['POST /v1/refunds/payment-request/{paymentRequestID}'],
    fields: ['amount'],
    values: LARGE_AMOUNTS,
    answer: 200,
    reason: 'Large, but amounts are strings and exact, and the asset can hold them.',
  },
  {
    fields: ['order.total', 'order.items[0].amount', 'order.items[0].unit_price'],
    values: [
      ...LARGE_AMOUNTS,
      ...[
        'ten decimals',
        'nineteen decimals',
        'less than any minimum',
        'uint256 and one',
        'beyond numeric(78, 0)',
      ],
    ],
    answer: 200,
    reason:
      'Decimal strings that are shown and never computed with; what digits their coin has is not known here.',
  },
  {
    fields: ['order', 'order.merchant'],
    values: ['empty object'],
    answer: 200,
    reason: 'Every field of it can be derived.',
  },
  {
    fields: ['order.items[0].amount', 'order.items[0].unit_price'],
    values: ['zero', 'zero with fraction'],
    answer: 200,
    reason: 'Gifts and free shipping cost nothing.',
  },
  {
    fields: ['order.items[0].quantity'],
    values: ['number 1', 'number 1.0'],
    answer: 200,
    reason: 'JSON knows one kind of number: 1.0 is 1.',
  },
  {
    operation: 'GET /v1/events',
    fields: ['payment_request_id'],
    values: ['missing UUID', 'foreign account', 'foreign point of sale', 'foreign payment request'],
    answer: 200,
    reason: 'Another tenant’s request is filtered by like a missing one: there are no events of it.',
  },
  {
    operation: 'GET /v1/refunds',
    fields: ['payment_request_id'],
    values: ['missing UUID', 'foreign account', 'foreign point of sale', 'foreign payment request'],
    answer: 200,
    reason: 'Likewise: there are no refunds of it.',
  },
  {
    operation: 'POST /v1/refunds/payment-request/{paymentRequestID}',
    fields: ['claim'],
    values: ['empty object'],
    answer: 200,
    reason: 'Its end has a default.',
  },
  {
    operation: 'POST /v1/refunds/payment-request/{paymentRequestID}',
    fields: ['claim'],
    values: ['null'],
    answer: 'validation_failed',
    reason: 'May be left out, but then an address is required in its place.',
  },
  {
    fields: ['wallet_external_id'],
    values: ['null'],
    answer: 'validation_failed',
    reason: 'May be left out, but then the other id is required in its place.',
  },
  {
    fields: ['wallet_external_id'],
    values: LINES,
    answer: 'state_conflict',
    reason: 'Any line of text names a wallet, but another one has accepted.',
  },
  {
    operation: 'POST /v1/auth/token',
    fields: ['api_key', 'api_secret'],
    answer: 'credentials_invalid',
    reason: 'No answer reveals which of the two is wrong.',
  },
  {
    operation: 'POST /public/till/pairing',
    fields: ['code'],
    answer: 'pairing_code_invalid',
    reason: 'No answer reveals what a code looks like.',
  },
  {
    operation: 'POST /public/till/pairing/subject',
    fields: ['code'],
    answer: 'pairing_code_invalid',
    reason: 'No answer reveals what a code looks like.',
  },
  {
    operation: 'POST /v1/pos',
    fields: ['account_id'],
    values: ['null'],
    answer: 'validation_failed',
    reason: 'May be left out, but not by an organization’s key.',
  },
  {
    fields: ['accountID', 'account_id'],
    except: [
      'GET /v1/account/{accountID}',
      'PUT /v1/account/{accountID}',
      'DELETE /v1/account/{accountID}',
      'GET /v1/account/{accountID}/settlement-addresses',
      'PUT /v1/pos/{posID}',
    ],
    answer: 'account_not_allowed',
    reason: 'What is no account answers like another organization’s.',
  },
  {
    operation: 'GET /v1/explain/{transactionHash}',
    fields: ['transactionHash'],
    answer: 'validation_failed',
    reason: 'A hash has one form, and every hash of that form has an answer: none is missing.',
  },
  {
    operation: 'POST /public/payment-links/{code}/checkout',
    fields: ['new'],
    values: ['true', 'false'],
    answer: 200,
    reason: 'One of the two is what the field takes.',
  },
  {
    fields: ['config.open_amount'],
    values: ['true', 'false'],
    answer: 200,
    reason: 'One of the two is what the field takes.',
  },
  {
    fields: ['config.till.tip_percentages', 'config.till.products'],
    values: ['empty list'],
    answer: 200,
    reason: 'The till offers none.',
  },
  {
    fields: ['config.till.tip_percentages[0]'],
    values: ['number 1', 'number 1.0'],
    answer: 200,
    reason: 'JSON knows one kind of number: 1.0 is 1.',
  },
  {
    fields: ['config.till.products[0].name'],
    values: LINES,
    answer: 200,
    reason: 'The merchant’s own words.',
  },
  {
    fields: ['config.till.products[0].amount'],
    values: LARGE_AMOUNTS,
    answer: 200,
    reason: 'Large, but amounts are strings and exact.',
  },
  {
    operation: 'POST /public/pos/{code}',
    fields: ['replaces'],
    values: SHORT_LINES,
    answer: 200,
    reason: 'It is compared with the session that is open, and with nothing else.',
  },
  {
    operation: 'POST /v1/account/{accountID}/webhook/{webhookID}/replay',
    fields: ['dry_run'],
    values: ['true', 'false'],
    answer: 200,
    reason: 'One of the two is what the field takes.',
  },
  {
    fields: ['underpayment_tolerance.basis_points'],
    values: ['number 0', 'number 1', 'number 1.0', 'number -0', 'number 1e-400'],
    answer: 200,
    reason: 'Whole numbers; JSON knows one kind, and what is nearer to 0 than a double can be is 0.',
  },
  {
    fields: ['underpayment_tolerance.at_most'],
    values: ['null'],
    answer: 'validation_failed',
    reason: 'May be left out, but not beside basis points above 0.',
  },
  {
    fields: ['underpayment_tolerance.at_most'],
    values: ['ten decimals', 'less than any minimum', ...LARGE_AMOUNTS],
    answer: 200,
    reason: 'Any amount above zero with at most 18 fraction digits.',
  },
  {
    operation: 'POST /public/checkout/{sessionId}/authorization',
    fields: ['authorization.valid_after'],
    values: ['zero'],
    answer: 200,
    reason: 'It is the value of the example.',
  },
  {
    operation: 'POST /public/checkout/{sessionId}/authorization',
    fields: ['authorization.value', 'authorization.valid_after', 'authorization.valid_before'],
    answer: 'state_conflict',
    reason: 'The nonce of the example was posted before, with another message.',
  },
  {
    operation: 'POST /public/checkout/{sessionId}/authorization',
    fields: ['signature'],
    values: ['hexadecimal'],
    answer: 200,
    reason: 'The message was posted before: it is answered alike, whatever the form of its signature is.',
  },
  {
    fields: ['overlap_seconds'],
    values: ['number 0', 'number 1', 'number 1.0', 'number -0', 'number 1e-400'],
    answer: 200,
    reason: 'Whole numbers; JSON knows one kind, and what is nearer to 0 than a double can be is 0.',
  },
  {
    fields: ['If-None-Match'],
    values: ANY_HEADER,
    answer: 200,
    reason: 'What is no tag of the answer matches none (RFC 9110 section 13.1.2), and the answer is sent.',
  },
];
